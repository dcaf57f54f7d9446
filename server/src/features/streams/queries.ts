/** A connector's streams as the store knows them. */
import type { RenamedColumn } from '@tributary/engine/ports/target'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export function listStreams(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorStream')
    .select(['name', 'tableName as table', 'licence', 'reads', 'why', 'rows', 'freshAt as freshAtUtc', 'fault'])
    .select(({ ref }) => ref('renamed').$castTo<readonly RenamedColumn[]>().as('renamed'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
}
