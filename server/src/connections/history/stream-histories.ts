/** What the last runs have kept as history, by stream. */
import type { TableHistory, TableSize } from '@tributary/engine/ports/history'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

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
