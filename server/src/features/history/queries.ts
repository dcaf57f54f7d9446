/** What the store knows about the histories of a connector. */
import type { TableHistory, TableSize } from '@tributary/engine/ports/history'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export function listStreamHistories(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorStream')
    .select(['name as stream', 'tableName as table', 'rows', 'keepsHistory'])
    .select(({ ref }) => [
      ref('histories').$castTo<readonly TableHistory[]>().as('histories'),
      ref('sizes').$castTo<readonly TableSize[]>().as('sizes'),
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
}

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
