/** Queries of the licences granted to connectors. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export async function findConnectorType(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirst()
  return found?.type
}

export async function replaceLicences(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('connectorLicence')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  if (ids.length === 0) return
  const rows = ids.map((licence) => ({ organisationId, connectorId, licence }))
  await db.insertInto('connectorLicence').values(rows).execute()
}
