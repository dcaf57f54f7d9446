/** What we keep in the target beside the rows: who may write, how far each stream is, which tables are ours, what was refused. */
import { Fault } from '../../../ports/faults.ts'
import { originAlone } from '../../../ports/origin.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, quote } from '../quoting.ts'
import type { Refusals, StateKey, StoredState } from '../../sql-target/stored-state.ts'
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

const word = (length: number): string => `nvarchar(${length}) COLLATE Latin1_General_100_BIN2 NOT NULL`

export async function createRecords(connection: SqlConnection, records: Records): Promise<void> {
  await connection.run(
    `IF SCHEMA_ID(${literal(records.schema)}) IS NULL EXEC(${literal(`CREATE SCHEMA ${quote(records.schema)}`)})`,
  )
  const tables = [
    [
      records.writer,
      `connector ${word(100)} PRIMARY KEY, fence bigint NOT NULL, run_id nvarchar(100) NOT NULL, began_at datetime2(3) NOT NULL`,
    ],
    [
      records.state,
      `connector ${word(100)}, stream ${word(300)}, fence bigint NOT NULL, checkpoint_json nvarchar(max), refresh_json nvarchar(max), row_count bigint,
      finished_run nvarchar(100), fresh_at nvarchar(30), swept_at nvarchar(30), updated_at datetime2(3) NOT NULL, PRIMARY KEY (connector, stream)`,
    ],
    [
      records.tables,
      `name ${word(128)} PRIMARY KEY, connector ${word(100)}, stream ${word(300)}, source_name ${word(300)}`,
    ],
    [
      records.rejects,
      `id bigint IDENTITY(1, 1) PRIMARY KEY, connector ${word(100)}, stream ${word(300)}, run_id nvarchar(100) NOT NULL, table_name nvarchar(400) NOT NULL,
      column_name nvarchar(400), reason nvarchar(max) NOT NULL, row_json nvarchar(max) NOT NULL, at datetime2(3) NOT NULL`,
    ],
    [
      records.runs,
      `connector ${word(100)}, run_id ${word(100)}, status nvarchar(20) NOT NULL, started_at datetime2(3) NOT NULL, ended_at datetime2(3),
      rows_read bigint NOT NULL, rows_written bigint NOT NULL, rows_updated bigint NOT NULL, rows_deleted bigint NOT NULL, rows_rejected bigint NOT NULL,
      notice nvarchar(max), PRIMARY KEY (connector, run_id)`,
    ],
    [
      records.freshness,
      `table_name ${word(128)} PRIMARY KEY, connector ${word(100)}, stream ${word(300)}, fresh_at datetime2(3) NOT NULL, compared_at datetime2(3),
      run_id nvarchar(100) NOT NULL, rows_moved bigint NOT NULL`,
    ],
  ] as const
  for (const [name, columns] of tables)
    await connection.run(`IF OBJECT_ID(${literal(name)}) IS NULL CREATE TABLE ${name} (${columns})`)
  // Tables made by an earlier version.
  await connection.run(
    `IF COL_LENGTH(${literal(records.state)}, 'fresh_at') IS NULL ALTER TABLE ${records.state} ADD fresh_at nvarchar(30)`,
  )
}

/** Takes the fence: from now on no older writer can commit, for every commit looks here. */
export async function takeFence(connection: SqlConnection, records: Records, writer: Writer): Promise<void> {
  const who = literal(writer.connectorId)
  const [row] = await connection.rows(
    `BEGIN TRANSACTION;
    IF NOT EXISTS (SELECT 1 FROM ${records.writer} WITH (UPDLOCK, HOLDLOCK) WHERE connector = ${who})
      INSERT INTO ${records.writer} (connector, fence, run_id, began_at) VALUES (${who}, ${writer.fence}, ${literal(writer.runId)}, SYSUTCDATETIME());
    UPDATE ${records.writer} SET fence = ${writer.fence}, run_id = ${literal(writer.runId)}, began_at = SYSUTCDATETIME() WHERE connector = ${who} AND fence < ${writer.fence};
    SELECT CONVERT(varchar(20), fence), run_id FROM ${records.writer} WHERE connector = ${who};
    COMMIT TRANSACTION`,
  )
  requireNewer({ fence: Number(row?.[0]), runId: String(row?.[1]) }, writer)
}

