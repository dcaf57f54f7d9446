/** What the store knows about the histories of a connector. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Whether closed periods of the connector are watched, for which the tables of its ledger keep history. */
export async function watchesClosedPeriods(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<boolean> {
  const row = await db
    .selectFrom('closedPeriod')
    .select('isOn')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirst()
  return row?.isOn ?? false
}

export async function findConnectorType(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<string> {
  const { type } = await db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
  return type
}
