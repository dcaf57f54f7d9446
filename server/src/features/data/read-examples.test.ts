/** Example values of columns, with exactly the rights of the person who asks. */
import { connectors } from '@tributary/contract/connectors'
import { data, type ColumnExamples } from '@tributary/contract/data'
import { dictionary } from '@tributary/contract/dictionary'
import type { FaultReply } from '@tributary/contract/faults'
import { type DataFixture, openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { openClosableProxy } from '@tributary/testing/server/processes/closable-proxy.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let there: DataFixture
let shop: string
let stock: string
beforeAll(async () => {
  there = await openDataFixture()
  const { app } = there
  const { body } = await app.as.admin.call(connectors.list, { params: { clientId: app.harbour.id } })
  const idOf = (name: string) => body.find(({ Name }) => Name === name)?.Id ?? ''
  shop = idOf('Shop')
  stock = idOf('Stock')
  await runAs(
    await writerOf(app),
    `CREATE TABLE shop.odd (id int, "API key" text, "accessToken" text, pin_code text, shipping text, picture bytea, doc jsonb, nothing text, "quoted "" name" text, at timestamptz);
     INSERT INTO shop.odd SELECT n, 'key-' || n, 'token-' || n, '1234', 'by sea', '\\x00', '{"a": 1}', CASE n WHEN 1 THEN '' END, repeat('ü', 30 + n % 20), '2026-01-02 03:04:05+13' FROM generate_series(1, 20) AS n;
     INSERT INTO shop.tributary_table VALUES ('odd', '${shop}', 'odd', 'odd');
     CREATE TABLE shop.late AS SELECT n, CASE WHEN n > 300 THEN 'late' END AS word FROM generate_series(1, 301) AS n;
     CREATE VIEW shop.slow AS SELECT pg_sleep(60)::text AS word`,
  )
  await applyChanges(app)
})
afterAll(() => there[Symbol.asyncDispose]())

type Reader = 'admin' | 'user' | 'guest' | 'otherAdmin'

async function read(as: Reader, table: string, schema = 'shop', connector?: string) {
  const query = connector === undefined ? {} : { connector }
  return there.app.as[as].call(data.examples, { params: there.params(table, schema), query })
}

async function examplesOf(as: Reader, table: string, schema?: string): Promise<Record<string, ColumnExamples>> {
  const { status, body } = await read(as, table, schema)
  expect(status).toBe(200)
  return Object.fromEntries(body.map((column) => [column.Name, column]))
}

test('[SEE-6] a column has up to three different values that are not empty', async () => {
  const { number, paid, issued } = await examplesOf('admin', 'invoice')
  expect(number).toEqual({
    Name: 'number',
    Examples: [expect.any(String), expect.any(String), expect.any(String)],
    Gap: null,
  })
  expect(new Set(number?.Examples).size).toBe(3)
  expect(paid?.Examples.toSorted()).toEqual(['false', 'true'])
  expect(issued?.Examples[0]).toMatch(/^2026-\d\d-\d\d$/u)
})

test('[SEE-6] long values are cut, and columns of secrets, binary data and documents have none, with the reason', async () => {
  const columns = await examplesOf('admin', 'odd')
  const gaps = Object.values(columns).map(({ Name, Examples, Gap }) => [Name, Examples.length, Gap])
  expect(gaps).toEqual([
    ['id', 3, null],
    ['API key', 0, 'secret'],
    ['accessToken', 0, 'secret'],
    ['pin_code', 0, 'secret'],
    ['shipping', 1, null],
    ['picture', 0, 'binary'],
    ['doc', 0, 'document'],
    ['nothing', 0, 'empty'],
    ['quoted " name', 3, null],
    ['at', 1, null],
  ])
  expect(columns['at']?.Examples).toEqual(['2026-01-01 14:04:05+00'])
  for (const value of columns['quoted " name']?.Examples ?? []) expect([...value].length).toBeLessThanOrEqual(40)
})

test('[SEE-6] only the first rows are read, and a table that answers too slowly says so', async () => {
  expect((await examplesOf('admin', 'late'))['word']).toEqual({ Name: 'word', Examples: [], Gap: 'empty' })
  const { status, body } = await read('admin', 'slow')
  expect([status, (body as unknown as FaultReply).code]).toEqual([422, 'queryTooLong'])
  expect((body as unknown as FaultReply).message).toContain('after 5 seconds')
})

test('[SEE-6] a person who reads some rows has examples of those only', async () => {
  const budget = (as: Reader) => examplesOf(as, 'B2SBudget2026', 'excel')
  expect((await budget('admin'))['Entity']?.Examples.toSorted()).toEqual(['One', 'Two'])
  expect((await budget('user'))['Entity']?.Examples).toEqual(['One'])
  expect((await budget('user'))['Amount']?.Examples).toHaveLength(1)
})

test('[SEE-6] who may not read a table has no examples of it: guests, people and other organisations', async () => {
  expect((await examplesOf('guest', 'invoice'))['number']?.Examples).toHaveLength(3)
  for (const [as, table, schema] of [
    ['guest', 'movement', 'stock'],
    ['guest', 'B2SBudget2026', 'excel'],
    ['user', 'invoice', 'shop'],
    ['otherAdmin', 'invoice', 'shop'],
    ['admin', 'no such table', 'shop'],
  ] as const) {
    const { status, body } = await read(as, table, schema)
    expect([as, table, status, JSON.stringify(body)]).toEqual([as, table, 404, expect.not.stringContaining('INV-')])
  }
  const elsewhere = { params: { ...there.params(), clientId: there.app.summit.id }, query: {} }
  expect(await there.app.as.otherAdmin.call(data.examples, elsewhere)).toMatchObject({ status: 404 })
})

test('[SEE-6] a table of the same name that another connector moves has no examples for this one', async () => {
  expect((await read('admin', 'invoice', 'shop', shop)).status).toBe(200)
  expect((await read('admin', 'invoice', 'shop', stock)).status).toBe(404)
  expect((await read('admin', 'B2SBudget2026', 'excel', shop)).status).toBe(404)
  expect((await read('admin', 'late', 'shop', shop)).status).toBe(404)
})

test('[SEE-6] without the warehouse the examples fail with the reason, and the description is still there', async () => {
  const { services } = there.app
  const { warehouse } = services
  const proxy = await openClosableProxy({ host: warehouse.host, port: warehouse.port })
  const admin = { ...warehouse.admin, host: '127.0.0.1', port: proxy.port }
  Object.assign(services, { warehouse: { ...warehouse, admin } })
  expect((await read('admin', 'invoice', 'shop', shop)).status).toBe(200)
  proxy.close()
  for (const connector of [undefined, shop]) {
    const { status, body } = await read('admin', 'invoice', 'shop', connector)
    expect([status, (body as unknown as FaultReply).code]).toEqual([503, 'warehouseUnreachable'])
  }
  const described = { params: { clientId: there.app.harbour.id, connectorId: shop }, query: { table: 'invoice' } }
  expect(await there.app.as.admin.call(dictionary.read, described)).toMatchObject({
    status: 200,
    body: { Description: 'What customers were charged' },
  })
  Object.assign(services, { warehouse })
  expect((await read('admin', 'invoice')).status).toBe(200)
})
