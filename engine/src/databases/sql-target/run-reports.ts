/** What reports read in a target: how its runs ended (`tributary_run`) and how fresh each table is (`tributary_freshness`). */
import { interruptedNotice, retentionCutoff, zeroRowCounts, addRowCounts } from '../../ports/run-report.ts'
import type { RunRowCounts, RunReport } from '../../ports/target.ts'
import type { SqlDialect, WriterSession } from './dialect.ts'
import { holdFence } from './state-store.ts'

/** Row counts that earlier attempts of this run have noted. */
export async function readRunRows({ dialect, session, writer }: WriterSession): Promise<RunRowCounts> {
  const counts = ['rows_read', 'rows_written', 'rows_updated', 'rows_deleted', 'rows_rejected'].map((column) =>
    dialect.integer(column),
  )
  const [row] = await session.rows(
    `SELECT ${counts.join(', ')} FROM ${dialect.systemTables.runs} WHERE connector = ? AND run_id = ?`,
    [writer.connectorId, writer.runId],
  )
  if (row === undefined) return zeroRowCounts
  const [read = 0, written = 0, updated = 0, deleted = 0, rejected = 0] = row.map(Number)
  return { read, written, updated, deleted, rejected }
}

/** Belongs in a transaction. @param before row counts of earlier attempts */
export async function writeRun(context: WriterSession, run: RunReport, before: RunRowCounts): Promise<void> {
  const { dialect, session, writer } = context
  const { runs } = dialect.systemTables
  const rows = addRowCounts(before, run.rows)
  await dialect.upsert(session, {
    table: runs,
    key: { connector: writer.connectorId, run_id: writer.runId },
    initial: { started_at: run.startedAt },
    values: {
      status: run.status,
      ended_at: run.endedAt,
      rows_read: rows.read,
      rows_written: rows.written,
      rows_updated: rows.updated,
      rows_deleted: rows.deleted,
      rows_rejected: rows.rejected,
      notice: run.notice,
    },
  })
  await session.run(
    `UPDATE ${runs} SET status = 'failed', ended_at = ?, notice = ? WHERE connector = ? AND run_id <> ? AND status = 'running'`,
    [run.startedAt, interruptedNotice, writer.connectorId, writer.runId],
  )
  // The last completed run is kept for good: it shows that the tables were complete once.
  await session.run(
    `DELETE FROM ${runs} WHERE connector = ? AND run_id <> ? AND started_at < ?${run.status === 'completed' ? '' : ` AND status <> 'completed'`}`,
    [writer.connectorId, writer.runId, retentionCutoff(run)],
  )
  await holdFence(dialect, session, writer)
}

/** Whether any run of the connector has completed here. */
export async function hasCompletedRun({ dialect, session, writer }: WriterSession): Promise<boolean> {
  const [row] = await session.rows(
    `SELECT COUNT(*) FROM ${dialect.systemTables.runs} WHERE connector = ? AND status = 'completed'`,
    [writer.connectorId],
  )
  return Number(row?.[0] ?? 0) > 0
}

interface FreshnessContext extends Omit<WriterSession, 'dialect'> {
  readonly dialect: Pick<SqlDialect, 'systemTables' | 'upsert'>
}

export interface StreamFreshness {
  readonly stream: string
  /** How many rows this load has changed, by name of the table in the target. */
  readonly moved: ReadonlyMap<string, number>
  /** ISO 8601, like `comparedAt`. */
  readonly freshAt: string
  readonly comparedAt: string | null
}

/** Belongs in the transaction that brings the stream to its end: freshness never claims more than the tables hold. */
export async function writeFreshness(
  { dialect, session, writer }: FreshnessContext,
  { stream, moved, freshAt, comparedAt }: StreamFreshness,
): Promise<void> {
  for (const [table, rows] of moved)
    await dialect.upsert(session, {
      table: dialect.systemTables.freshness,
      key: { table_name: table },
      values: {
        connector: writer.connectorId,
        stream,
        fresh_at: new Date(freshAt),
        compared_at: comparedAt === null ? null : new Date(comparedAt),
        run_id: writer.runId,
        rows_moved: rows,
      },
    })
}

export interface StreamComparison {
  readonly stream: string
  readonly mainTable: string
  readonly deleted: number
  /** ISO 8601. */
  readonly comparedAt: string
}

/** Belongs in the transaction of a key comparison: whatever was deleted in the source before it is deleted here, too. */
export async function writeComparison(
  { dialect, session, writer }: WriterSession,
  { stream, mainTable, deleted, comparedAt }: StreamComparison,
): Promise<void> {
  await session.run(
    `UPDATE ${dialect.systemTables.freshness} SET compared_at = ?, rows_moved = rows_moved + CASE WHEN table_name = ? THEN ${deleted} ELSE 0 END
     WHERE connector = ? AND stream = ?`,
    [new Date(comparedAt), mainTable, writer.connectorId, stream],
  )
}

/** For a table that is created, and therefore empty. */
export async function forgetFreshness({ dialect, session }: WriterSession, table: string): Promise<void> {
  await session.run(`DELETE FROM ${dialect.systemTables.freshness} WHERE table_name = ?`, [table])
}
