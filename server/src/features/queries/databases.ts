/** The databases on which a person may run queries. */
import type { QueryDatabase } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import { warehouseId } from './database-ids.ts'
import { listOpenTargets } from './query-targets.ts'

export async function listQueryDatabases(
  db: Db,
  organisationId: string,
  secrets: Secrets,
  actor: Actor,
): Promise<Camel<QueryDatabase>[]> {
  const { mayRead } = await listReadableTables(db, organisationId, actor)
  const targets = await listOpenTargets(db, organisationId, secrets, actor)
  return [
    ...(mayRead ? [{ id: warehouseId, name: 'Warehouse', dialect: 'postgres' } as const] : []),
    ...targets.map(({ connectorId, name, dialect }) => ({ id: connectorId, name: `Target of ${name}`, dialect })),
  ]
}
