/** Which streams a source may skip to save its rate budget. */
import type { StreamContext } from './stream-context.ts'

/**
 * False for streams that were requested explicitly, from a date or in full, and for the one with the lock dates while closed periods are
 * watched.
 */
export function maySkip({ described, syncMode, changedSince, streams, closedPeriods }: StreamContext): boolean {
  if (syncMode === 'full' || changedSince !== undefined || streams?.length === 1) return false
  return closedPeriods?.definition?.lockDates?.stream !== described.name
}
