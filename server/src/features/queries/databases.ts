/** The databases on which a person may run queries. */
import type { QueryDatabase } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The id that stands for the warehouse; the others are ids of connectors. */
export const warehouseId = 'warehouse'

export async function listQueryDatabases(
  db: Db,
  organisationId: string,
  actor: Actor,
): Promise<Camel<QueryDatabase>[]> {
  const { mayRead } = await listReadableTables(db, organisationId, actor)
  return mayRead ? [{ id: warehouseId, name: 'Warehouse', dialect: 'postgres' }] : []
}
