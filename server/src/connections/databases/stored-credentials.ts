/** Database credentials at rest: those of the organisation, and those of single accounting products. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { sql } from 'kysely'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

/** The owner of a database: the organisation, or one of its products, identified by its connector. */
export interface CredentialsOwner {
  readonly organisationId: string
  readonly connectorId?: string | undefined
}

export function findCredentials(db: Db, owner: CredentialsOwner) {
  return selectCredentials(db, owner)
    .leftJoin('portalUser', 'portalUser.id', 'credential.savedBy')
    .select(['kind', 'host', 'databaseName', 'schemaName', 'userName', 'encryption', 'password', 'savedBy', 'savedAt'])
    .select(['portalUser.firstName', 'portalUser.lastName'])
    .executeTakeFirst()
}
export type CredentialsRow = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

/** In plain text; undefined if none are stored. The password is empty after `forgetPassword`. */
export async function decryptCredentials(
  db: Db,
  secrets: Secrets,
  owner: CredentialsOwner,
): Promise<TableSyncCredentials | undefined> {
  const row = await findCredentials(db, owner)
  if (row === undefined) return undefined
  return {
    connector: row.kind,
    host: row.host,
    database: row.databaseName,
    schema: row.schemaName,
    user: row.userName,
    password: row.password === '' ? '' : await secrets.decrypt(db, passwordLocation(owner), row.password),
    encryption: row.encryption,
  }
}

interface CredentialsChange {
  readonly owner: CredentialsOwner
  readonly savedBy: string | null
}

/** Stores the credentials, or deletes them for null. */
export async function storeCredentials(
  db: Db,
  secrets: Secrets,
  { owner, savedBy }: CredentialsChange,
  credentials: TableSyncCredentials | null,
): Promise<void> {
  const { organisationId, connectorId } = owner
  if (credentials === null) return deleteCredentials(db, owner)
  const { connector: kind, host, database: databaseName, schema: schemaName, user: userName, encryption } = credentials
  const password = await secrets.encrypt(db, passwordLocation(owner), credentials.password)
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

export async function deleteCredentials(db: Db, { organisationId, connectorId }: CredentialsOwner): Promise<void> {
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
 * Deletes the password of a product that was disconnected. The address stays, so that a reconnected product does not
 * write to another database. Until the password is entered again, its runs fail with a notice.
 */
export async function forgetPassword(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<void> {
  await db
    .updateTable('productCredential')
    .set({ password: '' })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

/** Both tables have the same columns. */
function selectCredentials(db: Db, { organisationId, connectorId }: CredentialsOwner) {
  const table = connectorId === undefined ? 'databaseCredential' : 'productCredential'
  return db
    .selectFrom(`${table as 'databaseCredential'} as credential`)
    .where('credential.organisationId', '=', organisationId)
    .$if(connectorId !== undefined, (query) => query.where(sql<boolean>`credential.connectorId = ${connectorId}`))
}

function passwordLocation({ organisationId, connectorId }: CredentialsOwner) {
  const table = connectorId === undefined ? 'database_credential' : 'product_credential'
  return { organisationId, table, column: 'password', row: connectorId ?? organisationId }
}
