/** The explorer over HTTP, on real tables of a warehouse. */
import { assignments } from '@tributary/contract/assignments'
import { data } from '@tributary/contract/data'
import type { FaultReply } from '@tributary/contract/faults'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { adminOf, openDataFixture, type DataFixture, toFilters } from '@tributary/testing/server/access/data-fixture.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withStatementFaults } from './statement-faults.ts'
import { keepAccess } from '../../access/logins/keep-access.ts'

let there: DataFixture
beforeAll(async () => {
  there = await openDataFixture()
})
afterAll(() => there[Symbol.asyncDispose]())

type Reader = 'admin' | 'user' | 'guest'

async function list(as: Reader) {
  const { status, body } = await there.app.as[as].call(data.tables, { params: { clientId: there.app.harbour.id } })
  expect(status).toBe(200)
  return body
}

test('[SEE-3] tables are listed by source with rows, size, freshness and state', async () => {
  const sources = await list('admin')
  expect(sources.map(({ Kind, Name, State }) => [Kind, Name, State])).toEqual([
    ['connector', 'Shop', 'fresh'],
    ['connector', 'Stock', 'never'],
    ['versions', 'Versions', null],
    ['helperTables', 'Helper tables', null],
  ])
  const [, invoice, line, unpaid] = sources[0]?.Tables ?? []
  expect(invoice).toMatchObject({
    Schema: 'shop',
    Name: 'invoice',
    Kind: 'table',
    Description: 'What customers were charged',
    Rows: 250,
    IsEstimate: false,
    FreshAtUtc: '2026-11-20T06:00:00.000Z',
    Fault: null,
  })
  expect(invoice?.Bytes).toBeGreaterThan(8_192)
  expect(invoice?.Columns).toContainEqual({ Name: 'total', Description: 'With tax' })
  expect(line).toMatchObject({ Name: 'invoice_line', Fault: 'The source refused the table.' })
  expect(unpaid).toMatchObject({ Name: 'unpaid', Kind: 'view', Rows: null, Bytes: null })
  const budget = sources.find(({ Kind }) => Kind === 'versions')?.Tables[0]
  expect(budget).toMatchObject({ Schema: 'excel', Name: 'B2SBudget2026', Rows: 2, FreshAtUtc: expect.any(String) })
})

test('[SEE-3] a large table has an estimate, which says so', async () => {
  const stock = (await list('admin')).find(({ Name }) => Name === 'Stock')?.Tables[0]
  expect(stock).toMatchObject({ Name: 'movement', Rows: 60_000, IsEstimate: true })
})

test('[SEE-3] what a person may not read is not there, for each role', async () => {
  const names = async (as: Reader) => (await list(as)).flatMap(({ Tables }) => Tables.map(({ Name }) => Name))
  expect(await names('guest')).toEqual(['contact', 'invoice', 'invoice_line', 'unpaid'])
  const user = await list('user')
  expect(user.map(({ Kind }) => Kind)).toEqual(['versions', 'helperTables'])
  // Some rows of a version are the user’s: the size of the table would reveal how many others there are.
  expect(user[0]?.Tables).toMatchObject([{ Name: 'B2SBudget2026', Rows: 1, Bytes: null }])
  for (const [as, table, schema] of [
    ['guest', 'movement', 'stock'],
    ['guest', 'B2SBudget2026', 'excel'],
    ['user', 'invoice', 'shop'],
  ] as const)
    for (const route of [data.table, data.rows] as const) {
      const { status, body } = await there.app.as[as].call(route, { params: there.params(table, schema) })
      expect([status, (body as unknown as FaultReply).code]).toEqual([404, 'notFound'])
    }
})

test('[SEE-3] a person who may read nothing gets an empty list, and another organisation’s administrator nothing', async () => {
  const clientId = there.app.summit.id
  expect((await there.app.as.otherAdmin.call(data.tables, { params: { clientId } })).body).toEqual([])
  for (const route of [data.table, data.rows, data.profile] as const) {
    const asked = { params: { ...there.params(), clientId }, query: route === data.profile ? { column: 'id' } : {} }
    expect((await there.app.as.otherAdmin.call(route, asked)).status).toBe(404)
    const foreign = { ...asked, params: there.params() }
    expect((await there.app.as.otherAdmin.call(route, foreign)).status).toBe(404)
  }
})

test('[SEE-4] rows of version tables are those that the person’s rights allow, until the rights are lost', async () => {
  const { app } = there
  const at = { params: there.params('B2SBudget2026', 'excel') }
  const amounts = async (as: Reader) => {
    const { body } = await app.as[as].call(data.table, at)
    const column = body.Columns.findIndex(({ Name }) => Name === 'Amount')
    return (await app.as[as].call(data.rows, at)).body.Rows.map((row) => row[column]).toSorted()
  }
  expect(await amounts('user')).toEqual(['1'])
  expect(await amounts('admin')).toEqual(['1', '2'])
  await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: app.idOf('user') }, body: { ids: [] } })
  await keepAccess(app.services)
  expect((await app.as.user.call(data.rows, at)).status).toBe(404)
})

