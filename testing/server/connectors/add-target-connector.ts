/** Adds a connector that loads a database of the organisation instead of the warehouse. */
import { connectors } from '@tributary/contract/connectors'
import type { TestApp } from '../app/test-app.ts'
import { sourceDatabase } from './source-database.ts'

/** Returns its id. */
export async function addTargetConnector(app: TestApp, name: string, target: object, schema: string): Promise<string> {
  const source = await sourceDatabase('SELECT 1')
  const { status, body } = await app.as.admin.call(connectors.create, {
    params: { clientId: app.harbour.id },
    body: {
      type: 'postgres',
      name,
      properties: [
        { name: 'source.connectionString', value: source.settings },
        { name: 'target.connectionString', value: target },
        { name: 'target.schema', value: schema },
      ],
    },
  })
  if (status !== 201) throw new Error(`The connector was not added: ${JSON.stringify(body)}`)
  return body.Id
}
