/** The rows of runs in the connector's table. */
import { addRowCounts, interruptedNotice, retentionCutoff, zeroRowCounts } from '../../../ports/run-report.ts'
import type { RunReport, RunRowCounts, Writer } from '../../../ports/target.ts'
import type { RunRow } from './connector-table.ts'

/** Row counts that earlier attempts of this run have noted. */
export function rowsBefore(runs: readonly RunRow[], { runId }: Writer): RunRowCounts {
  const run = runs.find((row) => row.run_id === runId)
  if (run === undefined) return zeroRowCounts
  return {
    read: Number(run.rows_read),
    written: Number(run.rows_written),
    updated: Number(run.rows_updated),
    deleted: Number(run.rows_deleted),
    rejected: Number(run.rows_rejected),
  }
}

export interface NotedRun {
  readonly writer: Writer
  readonly run: RunReport
  /** Of earlier attempts. */
  readonly before: RunRowCounts
}

/** The rows with that of the run. Earlier runs that are still running were interrupted; old ones are dropped, except the last completed. */
export function withRun(runs: readonly RunRow[], { writer, run, before }: NotedRun): readonly RunRow[] {
  const earlier = runs.filter((row) => row.run_id !== writer.runId)
  const startedAt = runs.find((row) => row.run_id === writer.runId)?.started_at ?? toMicros(run.startedAt)
  const cutoff = toMicros(retentionCutoff(run))
  const kept = earlier
    .map((row): RunRow => {
      if (row.status !== 'running') return row
      return { ...row, status: 'failed', ended_at: toMicros(run.startedAt), notice: interruptedNotice }
    })
    .filter((row) => {
      const isOld = (row.started_at as bigint) < cutoff
      return !isOld || (row.status === 'completed' && run.status !== 'completed')
    })
  const rows = addRowCounts(before, run.rows)
  return [
    ...kept,
    {
      run_id: writer.runId,
      status: run.status,
      started_at: startedAt,
      ended_at: run.endedAt === null ? null : toMicros(run.endedAt),
      rows_read: BigInt(rows.read),
      rows_written: BigInt(rows.written),
      rows_updated: BigInt(rows.updated),
      rows_deleted: BigInt(rows.deleted),
      rows_rejected: BigInt(rows.rejected),
      notice: run.notice,
    },
  ]
}

function toMicros(moment: Date): bigint {
  return BigInt(moment.getTime()) * 1_000n
}
