/** Credentials of databases at rest: the organisation's own, and those of single accounting products. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { sql } from 'kysely'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Whose database it is: the organisation's, or that of one of its products, which is known by its connector. */
export interface CredentialsOf {
  readonly organisationId: string
  readonly connectorId?: string | undefined
}

export function findCredentials(db: Db, of: CredentialsOf) {
  return stored(db, of)
    .leftJoin('portalUser', 'portalUser.id', 'credential.savedBy')
    .select(['kind', 'host', 'databaseName', 'schemaName', 'userName', 'encryption', 'password', 'savedBy', 'savedAt'])
    .select(['portalUser.firstName', 'portalUser.lastName'])
    .executeTakeFirst()
}
export type CredentialsRow = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

/** In clear; undefined where there are none. The password is empty once it has been forgotten. */
export async function decryptCredentials(
  db: Db,
  secrets: Secrets,
  of: CredentialsOf,
): Promise<TableSyncCredentials | undefined> {
  const row = await findCredentials(db, of)
  if (row === undefined) return undefined
  return {
    connector: row.kind,
    host: row.host,
    database: row.databaseName,
    schema: row.schemaName,
    user: row.userName,
    password: row.password === '' ? '' : await secrets.decrypt(db, passwordLocation(of), row.password),
    encryption: row.encryption,
  }
}

interface CredentialsChange {
  readonly of: CredentialsOf
  readonly savedBy: string | null
}

/** Null forgets them. */
export async function storeCredentials(
  db: Db,
  secrets: Secrets,
  { of, savedBy }: CredentialsChange,
  credentials: TableSyncCredentials | null,
): Promise<void> {
  const { organisationId, connectorId } = of
  if (credentials === null) return deleteCredentials(db, of)
  const { connector: kind, host, database: databaseName, schema: schemaName, user: userName, encryption } = credentials
  const password = await secrets.encrypt(db, passwordLocation(of), credentials.password)
  const row = {
    kind,
    host,
    databaseName,
    schemaName,
    userName,
    encryption,
    password,
    savedBy,
    savedAt: sql<string>`now()`,
  }
  if (connectorId === undefined) {
    await db
      .insertInto('databaseCredential')
      .values({ organisationId, ...row })
      .onConflict((conflict) => conflict.column('organisationId').doUpdateSet(row))
      .execute()
  } else {
    await db
      .insertInto('productCredential')
      .values({ organisationId, connectorId, ...row })
      .onConflict((conflict) => conflict.column('connectorId').doUpdateSet(row))
      .execute()
  }
}

export async function deleteCredentials(db: Db, { organisationId, connectorId }: CredentialsOf): Promise<void> {
  if (connectorId === undefined)
    await db.deleteFrom('databaseCredential').where('organisationId', '=', organisationId).execute()
  else
    await db
      .deleteFrom('productCredential')
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .execute()
}

/**
 * Of a product that is connected no more: the secret goes. Where its tables are stays known, so that its rows do not begin to
 * go elsewhere once it is connected again; until somebody enters the password, its runs say so.
 */
export async function forgetPassword(db: Db, organisationId: string, connectorId: string): Promise<void> {
  await db
    .updateTable('productCredential')
    .set({ password: '' })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

/** Both tables have the columns that are asked for. */
function stored(db: Db, { organisationId, connectorId }: CredentialsOf) {
  const table = connectorId === undefined ? 'databaseCredential' : 'productCredential'
  return db
    .selectFrom(`${table as 'databaseCredential'} as credential`)
    .where('credential.organisationId', '=', organisationId)
    .$if(connectorId !== undefined, (query) => query.where(sql<boolean>`credential.connectorId = ${connectorId}`))
}

function passwordLocation({ organisationId, connectorId }: CredentialsOf) {
  const table = connectorId === undefined ? 'database_credential' : 'product_credential'
  return { organisationId, table, column: 'password', row: connectorId ?? organisationId }
}
