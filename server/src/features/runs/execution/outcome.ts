/** What becomes of a run when a worker lets go of it: a pure rule, one line for each way it can end. */
import type { Fault } from '@tributary/engine/ports/faults'
import { storeUnreachable } from '../../../kernel/store/run-fault-when-store-unreachable.ts'

export type Ending =
  | { readonly kind: 'completed'; readonly written: number; readonly deleted: number }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** Somebody asked for it to stop. */
  | { readonly kind: 'cancelled' }
  /** This worker is shutting down; the run is fine. */
  | { readonly kind: 'handedBack' }

export type Outcome =
  | { readonly status: 'COMPLETED' | 'CANCELLED' | 'FAILED' }
  | { readonly status: 'WAITING'; readonly waitMs: number; readonly attempt: 'kept' | 'forgotten' }
  | { readonly status: 'QUEUED' }

/** Tries that did not bring the run forward by a single row; each that does starts the count again. */
export const attemptsMax = 6
const firstWaitMs = 5_000
const longestWaitMs = 15 * 60_000
const storeWaitMs = 1_000
/** Longer than any daily limit of a source: beyond it somebody should look. */
const longestBusyMs = 25 * 3_600_000

/** @param attempt which try this was, from 1; @param chance between 0 and 1, so that many runs do not come back at once. */
export function decide(ending: Ending, attempt: number, chance: number): Outcome {
  if (ending.kind === 'completed') return { status: 'COMPLETED' }
  if (ending.kind === 'cancelled') return { status: 'CANCELLED' }
  if (ending.kind === 'handedBack') return { status: 'QUEUED' }
  const { kind, code, waitMs } = ending.fault
  // A lost store says nothing about source or target, and no other worker can claim the run before the store is back.
  if (code === storeUnreachable) return { status: 'WAITING', waitMs: storeWaitMs, attempt: 'forgotten' }
  if (kind === 'busy') {
    // A source that is busy has not failed, so it may say so as often as it likes.
    return {
      status: 'WAITING',
      waitMs: Math.min(waitMs ?? backOffMs(attempt, chance), longestBusyMs),
      attempt: 'forgotten',
    }
  }
  if (kind === 'passing' && attempt < attemptsMax)
    return { status: 'WAITING', waitMs: backOffMs(attempt, chance), attempt: 'kept' }
  return { status: 'FAILED' }
}

/** Doubles with each try; the jitter takes away up to half. */
function backOffMs(attempt: number, chance: number): number {
  const full = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  return Math.round(full * (0.5 + chance / 2))
}

export const targetUnreachable = 'target.unreachable'
const ofTargets: readonly string[] = [targetUnreachable, 'warehouse.unreachable']

/** Whether a fault is that the target, perhaps the organisation's own warehouse, could not be reached. */
export function isTargetAway(faultCode: string | null | undefined): boolean {
  return ofTargets.includes(faultCode ?? '')
}
