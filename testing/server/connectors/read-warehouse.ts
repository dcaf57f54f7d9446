/** Reads the warehouse of Harbour Trading like a report, with the reader's login. */
import { warehouse } from '@tributary/contract/warehouse'
import { type DatabaseEnd, readPostgres } from '../../engine/databases/database-ends.ts'
import { Client } from 'pg'
import type { TestApp } from '../app/test-app.ts'

/** @param schema the schema of one connector */
export async function withWarehouseReader<T>(
  app: TestApp,
  schema: string,
  work: (there: Pick<DatabaseEnd, 'read'>) => Promise<T>,
): Promise<T> {
  const { body } = await app.as.admin.call(warehouse.newPassword, { params: { clientId: app.harbour.id } })
  const reader = new Client({
    host: body.Host,
    port: body.Port,
    database: body.Database,
    user: body.User,
    password: body.Password ?? '',
  })
  await reader.connect()
  try {
    await reader.query(`SET TimeZone = 'UTC'`)
    return await work({ read: (table) => readPostgres(reader, schema, table) })
  } finally {
    await reader.end()
  }
}
