/** A pooled PostgreSQL connection as a session of a target. */
import type pg from 'pg'
import type { SqlDialect } from '../../sql-target/dialect.ts'
import { type SqlValue, type TargetSession, type TextRow, replaceParameters } from '../../sql-target/sessions.ts'
import type { ExistingColumn } from '../../sql-target/table-layout.ts'
import type { PooledSession, SessionPool } from '../session-pool.ts'

export type PostgresDialect = SqlDialect<PostgresSession, PostgresColumn>

export interface PostgresColumn extends ExistingColumn {
  readonly notNull: boolean
  /** Position in the primary key. */
  readonly keyAt: number | null
}

export interface PostgresSession extends TargetSession {
  readonly client: pg.Client
}

/** The driver's types know the overloads for bytes, too, which text never takes. */
const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

export function postgresSession(
  { client, release, destroy }: PooledSession,
  { explain }: SessionPool,
): PostgresSession {
  const query = (sql: string, values: readonly SqlValue[] = []): Promise<pg.QueryArrayResult<(string | null)[]>> =>
    client.query<(string | null)[]>({
      text: replaceParameters(sql, values, (_, at) => `$${at + 1}`),
      values: [...values],
      rowMode: 'array',
      types: asText,
    })
  return {
    client,
    release,
    destroy,
    explain,
    rows: async (sql, values): Promise<readonly TextRow[]> => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
  }
}
