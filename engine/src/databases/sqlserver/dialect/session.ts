/** A SQL Server connection as a session of a target. */
import type { ConnectionContext } from '../../../ports/source.ts'
import type { SqlDialect } from '../../sql-target/dialect.ts'
import {
  closing,
  type SqlValue,
  type TargetSession,
  type TextRow,
  replaceParameters,
} from '../../sql-target/sessions.ts'
import { createMutex, type Mutex } from '../../sql-target/mutex.ts'
import type { ExistingColumn } from '../../sql-target/table-layout.ts'
import { connectSqlServer, type SqlConnection } from '../connection.ts'
import { literal } from '../quoting.ts'
import type { SqlServerReach } from '../settings.ts'
import type { ActualType } from '../types.ts'

export type SqlServerDialect = SqlDialect<SqlServerSession, SqlServerColumn>

export interface SqlServerColumn extends ExistingColumn {
  readonly stored: ActualType
}

export interface SqlServerSession extends TargetSession {
  readonly connection: SqlConnection
  /** A bulk load sends its last segment while the source fills the next, so statements take turns. */
  readonly mutex: Mutex
}

/** An error ends the whole transaction, statements report how many rows they changed, and dates are read the same in every language. */
const sessionSettings =
  'SET XACT_ABORT ON; SET NOCOUNT OFF; SET LOCK_TIMEOUT 60000; SET DATEFORMAT ymd; SET LANGUAGE us_english'

export async function openSession(reach: SqlServerReach, around: ConnectionContext): Promise<SqlServerSession> {
  const connection = await connectSqlServer(reach, around)
  await connection.run(sessionSettings)
  return {
    connection,
    mutex: createMutex(),
    rows: async (sql, values): Promise<readonly TextRow[]> =>
      (await connection.rows(withValues(sql, values))).map((row) => row.map(asText)),
    run: (sql, values) => connection.run(withValues(sql, values)),
    ...closing(connection),
  }
}

function withValues(sql: string, values: readonly SqlValue[] = []): string {
  return replaceParameters(sql, values, valueLiteral)
}

function valueLiteral(value: SqlValue): string {
  if (typeof value === 'number') return String(value)
  return value instanceof Date ? `CONVERT(datetime2(3), '${value.toISOString().slice(0, 23)}', 126)` : literal(value)
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** @param name quoted, with its schema */
export async function objectExists({ rows }: Pick<SqlServerSession, 'rows'>, name: string): Promise<boolean> {
  const [row] = await rows(`SELECT OBJECT_ID(${literal(name)})`)
  return (row?.[0] ?? null) !== null
}
