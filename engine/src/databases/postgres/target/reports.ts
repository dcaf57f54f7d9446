/** What reports read: how the runs went, and as of when each table is. */
import type pg from 'pg'
import { brokenOff, keptSince, noRows, sumOfRows } from '../../../ports/run-record.ts'
import type { RowFigures, RunNote, Writer } from '../../../ports/target.ts'
import { holdFence, type Records } from './records.ts'

/** What earlier attempts of this very run have noted. */
export async function readFigures(client: pg.Client, records: Records, writer: Writer): Promise<RowFigures> {
  const found = await client.query<{ [kind in keyof RowFigures]: string }>(
    `SELECT rows_read AS read, rows_written AS written, rows_updated AS updated, rows_deleted AS deleted, rows_rejected AS rejected
     FROM ${records.runs} WHERE connector = $1 AND run_id = $2`,
    [writer.connectorId, writer.runId],
  )
  const row = found.rows[0]
  if (row === undefined) return noRows
  const { read, written, updated, deleted, rejected } = row
  return {
    read: Number(read),
    written: Number(written),
    updated: Number(updated),
    deleted: Number(deleted),
    rejected: Number(rejected),
  }
}

export interface Noting {
  readonly writer: Writer
  readonly run: RunNote
  readonly before: RowFigures
}

/** In a transaction of the caller's. */
export async function writeNote(client: pg.Client, records: Records, { writer, run, before }: Noting): Promise<void> {
  const rows = sumOfRows(before, run.rows)
  await client.query(
    `INSERT INTO ${records.runs} (connector, run_id, status, started_at, ended_at, rows_read, rows_written, rows_updated, rows_deleted, rows_rejected, notice)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (connector, run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, rows_read = excluded.rows_read,
       rows_written = excluded.rows_written, rows_updated = excluded.rows_updated, rows_deleted = excluded.rows_deleted,
       rows_rejected = excluded.rows_rejected, notice = excluded.notice`,
    [
      writer.connectorId,
      writer.runId,
      run.status,
      run.startedAt,
      run.endedAt,
      rows.read,
      rows.written,
      rows.updated,
      rows.deleted,
      rows.rejected,
      run.notice,
    ],
  )
  await client.query(
    `UPDATE ${records.runs} SET status = 'failed', ended_at = $3, notice = $4 WHERE connector = $1 AND run_id <> $2 AND status = 'running'`,
    [writer.connectorId, writer.runId, run.startedAt, brokenOff],
  )
  await client.query(
    `DELETE FROM ${records.runs} WHERE connector = $1 AND started_at < $2 AND (status <> 'completed' OR $3)`,
    [writer.connectorId, keptSince(run), run.status === 'completed'],
  )
  await holdFence(client, records, writer)
}

export async function hasCompleted(client: pg.Client, records: Records, writer: Writer): Promise<boolean> {
  const found = await client.query(
    `SELECT FROM ${records.runs} WHERE connector = $1 AND status = 'completed' LIMIT 1`,
    [writer.connectorId],
  )
  return found.rowCount !== 0
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
export async function writeFreshness(client: pg.Client, records: Records, freshness: Freshness): Promise<void> {
  const { writer, stream, moved, freshAt, comparedAt } = freshness
  for (const [table, rows] of moved) {
    await client.query(
      `INSERT INTO ${records.freshness} (table_name, connector, stream, fresh_at, compared_at, run_id, rows_moved) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (table_name) DO UPDATE SET fresh_at = excluded.fresh_at, compared_at = excluded.compared_at, run_id = excluded.run_id,
         rows_moved = excluded.rows_moved`,
      [table, writer.connectorId, stream, freshAt, comparedAt, writer.runId, rows],
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
  client: pg.Client,
  records: Records,
  { writer, stream, mainTable, ...swept }: Swept,
): Promise<void> {
  await client.query(
    `UPDATE ${records.freshness} SET compared_at = $3, rows_moved = rows_moved + CASE WHEN table_name = $4 THEN $5::bigint ELSE 0 END
     WHERE connector = $1 AND stream = $2`,
    [writer.connectorId, stream, swept.comparedAt, mainTable, swept.deleted],
  )
}

/** Its table is made anew, and empty. */
export async function forgetFreshness(client: pg.Client, records: Records, table: string): Promise<void> {
  await client.query(`DELETE FROM ${records.freshness} WHERE table_name = $1`, [table])
}
