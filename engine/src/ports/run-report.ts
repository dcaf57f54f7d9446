/** The rules of `tributary_run` that are the same for every kind of target. */
import type { ConnectionContext } from './source.ts'
import type { RunRowCounts, RunReport } from './target.ts'

/** How long a run's row is kept in the target. The latest completed run is kept regardless of its age. */
export const runRetentionDays = 90

/**
 * The notice of a run that a later one finds still `running`: its process died or lost the connection to the target.
 */
export const interruptedNotice =
  'The run was interrupted before it could report its result. The next run continued from the last commit.'

export const zeroRowCounts: RunRowCounts = { read: 0, written: 0, updated: 0, deleted: 0, rejected: 0 }

export function addRowCounts(one: RunRowCounts, other: RunRowCounts): RunRowCounts {
  return {
    read: one.read + other.read,
    written: one.written + other.written,
    updated: one.updated + other.updated,
    deleted: one.deleted + other.deleted,
    rejected: one.rejected + other.rejected,
  }
}

/** Rows of runs that started before this time may be deleted. */
export function retentionCutoff({ startedAt }: RunReport): Date {
  return new Date(startedAt.getTime() - runRetentionDays * 24 * 60 * 60_000)
}

/** Short, so that a person who stops a run does not wait for an unresponsive target. */
const finalReportTimeoutMs = 700

/** Gives an aborted run a last chance to report its state, with a short timeout. */
export function withFinalReportTimeout(context: ConnectionContext): ConnectionContext {
  return context.signal.aborted ? { ...context, signal: AbortSignal.timeout(finalReportTimeoutMs) } : context
}
