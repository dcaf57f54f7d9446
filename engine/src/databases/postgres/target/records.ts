/** What we keep in the target beside the rows: who may write, how far each stream is, which tables are ours, what was refused. */
import type pg from 'pg'
import { Fault } from '../../../ports/faults.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import { originAlone } from '../../../ports/origin.ts'
import { quote } from '../types.ts'
import { type Refresh, type Refusals, type StateKey, type StoredState, unread } from '../../sql-target/stored-state.ts'
import { Fenced, requireNewer, type Writer } from '../../../ports/target.ts'

/** Names, quoted and with their schema, of the tables of ours. */
export interface Records {
  readonly schema: string
  readonly writer: string
  readonly state: string
  readonly tables: string
  readonly rejects: string
  readonly runs: string
  readonly freshness: string
}

export function recordsIn(schema: string): Records {
  const at = (name: string): string => `${quote(schema)}.${quote(`tributary_${name}`)}`
  return {
    schema,
    writer: at('writer'),
    state: at('state'),
    tables: at('table'),
    rejects: at('reject'),
    runs: at('run'),
    freshness: at('freshness'),
  }
}

/** Creates schema and tables of ours where they are missing. Two connectors that start at once wait for each other. */
export async function createRecords(client: pg.Client, records: Records): Promise<void> {
  await lockNames(client, records)
  const there = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [records.schema])
  if (there.rowCount === 0) await client.query(`CREATE SCHEMA ${quote(records.schema)}`)
  await client.query(`
    CREATE TABLE IF NOT EXISTS ${records.writer} (
      connector text PRIMARY KEY, fence bigint NOT NULL, run_id text NOT NULL, began_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS ${records.state} (
      connector text, stream text, fence bigint NOT NULL, checkpoint jsonb, refresh jsonb, rows bigint, finished_run text,
      fresh_at timestamptz, swept_at timestamptz, updated_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (connector, stream));
    CREATE TABLE IF NOT EXISTS ${records.tables} (
      name text PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, source_name text NOT NULL,
      UNIQUE (connector, stream, source_name));
    CREATE TABLE IF NOT EXISTS ${records.rejects} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, run_id text NOT NULL,
      table_name text NOT NULL, column_name text, reason text NOT NULL, row jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS ${records.runs} (
      connector text, run_id text, status text NOT NULL, started_at timestamptz NOT NULL, ended_at timestamptz, rows_read bigint NOT NULL,
      rows_written bigint NOT NULL, rows_updated bigint NOT NULL, rows_deleted bigint NOT NULL, rows_rejected bigint NOT NULL, notice text,
      PRIMARY KEY (connector, run_id));
    CREATE TABLE IF NOT EXISTS ${records.freshness} (
      table_name text PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, fresh_at timestamptz NOT NULL, compared_at timestamptz,
      run_id text NOT NULL, rows_moved bigint NOT NULL)`)
  const lacking = await client.query(
    `SELECT WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'fresh_at')`,
    [records.state],
  )
  // Tables made by an earlier version; looked at first, for ALTER TABLE would wait for every reader.
  if (lacking.rowCount !== 0) await client.query(`ALTER TABLE ${records.state} ADD COLUMN fresh_at timestamptz`)
}

