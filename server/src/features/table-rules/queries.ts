/** The tables of a connector, as the latest run has seen them. */
import type { StoredTable } from '../../access/dictionary/stored-structure.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export function listKnownTables(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorStream')
    .select(['name as stream', 'tableName as table'])
    .select(({ ref }) => ref('structure').$castTo<readonly StoredTable[]>().as('structure'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
}
