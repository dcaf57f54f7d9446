/** Samples of verifications for tests of screens. */
import type { SourceVerification } from '@tributary/contract/verification-state'

/** A source without tables. */
export function sourceVerification(changes: Partial<SourceVerification> = {}): SourceVerification {
  return {
    Verdict: null,
    Tables: 0,
    Verified: 0,
    Overdue: 0,
    Failed: 0,
    Differing: 0,
    Differences: 0,
    Rows: 0,
    NewerRows: 0,
    CheckedAtUtc: null,
    ...changes,
  }
}
