/** What reports read: how the runs went, and as of when each table is. Moments are in UTC. */
import { brokenOff, keptSince, noRows, sumOfRows } from '../../../ports/run-record.ts'
import type { SqlConnection } from '../connection.ts'
import { literal } from '../quoting.ts'
import type { RowFigures, RunNote, Writer } from '../../../ports/target.ts'
import { holdFence, type Records } from './records.ts'

/** What earlier attempts of this very run have noted. */
export async function readFigures(connection: SqlConnection, records: Records, writer: Writer): Promise<RowFigures> {
  const [row] = await connection.rows(
    `SELECT CONVERT(varchar(20), rows_read), CONVERT(varchar(20), rows_written), CONVERT(varchar(20), rows_updated), CONVERT(varchar(20), rows_deleted), CONVERT(varchar(20), rows_rejected)
    FROM ${records.runs} WHERE ${isRun(writer)}`,
  )
  if (row === undefined) return noRows
  const [read = 0, written = 0, updated = 0, deleted = 0, rejected = 0] = row.map(Number)
  return { read, written, updated, deleted, rejected }
}

export interface Noting {
  readonly writer: Writer
  readonly run: RunNote
  readonly before: RowFigures
}

/** In a transaction of the caller's. */
export async function writeNote(
  connection: SqlConnection,
  records: Records,
  { writer, run, before }: Noting,
): Promise<void> {
  const rows = sumOfRows(before, run.rows)
  const { read, written, updated, deleted, rejected } = rows
  const ended = stamp(run.endedAt)
  const values = [literal(run.status), ended, read, written, updated, deleted, rejected, literal(run.notice)]
  const columns = [
    'status',
    'ended_at',
    'rows_read',
    'rows_written',
    'rows_updated',
    'rows_deleted',
    'rows_rejected',
    'notice',
  ]
  await connection.run(
    `UPDATE ${records.runs} SET ${columns.map((name, at) => `${name} = ${values[at]}`).join(', ')} WHERE ${isRun(writer)};
    IF @@ROWCOUNT = 0 INSERT INTO ${records.runs} (connector, run_id, started_at, ${columns.join(', ')})
      VALUES (${literal(writer.connectorId)}, ${literal(writer.runId)}, ${stamp(run.startedAt)}, ${values.join(', ')})`,
  )
  const others = `connector = ${literal(writer.connectorId)} AND run_id <> ${literal(writer.runId)}`
  await connection.run(
    `UPDATE ${records.runs} SET status = 'failed', ended_at = ${stamp(run.startedAt)}, notice = ${literal(brokenOff)} WHERE ${others} AND status = 'running'`,
  )
  const which = run.status === 'completed' ? '' : ` AND status <> 'completed'`
  await connection.run(`DELETE FROM ${records.runs} WHERE ${others} AND started_at < ${stamp(keptSince(run))}${which}`)
  await holdFence(connection, records, writer)
}

export async function hasCompleted(
  connection: SqlConnection,
  records: Records,
  { connectorId }: Writer,
): Promise<boolean> {
  const found = await connection.rows(
    `SELECT TOP 1 1 FROM ${records.runs} WHERE connector = ${literal(connectorId)} AND status = 'completed'`,
  )
  return found.length > 0
}

export interface Freshness {
  readonly writer: Writer
  readonly stream: string
  /** By name of the table in the target, how many rows this load has changed. */
  readonly moved: ReadonlyMap<string, number>
  readonly freshAt: string
  readonly comparedAt: string | null
}

/** Within the transaction that brings the stream to its end, so that it never claims more than the tables hold. */
export async function writeFreshness(connection: SqlConnection, records: Records, freshness: Freshness): Promise<void> {
  const { writer, stream, moved } = freshness
  const fresh = stamp(new Date(freshness.freshAt))
  const compared = freshness.comparedAt === null ? 'NULL' : stamp(new Date(freshness.comparedAt))
  for (const [table, rows] of moved) {
    await forgetFreshness(connection, records, table)
    const values = [
      literal(table),
      literal(writer.connectorId),
      literal(stream),
      fresh,
      compared,
      literal(writer.runId),
      rows,
    ]
    await connection.run(
      `INSERT INTO ${records.freshness} (table_name, connector, stream, fresh_at, compared_at, run_id, rows_moved) VALUES (${values.join(', ')})`,
    )
  }
}

export interface Swept {
  readonly writer: Writer
  readonly stream: string
  readonly mainTable: string
  readonly deleted: number
  readonly comparedAt: string
}

/** Within the transaction of a sweep: what had gone from the source before it is gone here, too. */
export async function writeSwept(
  connection: SqlConnection,
  records: Records,
  { writer, stream, ...swept }: Swept,
): Promise<void> {
  await connection.run(
    `UPDATE ${records.freshness} SET compared_at = ${stamp(new Date(swept.comparedAt))},
      rows_moved = rows_moved + CASE WHEN table_name = ${literal(swept.mainTable)} THEN ${swept.deleted} ELSE 0 END
    WHERE connector = ${literal(writer.connectorId)} AND stream = ${literal(stream)}`,
  )
}

/** Its table is made anew, and empty. */
export async function forgetFreshness(connection: SqlConnection, records: Records, table: string): Promise<void> {
  await connection.run(`DELETE FROM ${records.freshness} WHERE table_name = ${literal(table)}`)
}

function isRun({ connectorId, runId }: Writer): string {
  return `connector = ${literal(connectorId)} AND run_id = ${literal(runId)}`
}

function stamp(moment: Date | null): string {
  return moment === null ? 'NULL' : `CONVERT(datetime2(3), '${moment.toISOString().slice(0, 23)}', 126)`
}
