import { expect, inject, test } from 'vitest'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { expectDescriptions } from '@tributary/testing/conformance/source/comment-suite.ts'
import { makeDatabase } from '@tributary/testing/engine/databases/postgres.ts'
import { postgresSource } from './source.ts'

async function open(statements: string, tables: readonly string[] = []) {
  const client = await makeDatabase()
  await client.query(statements)
  const server = inject('postgres')
  const properties = {
    'source.connectionString': { ...server, port: String(server.port), database: client.database, sslmode: 'disable' },
  }
  await client.end()
  return await postgresSource.open({ ...postgresSource.parse(properties), tables: [...tables] }, connectionContext())
}

const shop = `CREATE SCHEMA sales; CREATE TABLE sales.customer (id integer PRIMARY KEY, name text);
  COMMENT ON TABLE sales.customer IS E'People & firms that "buy"; one''s row\\nand <b>more</b>';
  COMMENT ON COLUMN sales.customer.name IS '${'x'.repeat(65_536)}';
  CREATE TABLE sales.invoice (id integer PRIMARY KEY, customer_id integer REFERENCES sales.customer);`

test('[SEE-6] comments of PostgreSQL are descriptions, and foreign keys are relations', async () => {
  await using source = await open(shop)
  await expectDescriptions(source, { customer: 'sales.customer', invoice: 'sales.invoice' })
})

test('[SEE-6] a foreign key to a table that is not moved is no relation', async () => {
  await using source = await open(shop, ['sales.invoice'])
  expect((await source.streams())[0]?.table.references).toEqual([])
})