/** Held to the end of the transaction: names are given out one connector at a time. */
export async function lockNames(client: pg.Client, records: Records): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('tributary'), hashtext($1))`, [records.schema])
}

const marker = (connectorId: string): string => `md5('${connectorId.replaceAll("'", "''")}')`

/** Marks this session as the writer's, so that its successor can find it. */
export async function markSession(client: pg.Client, writer: Writer): Promise<void> {
  await client.query(
    `SELECT set_config('application_name', 'tributary:' || left(${marker(writer.connectorId)}, 16) || ':' || $1, false)`,
    [String(writer.fence)],
  )
}

/**
 * Takes the fence. Sessions of older writers are ended first, for one that sleeps in the middle of a commit would keep its
 * locks; afterwards none of them can commit, because every commit looks here.
 */
export async function takeFence(client: pg.Client, records: Records, writer: Writer): Promise<void> {
  const former = await client.query<{ fence: string; run_id: string }>(
    `SELECT fence::text, run_id FROM ${records.writer} WHERE connector = $1`,
    [writer.connectorId],
  )
  const [seen] = former.rows
  if (seen !== undefined) requireNewer({ fence: Number(seen.fence), runId: seen.run_id }, writer)
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'tributary:' || left(${marker(writer.connectorId)}, 16) || ':%'
       AND split_part(application_name, ':', 3)::bigint < $1`,
    [writer.fence],
  )
  const taken = await client.query(
    `INSERT INTO ${records.writer} AS former (connector, fence, run_id) VALUES ($1, $2, $3)
     ON CONFLICT (connector) DO UPDATE SET fence = excluded.fence, run_id = excluded.run_id, began_at = now()
     WHERE former.fence < excluded.fence OR (former.fence = excluded.fence AND former.run_id = excluded.run_id)`,
    [writer.connectorId, writer.fence, writer.runId],
  )
  if (taken.rowCount === 0) throw new Fenced()
}

/** The last statement before COMMIT: holds the fence until then, so that no successor can begin in between. */
export async function holdFence(client: pg.Client, records: Records, writer: Writer): Promise<void> {
  // What is being committed must be as safe as the server's owner wants it; the staging before it need not be.
  await client.query('SET LOCAL synchronous_commit TO DEFAULT')
  const held = await client.query(
    `SELECT FROM ${records.writer} WHERE connector = $1 AND fence = $2 AND run_id = $3 FOR SHARE`,
    [writer.connectorId, writer.fence, writer.runId],
  )
  if (held.rowCount === 0) throw new Fenced()
}

export async function readState(client: pg.Client, records: Records, of: StateKey): Promise<StoredState> {
  const found = await client.query<{
    checkpoint: Checkpoint | null
    refresh: Refresh | null
    rows: string | null
    finished_run: string | null
    fresh_at: Date | null
    swept_at: Date | null
  }>(
    `SELECT checkpoint, refresh, rows::text, finished_run, fresh_at, swept_at FROM ${records.state} WHERE connector = $1 AND stream = $2`,
    [of.connectorId, of.stream],
  )
  const row = found.rows[0]
  if (row === undefined) return unread
  return {
    checkpoint: row.checkpoint,
    refresh: row.refresh,
    rows: row.rows === null ? null : Number(row.rows),
    finishedRun: row.finished_run,
    freshAt: row.fresh_at?.toISOString() ?? null,
    sweptAt: row.swept_at?.toISOString() ?? null,
  }
}

/** Writes the state whole, within the transaction of the rows that it describes. */
export async function writeState(
  client: pg.Client,
  records: Records,
  to: { writer: Writer; stream: string; state: StoredState },
): Promise<void> {
  const { writer, stream, state } = to
  await client.query(
    `INSERT INTO ${records.state} (connector, stream, fence, checkpoint, refresh, rows, finished_run, fresh_at, swept_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (connector, stream) DO UPDATE SET fence = excluded.fence, checkpoint = excluded.checkpoint, refresh = excluded.refresh,
       rows = excluded.rows, finished_run = excluded.finished_run, fresh_at = excluded.fresh_at, swept_at = excluded.swept_at, updated_at = now()`,
    [
      writer.connectorId,
      stream,
      writer.fence,
      json(state.checkpoint),
      json(state.refresh),
      state.rows,
      state.finishedRun,
      state.freshAt,
      state.sweptAt,
    ],
  )
}

/** After this the stream is read from its beginning: its table has gone, its key is another, or a column has come. */
export async function forgetState(client: pg.Client, records: Records, of: StateKey): Promise<void> {
  const { checkpoint } = await readState(client, records, of)
  await client.query(
    `UPDATE ${records.state} SET checkpoint = $3, refresh = NULL, rows = NULL, finished_run = NULL, fresh_at = NULL, swept_at = NULL
     WHERE connector = $1 AND stream = $2`,
    [of.connectorId, of.stream, json(originAlone(checkpoint))],
  )
}

/** What was refused in earlier runs is kept for 90 days, unless it is settled. */
export async function writeRejects(
  client: pg.Client,
  records: Records,
  { writer, stream, rows, settle }: Refusals,
): Promise<void> {
  await client.query(
    `DELETE FROM ${records.rejects} WHERE connector = $1 AND stream = $2 AND run_id <> $3 AND ($4 OR at < now() - interval '90 days')`,
    [writer.connectorId, stream, writer.runId, settle],
  )
  if (rows.length === 0) return
  await client.query(
    `INSERT INTO ${records.rejects} (connector, stream, run_id, table_name, column_name, reason, row)
     SELECT $1, $2, $3, each->>'table', each->>'column', each->>'reason', each->'row' FROM jsonb_array_elements($4::jsonb) AS each`,
    [writer.connectorId, stream, writer.runId, JSON.stringify(rows)],
  )
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

export function unfit(notice: string): Fault {
  return new Fault('settings', { code: 'postgres.unfit', notice })
}
