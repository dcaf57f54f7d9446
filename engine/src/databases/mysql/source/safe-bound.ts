/** The time up to which every change of a table is visible now: where the next read must begin. */
import type { MysqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import type { CursorColumn } from './discover.ts'

/** For a user who cannot see running transactions, and for columns that a program fills by its own clock. */
const blindLagSeconds = 300
/** Wall clocks repeat an hour in autumn; and the five minutes. */
const wallClockLagSeconds = 3_900
/** The server reports start times in whole seconds. */
const roundingSeconds = 2

export interface SafeBound {
  /** Where the next read begins. */
  readonly from: string
  /** Where it would begin if no transaction had been open for longer than usual. */
  readonly usual: string
}

/**
 * A row holds the time at which its statement began, but is visible only once its transaction commits. So the next read begins where the
 * oldest running transaction or statement began. Call this before the snapshot is taken.
 */
export async function safeBound(connection: MysqlConnection, cursor: CursorColumn): Promise<SafeBound> {
  if (cursor.clock === 'wallClock') {
    const from = await wallClockBound(connection)
    return { from, usual: from }
  }
  // Read the clock first: time that passes before the writers are queried only makes the lag longer.
  const now = await oneValue(connection, 'SELECT UTC_TIMESTAMP(6) AS v')
  const lag = cursor.keptBy === 'server' ? await writersLag(connection) : blindLagSeconds
  const before = (seconds: number) =>
    oneValue(connection, `SELECT CAST('${now}' AS DATETIME(6)) - INTERVAL ${seconds} SECOND AS v`)
  return { from: await before(lag), usual: await before(Math.min(lag, blindLagSeconds)) }
}

/** The time zone of a wall clock is unknown: the server's own or UTC, whichever is behind. */
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

/** Includes what a replica has yet to apply: it carries the older times of its primary. */
const writersLagSql = `
  SELECT GREATEST(
    COALESCE((SELECT MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())) FROM information_schema.innodb_trx WHERE trx_rows_modified > 0), 0),
    COALESCE((SELECT MAX(time) FROM information_schema.processlist
      WHERE command IN ('Query', 'Execute', 'Slave_SQL', 'Slave_worker') AND id <> CONNECTION_ID()), 0)) AS v`

/** innodb_trx reports times in the zone of the server, whatever the session's zone is. */
async function inServerZone<T>(connection: MysqlConnection, query: () => Promise<T>): Promise<T> {
  await connection.run(`SET time_zone = 'SYSTEM'`)
  try {
    return await query()
  } finally {
    await connection.run(`SET time_zone = '+00:00'`)
  }
}

async function oneValue(connection: MysqlConnection, sql: string): Promise<string> {
  const [row] = await connection.rows(sql)
  return row?.['v'] ?? ''
}
