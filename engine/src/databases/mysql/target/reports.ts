/** What reports read: how the runs went, and as of when each table is. Moments are in UTC. */
import type { MysqlConnection } from '../connection.ts'
import { brokenOff, keptSince, noRows, sumOfRows } from '../../../ports/run-record.ts'
import type { RowFigures, RunNote, Writer } from '../../../ports/target.ts'
import { holdFence } from './records.ts'

/** What earlier attempts of this very run have noted. */
export async function readFigures(connection: MysqlConnection, writer: Writer): Promise<RowFigures> {
  const [row] = await connection.rows('SELECT * FROM tributary_run WHERE connector = ? AND run_id = ?', [
    writer.connectorId,
    writer.runId,
  ])
  if (row === undefined) return noRows
  const figure = (kind: string): number => Number(row[`rows_${kind}`])
  return {
    read: figure('read'),
    written: figure('written'),
    updated: figure('updated'),
    deleted: figure('deleted'),
    rejected: figure('rejected'),
  }
}

export interface Noting {
  readonly writer: Writer
  readonly run: RunNote
  readonly before: RowFigures
}

export async function writeNote(connection: MysqlConnection, { writer, run, before }: Noting): Promise<void> {
  const rows = sumOfRows(before, run.rows)
  await connection.run(
    `INSERT INTO tributary_run (connector, run_id, started_at, status, ended_at, rows_read, rows_written, rows_updated, rows_deleted, rows_rejected, notice)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE status = VALUES(status), ended_at = VALUES(ended_at), rows_read = VALUES(rows_read), rows_written = VALUES(rows_written),
       rows_updated = VALUES(rows_updated), rows_deleted = VALUES(rows_deleted), rows_rejected = VALUES(rows_rejected), notice = VALUES(notice)`,
    [
      writer.connectorId,
      writer.runId,
      stamp(run.startedAt),
      run.status,
      run.endedAt === null ? null : stamp(run.endedAt),
      rows.read,
      rows.written,
      rows.updated,
      rows.deleted,
      rows.rejected,
      run.notice,
    ],
  )
  await connection.run(
    `UPDATE tributary_run SET status = 'failed', ended_at = ?, notice = ? WHERE connector = ? AND run_id <> ? AND status = 'running'`,
    [stamp(run.startedAt), brokenOff, writer.connectorId, writer.runId],
  )
  await connection.run(
    `DELETE FROM tributary_run WHERE connector = ? AND started_at < ? AND (status <> 'completed' OR ?)`,
    [writer.connectorId, stamp(keptSince(run)), run.status === 'completed'],
  )
  await holdFence(connection, writer)
  await connection.run('COMMIT')
}

export async function hasCompleted(connection: MysqlConnection, { connectorId }: Writer): Promise<boolean> {
  const found = await connection.rows(
    `SELECT 1 FROM tributary_run WHERE connector = ? AND status = 'completed' LIMIT 1`,
    [connectorId],
  )
  return found.length > 0
}

export interface Freshness {
  readonly writer: Writer
  readonly stream: string
  /** By name of the table in the target, how many rows this load has changed. */
  readonly moved: { readonly [table: string]: number }
  readonly freshAt: string
  readonly comparedAt: string | null
}

/** Within the transaction that brings the stream to its end, so that it never claims more than the tables hold. */
export async function writeFreshness(
  connection: MysqlConnection,
  { writer, stream, moved, freshAt, comparedAt }: Freshness,
): Promise<void> {
  const compared = comparedAt === null ? null : stamp(new Date(comparedAt))
  for (const [table, rows] of Object.entries(moved)) {
    await connection.run(
      'REPLACE INTO tributary_freshness (table_name, connector, stream, fresh_at, compared_at, run_id, rows_moved) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [table, writer.connectorId, stream, stamp(new Date(freshAt)), compared, writer.runId, rows],
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
  connection: MysqlConnection,
  { writer, stream, mainTable, ...swept }: Swept,
): Promise<void> {
  await connection.run(
    'UPDATE tributary_freshness SET compared_at = ?, rows_moved = rows_moved + IF(table_name = ?, ?, 0) WHERE connector = ? AND stream = ?',
    [stamp(new Date(swept.comparedAt)), mainTable, swept.deleted, writer.connectorId, stream],
  )
}

/** Its table is made anew, and empty. */
export async function forgetFreshness(connection: MysqlConnection, table: string): Promise<void> {
  await connection.run('DELETE FROM tributary_freshness WHERE table_name = ?', [table])
}

function stamp(moment: Date): string {
  return moment.toISOString().slice(0, 23).replace('T', ' ')
}
