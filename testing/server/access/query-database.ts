/** A database with tables for queries, and the login that owns them. */
import { Client } from 'pg'
import { readTableModels } from '../../../server/src/access/query/read-table-models.ts'
import type { TableModel } from '../../../server/src/access/query/table-model.ts'
import { createEmptyDatabase } from '../app/test-database.ts'

export interface QueryDatabase extends AsyncDisposable {
  readonly client: Client
  /** Another connection to the database. */
  connect(): Promise<Client>
  table(name: string): Promise<TableModel>
}

export async function openQueryDatabase(statements: string): Promise<QueryDatabase> {
  const connection = await createEmptyDatabase()
  const open: Client[] = []
  const connect = async () => {
    const client = new Client(connection)
    client.on('error', () => undefined)
    await client.connect()
    open.push(client)
    return client
  }
  const client = await connect()
  await client.query(statements)
  return {
    client,
    connect,
    async table(name) {
      const found = (await readTableModels(client)).find((table) => table.name === name)
      if (found === undefined) throw new Error(`There is no table ${name}.`)
      return found
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((one) => one.end().catch(() => undefined)))
    },
  }
}
