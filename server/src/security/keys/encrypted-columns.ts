/** Every column that holds what was sealed, so that keys can be counted and replaced. Nothing is sealed for a column that is missing here. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The column that tells the row of its place; it names one row. */
  readonly row: string
  /** Whether its rows belong to organisations; else they are the platform's. */
  readonly ofOrganisation: boolean
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'database_credential', column: 'password', row: 'organisation_id', ofOrganisation: true },
  { table: 'product_credential', column: 'password', row: 'connector_id', ofOrganisation: true },
  { table: 'connector', column: 'webhook_secret', row: 'id', ofOrganisation: true },
  { table: 'warehouse', column: 'writer_secret', row: 'organisation_id', ofOrganisation: true },
  { table: 'oauth_app', column: 'client_secret', row: 'id', ofOrganisation: true },
  { table: 'authorisation', column: 'pkce_verifier', row: 'id', ofOrganisation: true },
  { table: 'oauth_grant', column: 'access_token', row: 'id', ofOrganisation: false },
  { table: 'oauth_grant', column: 'refresh_token', row: 'id', ofOrganisation: false },
  { table: 'totp', column: 'secret', row: 'user_id', ofOrganisation: false },
  { table: 'totp', column: 'pending_secret', row: 'user_id', ofOrganisation: false },
  { table: 'mail', column: 'body', row: 'id', ofOrganisation: false },
]

/** Beside those above: JSON in which any value may be a sealed one. */
const sealedJson = { table: 'connector_property', column: 'value' } as const

export function isSealedColumn({ table, column }: Pick<SealedColumn, 'table' | 'column'>): boolean {
  return [...sealedColumns, sealedJson].some((one) => one.table === table && one.column === column)
}

/** How many sealed values there are by the id of their data key; `db` sees all organisations. */
export async function countSealed(db: Db): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, column } of [...sealedColumns, sealedJson]) {
    const { rows } = await sql<{ key: string; count: number }>`
      select found[1] as key, count(*) as count
      from ${sql.table(table)}, regexp_matches(${sql.ref(column)}::text, ${String.raw`\mtrb1\.([0-9a-f-]{36})\.`}, 'g') as found
      group by 1`.execute(db)
    for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return counts
}
