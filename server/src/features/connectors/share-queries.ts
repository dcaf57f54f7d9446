/** Queries about connectors that are shared with other organisations. */
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { updateConnector } from '../../connections/connectors/connector-queries.ts'

/** Across organisations: the given ids that exist and are not archived. */
export async function filterActiveOrganisations(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('organisation')
    .select('id')
    .where('id', 'in', [...ids])
    .where('archivedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Across organisations: those that the connector is shared with, by name. */
export function listGuests(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.guestId')
    .select(['organisation.id', 'organisation.companyName'])
    .where('connectorShare.organisationId', '=', organisationId)
    .where('connectorShare.connectorId', '=', connectorId)
    .orderBy('organisation.companyName')
    .execute()
}

export async function replaceGuests(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  guestIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('connectorShare')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  if (guestIds.length === 0) return
  const rows = guestIds.map((guestId) => ({ organisationId, connectorId, guestId }))
  await db.insertInto('connectorShare').values(rows).execute()
}

/** Stops sharing the connector and deletes its webhook with its secret. */
export async function removeSharesAndWebhook(db: Db, connector: ConnectorLocation): Promise<void> {
  await replaceGuests(db, connector, [])
  await updateConnector(db, connector, { webhookUrl: null, webhookSecret: null })
}
