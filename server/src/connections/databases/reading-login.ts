/** The second login of a connector's target, which only reads. Administrators query the target under it. */
import type { ReadingLogin } from '@tributary/engine/ports/target-reader'
import { sql } from 'kysely'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

export interface StoredReadingLogin extends ReadingLogin {
  /** The address of the target for which it was entered. */
  readonly address: string
}

/** In plain text. Undefined if none is stored. */
export async function decryptReadingLogin(
  db: Db,
  secrets: Secrets,
  connector: ConnectorLocation,
): Promise<StoredReadingLogin | undefined> {
  const row = await db
    .selectFrom('readingLogin')
    .select(['userName', 'password', 'address'])
    .where('organisationId', '=', connector.organisationId)
    .where('connectorId', '=', connector.connectorId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const password = await secrets.decrypt(db, passwordLocation(connector), row.password)
  return { user: row.userName, password, address: row.address }
}

export async function storeReadingLogin(
  db: Db,
  secrets: Secrets,
  connector: ConnectorLocation,
  { user, password, address, savedBy }: StoredReadingLogin & { readonly savedBy: string },
): Promise<void> {
  const row = {
    userName: user,
    password: await secrets.encrypt(db, passwordLocation(connector), password),
    address,
    savedBy,
    savedAt: sql<string>`now()`,
  }
  const { organisationId, connectorId } = connector
  await db
    .insertInto('readingLogin')
    .values({ organisationId, connectorId, ...row })
    .onConflict((conflict) => conflict.column('connectorId').doUpdateSet(row))
    .execute()
}

/** Returns false if there was none. */
export async function deleteReadingLogin(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('readingLogin')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function passwordLocation({ organisationId, connectorId }: ConnectorLocation) {
  return { organisationId, table: 'reading_login', column: 'password', row: connectorId }
}
