/**
 * Decides the next status of a run when a worker releases it. Pure function: retry with backoff, wait, requeue or
 * end.
 */
import type { Fault } from '@tributary/engine/ports/faults'
import { storeUnreachable } from '../../../kernel/store/run-fault-when-store-unreachable.ts'

export type RunEnding =
  | { readonly kind: 'completed'; readonly written: number; readonly deleted: number }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** A user cancelled it. */
  | { readonly kind: 'cancelled' }
  /** This worker is shutting down; nothing is wrong with the run. */
  | { readonly kind: 'handedBack' }

export type RunOutcome =
  | { readonly status: 'COMPLETED' | 'CANCELLED' | 'FAILED' }
  | { readonly status: 'WAITING'; readonly waitMs: number; readonly attempt: 'kept' | 'reset' }
  | { readonly status: 'QUEUED' }

/** Attempts without progress; an attempt that makes progress resets the count. */
export const attemptsMax = 6
const firstWaitMs = 5_000
const longestWaitMs = 15 * 60_000
const storeWaitMs = 1_000
/** Longer than any source's daily limit: a longer wait needs a person. */
const longestBusyMs = 25 * 3_600_000

/**
 * @param attempt number of this attempt, from 1 @param chance jitter between 0 and 1, so that many runs do not retry
 * at the same time
 */
export function decideOutcome(ending: RunEnding, attempt: number, chance: number): RunOutcome {
  if (ending.kind === 'completed') return { status: 'COMPLETED' }
  if (ending.kind === 'cancelled') return { status: 'CANCELLED' }
  if (ending.kind === 'handedBack') return { status: 'QUEUED' }
  const { kind, code, waitMs } = ending.fault
  // An unreachable store is no fault of source or target, and no worker can claim the run before the store is back.
  if (code === storeUnreachable) return { status: 'WAITING', waitMs: storeWaitMs, attempt: 'reset' }
  if (kind === 'busy') {
    // A busy source has not failed, so waiting for it does not count as an attempt.
    return {
      status: 'WAITING',
      waitMs: Math.min(waitMs ?? backoffMs(attempt, chance), longestBusyMs),
      attempt: 'reset',
    }
  }
  if (kind === 'passing' && attempt < attemptsMax)
    return { status: 'WAITING', waitMs: backoffMs(attempt, chance), attempt: 'kept' }
  return { status: 'FAILED' }
}

/** Exponential backoff: doubles with each attempt; the jitter subtracts up to half. */
function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  return Math.round(full * (0.5 + chance / 2))
}

export const targetUnreachable = 'target.unreachable'
const targetUnreachableCodes: readonly string[] = [targetUnreachable, 'warehouse.unreachable']

/** True if the fault means that the target, or the organisation's own warehouse, is unreachable. */
export function isTargetUnreachable(faultCode: string | null | undefined): boolean {
  return targetUnreachableCodes.includes(faultCode ?? '')
}