/** The last statement before COMMIT: holds the fence until then, so that no successor can begin in between. */
export async function holdFence(connection: SqlConnection, records: Records, writer: Writer): Promise<void> {
  const [row] = await connection.rows(
    `SELECT CONVERT(varchar(20), fence), run_id FROM ${records.writer} WITH (HOLDLOCK) WHERE connector = ${literal(writer.connectorId)}`,
  )
  if (Number(row?.[0]) !== writer.fence || row?.[1] !== writer.runId) throw new Fenced()
}

/** One writer a stream at a time: a former one that is still in the middle of a commit is waited for. Held to the end of the transaction. */
export async function lockStream(connection: SqlConnection, of: StateKey): Promise<void> {
  const name = `tributary:${of.connectorId}:${of.stream}`.slice(0, 255)
  const [row] = await connection.rows(
    `DECLARE @held int; EXEC @held = sp_getapplock @Resource = ${literal(name)}, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000; SELECT @held`,
  )
  if (Number(row?.[0] ?? 0) < 0)
    throw new Fault('passing', {
      code: 'sqlserver.stream_held',
      notice: 'A former run still holds this table. Trying again shortly.',
    })
}

export async function readState(connection: SqlConnection, records: Records, of: StateKey): Promise<StoredState> {
  const [row] = await connection.rows(
    `SELECT checkpoint_json, refresh_json, CONVERT(varchar(20), row_count), finished_run, fresh_at, swept_at FROM ${records.state} WHERE ${isState(of)}`,
  )
  const [checkpoint = null, refresh = null, rows = null, finishedRun = null, freshAt = null, sweptAt = null] = (row ??
    []) as readonly (string | null)[]
  return {
    checkpoint: parsed(checkpoint),
    refresh: parsed(refresh),
    rows: rows === null ? null : Number(rows),
    finishedRun,
    freshAt,
    sweptAt,
  }
}

export interface StateChange {
  readonly writer: Writer
  readonly stream: string
  readonly state: StoredState
}

/** Writes the state whole, within the transaction of the rows that it describes. */
export async function writeState(
  connection: SqlConnection,
  records: Records,
  { writer, stream, state }: StateChange,
): Promise<void> {
  await connection.run(`DELETE FROM ${records.state} WHERE ${isState({ connectorId: writer.connectorId, stream })}`)
  const values = [
    literal(writer.connectorId),
    literal(stream),
    String(writer.fence),
    json(state.checkpoint),
    json(state.refresh),
    String(state.rows ?? 'NULL'),
    literal(state.finishedRun),
    literal(state.freshAt),
    literal(state.sweptAt),
  ]
  await connection.run(
    `INSERT INTO ${records.state} (connector, stream, fence, checkpoint_json, refresh_json, row_count, finished_run, fresh_at, swept_at, updated_at) VALUES (${values.join(', ')}, SYSUTCDATETIME())`,
  )
}

/** After this the stream is read from its beginning: its table has gone, its key is another, or a column has come. */
export async function forgetState(connection: SqlConnection, records: Records, of: StateKey): Promise<void> {
  const { checkpoint } = await readState(connection, records, of)
  const forgotten = ['refresh_json', 'row_count', 'finished_run', 'fresh_at', 'swept_at'].map(
    (name) => `${name} = NULL`,
  )
  await connection.run(
    `UPDATE ${records.state} SET checkpoint_json = ${json(originAlone(checkpoint))}, ${forgotten.join(', ')} WHERE ${isState(of)}`,
  )
}

export async function writeRejects(
  connection: SqlConnection,
  records: Records,
  { writer, stream, rows, settle }: Refusals,
): Promise<void> {
  const of = isState({ connectorId: writer.connectorId, stream })
  if (settle) await connection.run(`DELETE FROM ${records.rejects} WHERE ${of} AND run_id <> ${literal(writer.runId)}`)
  for (const { table, column, reason, row } of rows) {
    const values = [writer.connectorId, stream, writer.runId, table, column, reason, JSON.stringify(row)].map(literal)
    await connection.run(
      `INSERT INTO ${records.rejects} (connector, stream, run_id, table_name, column_name, reason, row_json, at) VALUES (${values.join(', ')}, SYSUTCDATETIME())`,
    )
  }
}

function isState({ connectorId, stream }: StateKey): string {
  return `connector = ${literal(connectorId)} AND stream = ${literal(stream)}`
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}

function json(value: unknown): string {
  return value === null ? 'NULL' : literal(JSON.stringify(value))
}

export function unfit(notice: string): Fault {
  return new Fault('settings', { code: 'sqlserver.unfit', notice })
}
