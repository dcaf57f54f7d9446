/** What `tributary_run` says of a run, whatever the kind of target. */
import type { ConnectionContext } from './source.ts'
import type { RowCounts, RunReport } from './target.ts'

/** Kept in the target; a run that did not complete goes sooner or later, one that did only once a later one has. */
export const runRetentionDays = 90

/** Said of a run that a later one finds still running: its process died, or could not reach the target any more. */
export const interruptedNotice =
  'The run was broken off before it could say how it ended. The next run went on where it had committed last.'

export const zeroRowCounts: RowCounts = { read: 0, written: 0, updated: 0, deleted: 0, rejected: 0 }

export function addRowCounts(one: RowCounts, other: RowCounts): RowCounts {
  return {
    read: one.read + other.read,
    written: one.written + other.written,
    updated: one.updated + other.updated,
    deleted: one.deleted + other.deleted,
    rejected: one.rejected + other.rejected,
  }
}

/** Before this moment a run's row may go. */
export function retentionCutoff({ startedAt }: RunReport): Date {
  return new Date(startedAt.getTime() - runRetentionDays * 24 * 60 * 60_000)
}

/** Longer, and a person who stops a run would wait for a target that does not answer. */
const finalReportTimeoutMs = 700

/** A run that was stopped may still say so, if the target takes it at once. */
export function withFinalReportTimeout(around: ConnectionContext): ConnectionContext {
  return around.signal.aborted ? { ...around, signal: AbortSignal.timeout(finalReportTimeoutMs) } : around
}
