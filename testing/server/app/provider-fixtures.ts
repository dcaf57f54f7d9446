/** Records of the provider, which belong to no organisation. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { insertToken } from '../connectors/accounting-fixtures.ts'

export interface ProviderFixtures {
  /** A token of an accounting source. */
  readonly tokenId: string
  /** A description of the workbench. */
  readonly descriptionId: string
  /** A server for warehouses at which nothing answers. */
  readonly serverId: string
}

export async function insertProviderRecords(db: Db): Promise<ProviderFixtures> {
  const values = { name: `Orchard ${randomUUID()}`, text: 'engine: rest', changedBy: null }
  const { id } = await db.insertInto('workbenchDescription').values(values).returning('id').executeTakeFirstOrThrow()
  return { tokenId: await insertToken(db), descriptionId: id, serverId: await insertServer(db) }
}

async function insertServer(db: Db): Promise<string> {
  const address = { host: '127.0.0.1', port: 1, databaseName: 'postgres', userName: 'warehouses', password: 'sealed' }
  const { id } = await db
    .insertInto('warehouseServer')
    .values({ name: `West ${randomUUID()}`, acceptsNew: false, ...address })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
