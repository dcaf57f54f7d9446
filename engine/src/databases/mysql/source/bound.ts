/** Up to which moment every change of a table can be seen now: where the next read must begin. */
import type { MysqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import type { CursorColumn } from './discover.ts'

/** Where it cannot be seen what is being written just now, or a program's own clock fills the column. */
const blindLagSeconds = 300
/** Wall clocks go back an hour in autumn: twice the same hour, and the five minutes. */
const wallClockLagSeconds = 3_900
/** The server shows beginnings in whole seconds. */
const roundingSeconds = 2

/**
 * A row shows the time at which its statement began, but is seen only once its transaction commits. So the next read
 * begins where the oldest transaction or statement at work now began. Take it before the snapshot that is read.
 */
export async function safeBound(connection: MysqlConnection, cursor: CursorColumn): Promise<string> {
  if (cursor.clock === 'wallClock') return wallClockBound(connection)
  // The clock first: whatever time passes until the writers have been looked at makes their lag longer, never too short.
  const now = await oneValue(connection, 'SELECT UTC_TIMESTAMP(6) AS v')
  const lag = cursor.keptBy === 'server' ? await writersLag(connection) : blindLagSeconds
  return oneValue(connection, `SELECT CAST('${now}' AS DATETIME(6)) - INTERVAL ${lag} SECOND AS v`)
}

/** Nothing tells in which zone a wall clock was read: the server's own or UTC, whichever is behind. */
async function wallClockBound(connection: MysqlConnection): Promise<string> {
  return inServerZone(connection, () =>
    oneValue(connection, `SELECT LEAST(UTC_TIMESTAMP(6), NOW(6)) - INTERVAL ${wallClockLagSeconds} SECOND AS v`),
  )
}

async function writersLag(connection: MysqlConnection): Promise<number> {
  try {
    const seconds = await inServerZone(connection, () => oneValue(connection, writersLagSql))
    return Number(seconds) + roundingSeconds
  } catch (error) {
    const rightMissing = errorNumber(error) === 1227
    if (rightMissing) return blindLagSeconds
    throw error
  }
}

/** Also what a replica is still to apply, which carries the older times of its primary. */
const writersLagSql = `
  SELECT GREATEST(
    COALESCE((SELECT MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())) FROM information_schema.innodb_trx WHERE trx_rows_modified > 0), 0),
    COALESCE((SELECT MAX(time) FROM information_schema.processlist
      WHERE command IN ('Query', 'Execute', 'Slave_SQL', 'Slave_worker') AND id <> CONNECTION_ID()), 0)) AS v`

/** innodb_trx shows times in the zone of the server's machine, whatever the session's. */
async function inServerZone<T>(connection: MysqlConnection, ask: () => Promise<T>): Promise<T> {
  await connection.run(`SET time_zone = 'SYSTEM'`)
  try {
    return await ask()
  } finally {
    await connection.run(`SET time_zone = '+00:00'`)
  }
}

async function oneValue(connection: MysqlConnection, sql: string): Promise<string> {
  const [row] = await connection.rows(sql)
  return row?.['v'] ?? ''
}
