/** All columns with encrypted values, so that keys can be counted and rotated. Other columns cannot be encrypted. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface EncryptedColumn {
  readonly table: string
  readonly column: string
  /** The column that identifies the row. */
  readonly row: string
  /** False: the rows belong to the platform. */
  readonly belongsToOrganisation: boolean
}

export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'database_credential', column: 'password', row: 'organisation_id', belongsToOrganisation: true },
  { table: 'product_credential', column: 'password', row: 'connector_id', belongsToOrganisation: true },
  { table: 'connector', column: 'webhook_secret', row: 'id', belongsToOrganisation: true },
  { table: 'alert_channel', column: 'address', row: 'id', belongsToOrganisation: true },
  { table: 'alert_channel', column: 'signing_secret', row: 'id', belongsToOrganisation: true },
  { table: 'publication_action', column: 'secret', row: 'id', belongsToOrganisation: true },
  { table: 'publication_action', column: 'signing_secret', row: 'id', belongsToOrganisation: true },
  { table: 'reading_login', column: 'password', row: 'connector_id', belongsToOrganisation: true },
  { table: 'warehouse', column: 'writer_secret', row: 'organisation_id', belongsToOrganisation: true },
  { table: 'warehouse_principal', column: 'portal_secret', row: 'id', belongsToOrganisation: true },
  { table: 'warehouse_principal', column: 'assistant_secret', row: 'id', belongsToOrganisation: true },
  { table: 'masking_secret', column: 'secret', row: 'organisation_id', belongsToOrganisation: true },
  { table: 'history_erasure_search', column: 'value', row: 'erasure_id', belongsToOrganisation: true },
  { table: 'oauth_app', column: 'client_secret', row: 'id', belongsToOrganisation: true },
  { table: 'authorisation', column: 'pkce_verifier', row: 'id', belongsToOrganisation: true },
  { table: 'oauth_grant', column: 'access_token', row: 'id', belongsToOrganisation: false },
  { table: 'oauth_grant', column: 'refresh_token', row: 'id', belongsToOrganisation: false },
  { table: 'warehouse_server', column: 'password', row: 'id', belongsToOrganisation: false },
  { table: 'totp', column: 'secret', row: 'user_id', belongsToOrganisation: false },
  { table: 'totp', column: 'pending_secret', row: 'user_id', belongsToOrganisation: false },
  { table: 'mail', column: 'body', row: 'id', belongsToOrganisation: false },
]

/** A JSON column in which any value may be encrypted. */
const encryptedJson = { table: 'connector_property', column: 'value' } as const

export function isEncryptedColumn({ table, column }: Pick<EncryptedColumn, 'table' | 'column'>): boolean {
  return [...encryptedColumns, encryptedJson].some((one) => one.table === table && one.column === column)
}

/** The number of encrypted values by the id of their data key. `db` must see all organisations. */
export async function countEncryptedValues(db: Db): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, column } of [...encryptedColumns, encryptedJson]) {
    const { rows } = await sql<{ key: string; count: number }>`
      select found[1] as key, count(*) as count
      from ${sql.table(table)}, regexp_matches(${sql.ref(column)}::text, ${String.raw`\mtrb1\.([0-9a-f-]{36})\.`}, 'g') as found
      group by 1`.execute(db)
    for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return counts
}
