/** What we keep in the target beside the rows: who may write, how far each stream is, which tables are ours, what was refused. */
import { createHash } from 'node:crypto'
import { Fault } from '../../../ports/faults.ts'
import { originAlone } from '../../../ports/origin.ts'
import { errorNumber } from '../faults.ts'
import type { MysqlConnection } from '../connection.ts'
import { type Refusals, type StateKey, type StoredState, unread } from '../../sql-target/stored-state.ts'
import { Fenced, requireNewer, type Writer } from '../../../ports/target.ts'
import { exactCollation } from './collation.ts'

/** Keys must fit an index, and be told apart to the byte: a stream may differ from another by a blank at its end. */
function tablesOf(collation: string): readonly string[] {
  const keyText = (length: number): string => `VARCHAR(${length}) CHARACTER SET utf8mb4 COLLATE ${collation}`
  return [
    `tributary_writer (connector ${keyText(100)} PRIMARY KEY, fence BIGINT NOT NULL, run_id VARCHAR(100) NOT NULL, began_at DATETIME(3) NOT NULL)`,
    `tributary_state (connector ${keyText(100)}, stream ${keyText(300)}, fence BIGINT NOT NULL, checkpoint LONGTEXT, refresh LONGTEXT, row_count BIGINT,
      finished_run VARCHAR(100), fresh_at VARCHAR(30), swept_at VARCHAR(30), swap LONGTEXT, updated_at DATETIME(3) NOT NULL, PRIMARY KEY (connector, stream))`,
    `tributary_table (name ${keyText(64)} PRIMARY KEY, connector ${keyText(100)} NOT NULL, stream ${keyText(300)} NOT NULL, source_name ${keyText(300)} NOT NULL)`,
    `tributary_reject (id BIGINT AUTO_INCREMENT PRIMARY KEY, connector ${keyText(100)} NOT NULL, stream ${keyText(300)} NOT NULL, run_id VARCHAR(100) NOT NULL,
      table_name TEXT NOT NULL, column_name TEXT, reason TEXT NOT NULL, row_json LONGTEXT NOT NULL, at DATETIME(3) NOT NULL, KEY (connector))`,
    `tributary_run (connector ${keyText(100)}, run_id ${keyText(100)}, status VARCHAR(20) NOT NULL, started_at DATETIME(3) NOT NULL, ended_at DATETIME(3),
      rows_read BIGINT NOT NULL, rows_written BIGINT NOT NULL, rows_updated BIGINT NOT NULL, rows_deleted BIGINT NOT NULL, rows_rejected BIGINT NOT NULL,
      notice TEXT, PRIMARY KEY (connector, run_id))`,
    `tributary_freshness (table_name ${keyText(64)} PRIMARY KEY, connector ${keyText(100)} NOT NULL, stream ${keyText(300)} NOT NULL, fresh_at DATETIME(3) NOT NULL,
      compared_at DATETIME(3), run_id VARCHAR(100) NOT NULL, rows_moved BIGINT NOT NULL)`,
  ]
}

export async function createRecords(connection: MysqlConnection): Promise<void> {
  const collation = await exactCollation(connection)
  for (const table of tablesOf(collation))
    await connection.run(
      `CREATE TABLE IF NOT EXISTS ${table} ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 ROW_FORMAT = DYNAMIC`,
    )
  const [fresh] = await connection.rows(
    `SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'tributary_state' AND column_name = 'fresh_at'`,
  )
  // Tables made by an earlier version.
  if (fresh === undefined) await connection.run('ALTER TABLE tributary_state ADD COLUMN fresh_at VARCHAR(30)')
  await collateExactly(connection, collation)
}