test('[SEE-4] a table has its columns with kind, key and index, and links along its relations', async () => {
  const { body } = await there.app.as.admin.call(data.table, { params: there.params() })
  expect(body.Source).toMatchObject({ Kind: 'connector', Name: 'Shop' })
  expect(body.CanPage).toBe(true)
  expect(body.Columns.map(({ Name, Kind, IsKey, IsIndexed }) => [Name, Kind, IsKey, IsIndexed])).toEqual([
    ['id', 'integer', true, true],
    ['number', 'text', false, false],
    ['total', 'decimal', false, true],
    ['paid', 'boolean', false, false],
    ['issued', 'date', false, false],
    ['changed', 'instant', false, false],
    ['doc', 'json', false, false],
  ])
  expect(body.Links).toEqual([
    { Schema: 'shop', Table: 'contact', Columns: ['id'], OtherColumns: ['last_invoice'], IsParent: false },
    { Schema: 'shop', Table: 'invoice_line', Columns: ['id'], OtherColumns: ['invoice_id'], IsParent: false },
  ])
  const line = await there.app.as.admin.call(data.table, { params: there.params('invoice_line') })
  expect(line.body.Links).toEqual([
    { Schema: 'shop', Table: 'invoice', Columns: ['invoice_id'], OtherColumns: ['id'], IsParent: true },
  ])
})

test('[SEE-4] a column is described in figures, exact where the table is small', async () => {
  const profile = async (column: string, of = there.params(), query = {}) =>
    (await there.app.as.admin.call(data.profile, { params: of, query: { column, ...query } })).body
  expect(await profile('total')).toEqual({
    SamplePercent: null,
    SampleRows: null,
    Rows: 250,
    Empty: 1,
    Distinct: 249,
    Least: '1.2500000000',
    Greatest: '12345678901234567890.1234567891',
    Frequent: expect.any(Array),
  })
  expect(await profile('paid')).toMatchObject({
    Distinct: 2,
    Least: null,
    Frequent: [
      { Value: 'false', Rows: 125 },
      { Value: 'true', Rows: 125 },
    ],
  })
  expect(await profile('number')).toMatchObject({ Empty: 2 })
  const some = toFilters({ column: 'id', operator: 'between', values: ['', '10'] })
  expect(await profile('changed', there.params(), { filters: some })).toMatchObject({
    Rows: 10,
    Least: '2026-02-01T00:00:00+00:00',
  })
})

test('[SEE-4] a large table is sampled, and the reply has the rate', async () => {
  await runAs(
    await writerOf(there.app),
    `CREATE TABLE shop.large AS SELECT n, n % 2 = 0 AS even FROM generate_series(1, 400000) AS n; ANALYZE shop.large`,
  )
  await applyChanges(there.app)
  const { body } = await there.app.as.admin.call(data.profile, {
    params: there.params('large'),
    query: { column: 'even' },
  })
  expect(body.SamplePercent).toBe(50)
  expect(body.Rows).toBeGreaterThan(0)
  expect(body.Rows).toBeLessThan(400_000)
  expect(body.Frequent.map(({ Value }) => Value).toSorted()).toEqual(['false', 'true'])
})

test('[SEE-4] a table that is dropped meanwhile is not found', async () => {
  await runAs(await writerOf(there.app), 'DROP TABLE IF EXISTS shop.large')
  expect((await there.app.as.admin.call(data.rows, { params: there.params('large') })).status).toBe(404)
})

test('[SEE-4] a query that its caller leaves ends on the server', async () => {
  const { app } = there
  const writer = await writerOf(app)
  await runAs(writer, 'CREATE VIEW shop.slow AS SELECT n, pg_sleep(n)::text AS slept FROM generate_series(30, 40) AS n')
  await applyChanges(app)
  const session = await app.as.admin.session()
  const left = new AbortController()
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const url = `${address}/api${data.rows.path.replace(':clientId', app.harbour.id).replace(':schema', 'shop').replace(':table', 'slow')}`
  const headers = { authorization: `Bearer ${session?.accessToken}` }
  const reply = fetch(url, { headers, signal: left.signal })
  const running = () =>
    runAs(
      adminOf(app),
      `SELECT pid FROM pg_stat_activity WHERE query LIKE '%slow%' AND usename LIKE '%\\_s\\_%' AND state = 'active'`,
    )
  const [statement] = await until(running, (rows) => rows.length > 0)
  expect(statement).toBeDefined()
  left.abort()
  await expect(reply).rejects.toThrow('aborted')
  expect(await until(running, (rows) => rows.length === 0)).toEqual([])
})

test('[SEE-4] a query that reaches its limit says which limit, and what to do', async () => {
  const client = new Client(adminOf(there.app))
  await client.connect()
  const { signal } = new AbortController()
  await client.query('SET statement_timeout = 50')
  await expect(withStatementFaults(signal, () => client.query('SELECT pg_sleep(60)'))).rejects.toThrow(
    'The query was stopped after 60 seconds, and nothing was changed. Filter for fewer rows',
  )
  await client.query(`SET statement_timeout = 0`)
  await expect(
    withStatementFaults(signal, () => client.query(`DO $$ BEGIN RAISE SQLSTATE '53400'; END $$`)),
  ).rejects.toThrow('needs more disk space than one query may use')
  await client.end()
})

test('[SEE-4] without the warehouse the reply is 503 with a time to try again', async () => {
  const { app } = there
  const away = { ...app.services.warehouse, admin: { ...app.services.warehouse.admin, port: 1 } }
  Object.assign(app.services, { warehouse: away })
  for (const route of [data.tables, data.rows] as const) {
    const { status, body, headers } = await app.as.admin.call(route, { params: there.params() })
    expect([status, (body as unknown as FaultReply).code, headers['retry-after']]).toEqual([
      503,
      'warehouseUnreachable',
      '5',
    ])
  }
})
