/** The tables that Tributary keeps for itself in a MySQL target, the fencing token, and the advisory locks of names and streams. */
import { createHash } from 'node:crypto'
import { Fault } from '../../../ports/faults.ts'
import { assertNewerFence, type Writer } from '../../../ports/target.ts'
import type { MysqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { exactCollation } from './collation.ts'
import type { MysqlDialect, MysqlSession } from './session.ts'
import { commitFenced } from './statements.ts'

/** Keys must fit an index and compare byte by byte: two streams may differ in a blank at the end. */
function tableDefinitions(collation: string): readonly string[] {
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
    `tributary_history (table_name ${keyText(64)} PRIMARY KEY, history_name ${keyText(64)} NOT NULL, connector ${keyText(100)} NOT NULL,
      stream ${keyText(300)} NOT NULL, names TEXT NOT NULL, since VARCHAR(30), ended_at VARCHAR(30), as_of_select LONGTEXT)`,
    `tributary_cut_off (connector ${keyText(100)}, run_id ${keyText(100)}, cut_off VARCHAR(30) NOT NULL, PRIMARY KEY (connector, run_id))`,
  ]
}

export async function createSystemTables({ connection }: MysqlSession): Promise<void> {
  const collation = await exactCollation(connection)
  for (const definition of tableDefinitions(collation))
    await connection.run(
      `CREATE TABLE IF NOT EXISTS ${definition} ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 ROW_FORMAT = DYNAMIC`,
    )
  const [freshAt] = await connection.rows(
    `SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'tributary_state' AND column_name = 'fresh_at'`,
  )
  // Tables of an earlier version.
  if (freshAt === undefined) await connection.run('ALTER TABLE tributary_state ADD COLUMN fresh_at VARCHAR(30)')
  await collateExactly(connection, collation)
}

/** Converts tables of an earlier version, in which names that differ in a blank at the end were the same. */
async function collateExactly(connection: MysqlConnection, collation: string): Promise<void> {
  const padding = await connection.rows(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ('tributary_writer', 'tributary_state', 'tributary_table')
     AND column_name IN ('connector', 'name') AND collation_name <> ? GROUP BY table_name`,
    [collation],
  )
  for (const { name } of padding)
    await connection.run(`ALTER TABLE ${name} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${collation}`)
}

/** Twelve digits in place of a name that would be too long. */
export function digest(name: string): string {
  return createHash('md5').update(name).digest('hex').slice(0, 12)
}

/** Name of an advisory lock. Locks belong to the whole server, and the same writer may exist in another database. */
const lockName = `CONCAT(?, LEFT(MD5(DATABASE()), 8))`
const namesLock = 'tributary:names:'

/** Every session that loads a stream holds this lock: by it a successor finds the session. */
function streamLock(connectorId: string, stream: string): string {
  return `tributary:${digest(connectorId)}:${digest(stream)}:`
}

async function acquireLock(
  { rows }: MysqlSession,
  lock: string,
  { timeoutSeconds, ...fault }: { readonly timeoutSeconds: number; readonly code: string; readonly notice: string },
): Promise<void> {
  const [row] = await rows(`SELECT GET_LOCK(${lockName}, ${timeoutSeconds})`, [lock])
  if (row?.[0] !== '1') throw new Fault('passing', fault)
}

async function releaseLock({ rows }: MysqlSession, lock: string): Promise<void> {
  await rows(`SELECT RELEASE_LOCK(${lockName})`, [lock])
}

/** Takes the fencing token: from now on no older writer can commit, because every commit checks the token. */
export async function takeFence(session: MysqlSession, writer: Writer): Promise<void> {
  const { connectorId, fence, runId } = writer
  const [seen] = await session.rows('SELECT fence, run_id FROM tributary_writer WHERE connector = ?', [connectorId])
  if (seen !== undefined) assertNewerFence({ fence: Number(seen[0]), runId: seen[1] ?? '' }, writer)
  await killFormerSessions(session, connectorId)
  await session.run(
    `INSERT INTO tributary_writer (connector, fence, run_id, began_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))
     ON DUPLICATE KEY UPDATE run_id = IF(fence < VALUES(fence), VALUES(run_id), run_id), fence = GREATEST(fence, VALUES(fence)), began_at = VALUES(began_at)`,
    [connectorId, fence, runId],
  )
  await commitFenced(session, writer)
}

/** A session that hangs in the middle of a commit would keep its locks. A user may always kill its own sessions. */
async function killFormerSessions(session: MysqlSession, connectorId: string): Promise<void> {
  const streams = await session.rows('SELECT DISTINCT stream FROM tributary_table WHERE connector = ?', [connectorId])
  for (const [stream] of streams) await killLockHolder(session, streamLock(connectorId, stream ?? ''))
}

const noSuchThread = 1094

async function killLockHolder(session: MysqlSession, lock: string): Promise<void> {
  const [holder] = await session.rows(`SELECT IS_USED_LOCK(${lockName})`, [lock])
  const id = holder?.[0] ?? null
  if (id === null) return
  await session.run(`KILL CONNECTION ${Number(id)}`).catch((error: unknown) => {
    if (errorNumber(error) !== noSuchThread) throw error
  })
}

/** Marks this session as the one that loads the stream, and kills the one that still does, unless it is a successor. */
export const claimStream: MysqlDialect['claimStream'] = async (session, writer, stream) => {
  await commitFenced(session, writer)
  const lock = streamLock(writer.connectorId, stream)
  await killLockHolder(session, lock)
  await acquireLock(session, lock, {
    timeoutSeconds: 20,
    code: 'mysql.stream_held',
    notice: 'A former run still holds this table. It will be tried again.',
  })
}

export async function releaseStream(session: MysqlSession, writer: Writer, stream: string): Promise<void> {
  await releaseLock(session, streamLock(writer.connectorId, stream))
}

const deadlock = 1213
const attemptsMax = 3

/** One connector at a time claims names. Of two sessions in a deadlock the database rolls one back, which then succeeds. */
export const whileNaming: MysqlDialect['whileNaming'] = async (session, work) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await holdingNames(session, work)
    } catch (error) {
      if (errorNumber(error) !== deadlock || attempt === attemptsMax) throw error
    }
  }
}

async function holdingNames<T>(session: MysqlSession, work: () => Promise<T>): Promise<T> {
  await acquireLock(session, namesLock, {
    timeoutSeconds: 60,
    code: 'mysql.names_held',
    notice: 'Another connector is making tables for long. It will be tried again.',
  })
  try {
    return await work()
  } finally {
    await releaseLock(session, namesLock).catch(() => undefined)
  }
}
