/** Positions in the changes of a table, by the method that the table allows. */
import { stampFrom } from '../../sql-source/change-stamp.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import type { SqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { literal } from '../quoting.ts'
import { objectName, type SqlServerTablePlan } from './discover.ts'

/** Every change before it is visible to this read; taken before its snapshot. `oldest` is the earliest position that the server remembers. */
export interface ChangePosition {
  readonly checkpoint: Checkpoint
  readonly oldest: string | null
}

export async function takeChangePosition(
  plan: SqlServerTablePlan,
  connection: SqlConnection,
): Promise<ChangePosition | null> {
  const { method } = plan
  switch (method.kind) {
    case 'tracking': {
      const [row] = await connection.rows(
        `SELECT CONVERT(varchar(20), CHANGE_TRACKING_CURRENT_VERSION()), CONVERT(varchar(20), CHANGE_TRACKING_MIN_VALID_VERSION(OBJECT_ID(${objectName(plan)})))`,
      )
      const database = await databaseOf(connection)
      return { checkpoint: { method: 'tracking', version: text(row?.[0]), database }, oldest: text(row?.[1]) }
    }
    case 'rowversion':
      return await positionOf(connection, method, 'CONVERT(varchar(18), MIN_ACTIVE_ROWVERSION(), 1)')
    case 'cursor':
      return await positionOf(connection, method, boundSql(method.sqlType))
    case 'whole':
      return null
  }
}

/** @param bound expression up to which the change column is read */
async function positionOf(
  connection: SqlConnection,
  { kind, column }: { readonly kind: string; readonly column: string },
  bound: string,
) {
  const [row] = await connection.rows(`SELECT ${bound}`)
  return {
    checkpoint: { method: kind, column, from: text(row?.[0]), database: await databaseOf(connection) },
    oldest: null,
  }
}

/** Rows with a later rowversion than the last one after a read were not seen by it. */
export async function withLastRowversion(
  { method }: SqlServerTablePlan,
  connection: SqlConnection,
  checkpoint: Checkpoint,
): Promise<Checkpoint> {
  if (method.kind !== 'rowversion') return checkpoint
  const [row] = await connection.rows('SELECT CONVERT(varchar(18), @@DBTS, 1)')
  return { ...checkpoint, last: text(row?.[0]) }
}

/** A restored database restarts its version numbers and holds former rows again. */
async function databaseOf(connection: SqlConnection): Promise<string> {
  const [made] = await connection.rows(
    'SELECT CONVERT(varchar(33), create_date, 126) FROM sys.databases WHERE database_id = DB_ID()',
  )
  return `${await forkOf(connection)} ${text(made?.[0])}`
}

/** Empty on Azure SQL Database, which has no such view: there a restored database is a new one. */
async function forkOf(connection: SqlConnection): Promise<string> {
  try {
    const [row] = await connection.rows(
      'SELECT CONVERT(varchar(36), recovery_fork_guid) FROM sys.database_recovery_status WHERE database_id = DB_ID()',
    )
    return text(row?.[0])
  } catch (error) {
    if (![noSuchObject, ...rightMissing].includes(errorNumber(error) ?? 0)) throw error
    return ''
  }
}

/**
 * Programs write such a column by their own clock, before they commit: five minutes back. Without a time zone one hour more, because wall
 * clocks repeat an hour in autumn.
 */
function boundSql(sqlType: string): string {
  if (sqlType === 'datetimeoffset') return `CONVERT(varchar(33), DATEADD(minute, -5, SYSDATETIMEOFFSET()), 121)`
  return `CONVERT(varchar(23), DATEADD(minute, -65, CASE WHEN SYSDATETIME() < SYSUTCDATETIME() THEN SYSDATETIME() ELSE SYSUTCDATETIME() END), 121)`
}

/** A checkpoint of another method, column or database is not valid; nor is one older than the server remembers. */
export function isUsable(since: Checkpoint | null, moment: ChangePosition | null): boolean {
  if (since === null || moment === null) return false
  const isSame = ['method', 'column', 'database'].every((name) => since[name] === moment.checkpoint[name])
  if (!isSame || since['method'] !== 'tracking') return isSame
  return moment.oldest !== null && moment.oldest !== '' && BigInt(text(since['version'])) >= BigInt(moment.oldest)
}

/**
 * The checkpoint from which to read everything changed since a time. Null where the database does not know: a rowversion has no time, and
 * times of tracked changes expire and need a right.
 */
export async function checkpointAt(
  { method }: SqlServerTablePlan,
  connection: SqlConnection,
  moment: Date,
): Promise<Checkpoint | null> {
  if (method.kind === 'cursor') {
    const isInstant = method.sqlType === 'datetimeoffset'
    const from = stampFrom(moment, isInstant ? 'instant' : 'wallClock')
    if (from === null) return null
    return {
      method: 'cursor',
      column: method.column,
      from: isInstant ? `${from} +00:00` : from,
      database: await databaseOf(connection),
    }
  }
  // The time zone of commit times is not documented.
  const before = stampFrom(moment, 'wallClock')
  if (method.kind !== 'tracking' || before === null) return null
  const tracked = await trackedUntil(connection, before)
  return tracked === null ? null : { method: 'tracking', ...tracked }
}

/** The last version committed before a time; null where the server remembers none, or the user lacks the right. */
async function trackedUntil(
  connection: SqlConnection,
  before: string,
): Promise<{ version: string; database: string } | null> {
  const sql = `SELECT CONVERT(varchar(20), MAX(commit_ts)) FROM sys.dm_tran_commit_table WHERE commit_time < CONVERT(datetime, ${literal(before)}, 121)`
  try {
    const [row] = await connection.rows(sql)
    const version = text(row?.[0])
    return version === '' ? null : { version, database: await databaseOf(connection) }
  } catch (error) {
    if (rightMissing.includes(errorNumber(error) ?? 0)) return null
    throw error
  }
}

/** VIEW DATABASE STATE, under one of its names. */
const rightMissing: readonly number[] = [229, 297, 300]
const noSuchObject = 208

/** A value as text; empty for null. */
export function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
