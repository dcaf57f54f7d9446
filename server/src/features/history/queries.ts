/** What the store knows about the histories of a connector. */
import type { TableHistory } from '@tributary/engine/ports/history'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export function listStreamHistories(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorStream')
    .select(['name as stream', 'tableName as table', 'rows', 'keepsHistory'])
    .select(({ ref }) => ref('histories').$castTo<readonly TableHistory[]>().as('histories'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
}
