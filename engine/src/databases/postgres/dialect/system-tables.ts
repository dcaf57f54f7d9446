/** The tables that Tributary keeps for itself in a PostgreSQL target, their locks, and the fencing token. */
import type pg from 'pg'
import { Fault } from '../../../ports/faults.ts'
import { FencedError, assertNewerFence, type Writer } from '../../../ports/target.ts'
import type { SystemTables } from '../../sql-target/dialect.ts'
import type { TextRow } from '../../sql-target/sessions.ts'
import { transaction } from '../../sql-target/state-store.ts'
import type { StoredRejects } from '../../sql-target/stored-state.ts'
import { quoteText } from '../types.ts'
import { createSchema } from './check.ts'
import type { PostgresSession } from './session.ts'

interface SystemNames {
  readonly schema: string
  readonly systemTables: SystemTables
}

/** Creates the schema and its system tables where they are missing. Two connectors that start at once wait for each other. */
export async function createSystemTables(
  session: PostgresSession,
  { schema, systemTables }: SystemNames,
): Promise<void> {
  const [[encoding] = []] = await session.rows('SHOW server_encoding')
  if (encoding !== 'UTF8')
    throw new Fault('settings', {
      code: 'postgres.unfit',
      notice:
        'The target database does not use UTF-8, so it cannot hold every text. Create a database with ENCODING ‘UTF8’ and choose that.',
    })
  await transaction({ begin: 'BEGIN', commit: 'COMMIT' }, session, async () => {
    await lockNames(session, schema)
    await createSchema(session, schema)
    await session.run(createTablesSql(systemTables))
    const incomplete = await session.rows(
      `SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = ?::regclass AND attname = 'fresh_at')`,
      [systemTables.state],
    )
    // Tables of an earlier version. Checked first, because ALTER TABLE would wait for every reader.
    if (incomplete.length > 0) await session.run(`ALTER TABLE ${systemTables.state} ADD COLUMN fresh_at timestamptz`)
  })
}

function createTablesSql(systemTables: SystemTables): string {
  const { writer, state, tables, rejects, runs, freshness, histories, cutOffs } = systemTables
  return `
    CREATE TABLE IF NOT EXISTS ${writer} (
      connector text PRIMARY KEY, fence bigint NOT NULL, run_id text NOT NULL, began_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS ${state} (
      connector text, stream text, fence bigint NOT NULL, checkpoint jsonb, refresh jsonb, rows bigint, finished_run text,
      fresh_at timestamptz, swept_at timestamptz, updated_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (connector, stream));
    CREATE TABLE IF NOT EXISTS ${tables} (
      name text PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, source_name text NOT NULL,
      UNIQUE (connector, stream, source_name));
    CREATE TABLE IF NOT EXISTS ${rejects} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, run_id text NOT NULL,
      table_name text NOT NULL, column_name text, reason text NOT NULL, row jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS ${runs} (
      connector text, run_id text, status text NOT NULL, started_at timestamptz NOT NULL, ended_at timestamptz, rows_read bigint NOT NULL,
      rows_written bigint NOT NULL, rows_updated bigint NOT NULL, rows_deleted bigint NOT NULL, rows_rejected bigint NOT NULL, notice text,
      PRIMARY KEY (connector, run_id));
    CREATE TABLE IF NOT EXISTS ${freshness} (
      table_name text PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, fresh_at timestamptz NOT NULL, compared_at timestamptz,
      run_id text NOT NULL, rows_moved bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS ${histories} (
      table_name text PRIMARY KEY, history_name text NOT NULL, connector text NOT NULL, stream text NOT NULL, names text NOT NULL, since text,
      ended_at text, as_of_select text);
    CREATE TABLE IF NOT EXISTS ${cutOffs} (connector text, run_id text, cut_off text NOT NULL, PRIMARY KEY (connector, run_id))`
}

/** Advisory lock until the end of the transaction: table names are claimed by one connector at a time. */
export async function lockNames(session: PostgresSession, schema: string): Promise<void> {
  await session.rows(`SELECT pg_advisory_xact_lock(hashtext('tributary'), hashtext(?))`, [schema])
}

const marker = (connectorId: string): string => `md5(${quoteText(connectorId)})`

/** Marks this session as the writer's, so that its successor can find and end it. */
export async function markSession(client: pg.Client, writer: Writer): Promise<void> {
  await client.query(
    `SELECT set_config('application_name', 'tributary:' || left(${marker(writer.connectorId)}, 16) || ':' || $1, false)`,
    [String(writer.fence)],
  )
}

/**
 * Takes the fencing token. Sessions of older writers are terminated first, because one that hangs in the middle of a commit would keep its
 * locks. Afterwards none of them can commit: every commit checks the token.
 */
export async function takeFence(
  session: PostgresSession,
  { writer: table }: SystemTables,
  writer: Writer,
): Promise<void> {
  const { connectorId, fence, runId } = writer
  const [seen] = await session.rows(`SELECT fence, run_id FROM ${table} WHERE connector = ?`, [connectorId])
  if (seen !== undefined) assertNewerFence({ fence: Number(seen[0]), runId: String(seen[1]) }, writer)
  await session.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'tributary:' || left(${marker(connectorId)}, 16) || ':%'
       AND split_part(application_name, ':', 3)::bigint < ${fence}`,
  )
  const taken = await session.run(
    `INSERT INTO ${table} AS former (connector, fence, run_id) VALUES (?, ?, ?)
     ON CONFLICT (connector) DO UPDATE SET fence = excluded.fence, run_id = excluded.run_id, began_at = now()
     WHERE former.fence < excluded.fence OR (former.fence = excluded.fence AND former.run_id = excluded.run_id)`,
    [connectorId, fence, runId],
  )
  if (taken === 0) throw new FencedError()
}

export async function lockFence(
  { run, rows }: PostgresSession,
  { writer }: SystemTables,
  connectorId: string,
): Promise<TextRow | undefined> {
  // What is committed must be as durable as the server's owner wants it; the staging before it need not be.
  await run('SET LOCAL synchronous_commit TO DEFAULT')
  return (await rows(`SELECT fence, run_id FROM ${writer} WHERE connector = ? FOR SHARE`, [connectorId]))[0]
}

/** Rejected rows of earlier runs are kept for 90 days, unless a replacement clears them. */
export async function writeRejects(
  session: PostgresSession,
  { rejects }: SystemTables,
  { writer, stream, rows, clearsEarlier }: StoredRejects,
): Promise<void> {
  await session.run(
    `DELETE FROM ${rejects} WHERE connector = ? AND stream = ? AND run_id <> ?${clearsEarlier ? '' : ` AND at < now() - interval '90 days'`}`,
    [writer.connectorId, stream, writer.runId],
  )
  if (rows.length === 0) return
  await session.run(
    `INSERT INTO ${rejects} (connector, stream, run_id, table_name, column_name, reason, row)
     SELECT ?, ?, ?, each->>'table', each->>'column', each->>'reason', each->'row' FROM jsonb_array_elements(?::jsonb) AS each`,
    [writer.connectorId, stream, writer.runId, JSON.stringify(rows)],
  )
}