/** Tables made by an earlier version, which took names that differ in a blank at the end for the same. */
async function collateExactly(connection: MysqlConnection, collation: string): Promise<void> {
  const padding = await connection.rows(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ('tributary_writer', 'tributary_state', 'tributary_table')
     AND column_name IN ('connector', 'name') AND collation_name <> ? GROUP BY table_name`,
    [collation],
  )
  for (const { name } of padding)
    await connection.run(`ALTER TABLE ${name} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${collation}`)
}

/** Twelve digits that stand for a name where it would be too long. */
export function digest(name: string): string {
  return createHash('md5').update(name).digest('hex').slice(0, 12)
}

/** Of a lock, whose name is known to the whole server: there may be the same writer in another database. */
const lockHere = `CONCAT(?, LEFT(MD5(DATABASE()), 8))`

/** Every session that loads a stream holds the lock of this name, by which its successor finds it. */
function sessionLock(connectorId: string, stream: string): string {
  return `tributary:${digest(connectorId)}:${digest(stream)}:`
}

/** Takes the fence: from now on no older writer can commit, for every commit looks here. */
export async function takeFence(connection: MysqlConnection, writer: Writer): Promise<void> {
  const [former] = await connection.rows('SELECT fence, run_id FROM tributary_writer WHERE connector = ?', [
    writer.connectorId,
  ])
  if (former !== undefined) requireNewer({ fence: Number(former['fence']), runId: former['run_id'] ?? '' }, writer)
  await endFormerSessions(connection, writer)
  await connection.run(
    `INSERT INTO tributary_writer (connector, fence, run_id, began_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))
     ON DUPLICATE KEY UPDATE run_id = IF(fence < VALUES(fence), VALUES(run_id), run_id), fence = GREATEST(fence, VALUES(fence)), began_at = VALUES(began_at)`,
    [writer.connectorId, writer.fence, writer.runId],
  )
  await holdFence(connection, writer)
  await connection.run('COMMIT')
}

/** One that sleeps in the middle of a commit would keep its locks. A user may always end its own sessions. */
async function endFormerSessions(connection: MysqlConnection, writer: Writer): Promise<void> {
  const streams = await connection.rows('SELECT DISTINCT stream FROM tributary_table WHERE connector = ?', [
    writer.connectorId,
  ])
  for (const { stream } of streams) await endSession(connection, sessionLock(writer.connectorId, stream ?? ''))
}

async function endSession(connection: MysqlConnection, lock: string): Promise<void> {
  const [holder] = await connection.rows(`SELECT IS_USED_LOCK(${lockHere}) AS id`, [lock])
  if (holder?.['id'] === null || holder?.['id'] === undefined) return
  await connection.run(`KILL CONNECTION ${Number(holder['id'])}`).catch((error: unknown) => {
    const isGoneAlready = errorNumber(error) === 1094
    if (!isGoneAlready) throw error
  })
}

/** Marks this session as the one that loads the stream, and ends whoever still does, unless that is a successor. */
export async function markSession(connection: MysqlConnection, writer: Writer, stream: string): Promise<void> {
  await checkFence(connection, writer)
  const lock = sessionLock(writer.connectorId, stream)
  await endSession(connection, lock)
  const [taken] = await connection.rows(`SELECT GET_LOCK(${lockHere}, 20) AS taken`, [lock])
  if (taken?.['taken'] !== '1')
    throw new Fault('passing', {
      code: 'mysql.stream_held',
      notice: 'A former run still holds this table. It will be tried again.',
    })
}

/** One connector at a time finds and takes names of tables, for two could take the same. */
export async function holdingNames<T>(connection: MysqlConnection, work: () => Promise<T>): Promise<T> {
  const [taken] = await connection.rows(`SELECT GET_LOCK(${lockHere}, 60) AS taken`, [namesLock])
  if (taken?.['taken'] !== '1')
    throw new Fault('passing', {
      code: 'mysql.names_held',
      notice: 'Another connector is making tables for long. It will be tried again.',
    })
  try {
    return await work()
  } finally {
    await connection.rows(`SELECT RELEASE_LOCK(${lockHere}) AS released`, [namesLock]).catch(() => undefined)
  }
}

const namesLock = 'tributary:names:'

export async function releaseStream(connection: MysqlConnection, writer: Writer, stream: string): Promise<void> {
  await connection.rows(`SELECT RELEASE_LOCK(${lockHere}) AS released`, [sessionLock(writer.connectorId, stream)])
}

/** The last statement before COMMIT: holds the fence until then, so that no successor can begin in between. */
export async function holdFence(connection: MysqlConnection, writer: Writer): Promise<void> {
  const [held] = await connection.rows(
    'SELECT fence, run_id FROM tributary_writer WHERE connector = ? LOCK IN SHARE MODE',
    [writer.connectorId],
  )
  if (Number(held?.['fence']) !== writer.fence || held?.['run_id'] !== writer.runId) throw new Fenced()
}

async function checkFence(connection: MysqlConnection, writer: Writer): Promise<void> {
  await holdFence(connection, writer)
  await connection.run('COMMIT')
}

/**
 * Takes back the promise that something lies beside the table, before it is dropped: a writer that was declared dead gets
 * no further than this, and no successor goes on with what another has begun anew.
 */
export async function forgetRefresh(connection: MysqlConnection, writer: Writer, stream: string): Promise<void> {
  const state = await readState(connection, { connectorId: writer.connectorId, stream })
  if (state.refresh !== null)
    await writeState(connection, { writer, stream, state: { ...state, refresh: null }, swap: null })
  await checkFence(connection, writer)
}

/** A swap that has been decided: the state it leads to, and the tables that change places. */
export interface Swap {
  readonly state: StoredState
  readonly tables: readonly SwappedTable[]
}

export interface SwappedTable {
  readonly name: string
  readonly beside: string
  readonly former: string
}

export async function readState(connection: MysqlConnection, of: StateKey): Promise<StoredState> {
  const [row] = await connection.rows('SELECT * FROM tributary_state WHERE connector = ? AND stream = ?', [
    of.connectorId,
    of.stream,
  ])
  if (row === undefined) return unread
  return {
    checkpoint: parsed(row['checkpoint']),
    refresh: parsed(row['refresh']),
    rows: row['row_count'] == null ? null : Number(row['row_count']),
    finishedRun: row['finished_run'] ?? null,
    freshAt: row['fresh_at'] ?? null,
    sweptAt: row['swept_at'] ?? null,
  }
}

export interface StateChange {
  readonly writer: Writer
  readonly stream: string
  readonly state: StoredState
  readonly swap: Swap | null
}

/** Writes the state whole, within the transaction of the rows that it describes. */
export async function writeState(
  connection: MysqlConnection,
  { writer, stream, state, swap }: StateChange,
): Promise<void> {
  await connection.run(
    `REPLACE INTO tributary_state (connector, stream, fence, checkpoint, refresh, row_count, finished_run, fresh_at, swept_at, swap, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`,
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
      json(swap),
    ],
  )
}

/** Swaps that were decided and perhaps not done, by stream. */
export async function openSwaps(connection: MysqlConnection, connectorId: string): Promise<ReadonlyMap<string, Swap>> {
  const rows = await connection.rows(
    'SELECT stream, swap FROM tributary_state WHERE connector = ? AND swap IS NOT NULL',
    [connectorId],
  )
  return new Map(rows.map((row) => [row['stream'] ?? '', JSON.parse(row['swap'] ?? 'null') as Swap]))
}

/** After this the stream is read from its beginning: its table has gone, its key is another, or a column has come. */
export async function forgetState(connection: MysqlConnection, of: StateKey): Promise<void> {
  const { checkpoint } = await readState(connection, of)
  await connection.run(
    `UPDATE tributary_state SET checkpoint = ?, refresh = NULL, row_count = NULL, finished_run = NULL, fresh_at = NULL, swept_at = NULL, swap = NULL
     WHERE connector = ? AND stream = ?`,
    [json(originAlone(checkpoint)), of.connectorId, of.stream],
  )
}

export async function writeRejects(
  connection: MysqlConnection,
  { writer, stream, rows, settle }: Refusals,
): Promise<void> {
  if (settle)
    await connection.run('DELETE FROM tributary_reject WHERE connector = ? AND stream = ? AND run_id <> ?', [
      writer.connectorId,
      stream,
      writer.runId,
    ])
  for (const row of rows) {
    await connection.run(
      'INSERT INTO tributary_reject (connector, stream, run_id, table_name, column_name, reason, row_json, at) VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))',
      [writer.connectorId, stream, writer.runId, row.table, row.column, row.reason, JSON.stringify(row.row)],
    )
  }
}

function parsed<T>(text: string | null | undefined): T | null {
  return text == null ? null : (JSON.parse(text) as T)
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

export function unfit(notice: string): Fault {
  return new Fault('settings', { code: 'mysql.unfit', notice })
}
