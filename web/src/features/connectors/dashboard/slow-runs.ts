import type { LatestRun } from '@tributary/contract/connectors'

/** Shorter differences are noise. */
const slowByMs = 30_000

/** Whether a run took at least twice as long as usual. False while it is running. */
export function isSlow({ DurationMs, UsualDurationMs }: LatestRun): boolean {
  return (
    DurationMs !== null &&
    UsualDurationMs !== null &&
    DurationMs >= 2 * UsualDurationMs &&
    DurationMs - UsualDurationMs >= slowByMs
  )
}
