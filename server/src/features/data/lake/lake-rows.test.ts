/** The explorer over HTTP on Iceberg tables in a folder, compared with the same rows in the warehouse. */
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectors } from '@tributary/contract/connectors'
import { data, type DataFilter, type DataRows } from '@tributary/contract/data'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { toFilters } from '@tributary/testing/server/access/data-fixture.ts'
import { applyChanges } from '@tributary/testing/server/access/warehouse-login.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { startWorker, type Worker } from '../../../worker.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let folder: string
let lakeId: string
let driver: RunDriver

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-lake-'))
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_LAKE_FOLDER: folder } })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  source = await sourceDatabase(`${sales};${entries}`)
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  lakeId = await driver.add('Lake', {}, [
    { name: 'target.connectionString', value: { connector: 'iceberg', uri: 'folder:' } },
    { name: 'target.schema', value: 'sales' },
  ])
  const warehouseId = await driver.add('Plain')
  await Promise.all([driver.runToEnd(lakeId), driver.runToEnd(warehouseId)])
  await applyChanges(app)
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const sales = `
  CREATE TABLE sale (id bigint PRIMARY KEY, code text, amount numeric(30,10), pieces int, share double precision, paid boolean NOT NULL,
    sold date, changed timestamptz, local timestamp, token uuid, seal bytea);
  INSERT INTO sale SELECT n, CASE n % 5 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'Code ' || lpad(n::text, 3, '0') END,
    CASE WHEN n % 7 > 0 THEN n * 1234567890123456.0000000001 - 100 END, n % 4, n / 3.0::float8, n % 2 = 0, date '2025-12-01' + n,
    timestamptz '2026-01-01T00:00:00.123456Z' + n * interval '7 hours', timestamp '2026-02-01 10:00' + n * interval '1 minute',
    ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, decode(lpad(to_hex(n), 4, '0'), 'hex') FROM generate_series(1, 250) AS n;
  INSERT INTO sale VALUES (9007199254740993, 'Last', 12345678901234567890.1234567891, 1, 'NaN', true, '2026-02-28', NULL, NULL, NULL, NULL)`

/** More rows than a part of a file has, and than are sorted for one. */
const entryRows = 210_000
const entries = `
  CREATE TABLE entry (id bigint PRIMARY KEY, amount numeric(18,2));
  INSERT INTO entry SELECT n, (n * 7919 % 100003) / 100.0 FROM generate_series(1, ${entryRows}) AS n`

const schemaOf = () => `iceberg:${lakeId}`
const params = (schema: string, table = 'sale') => ({ clientId: app.harbour.id, schema, table })
const plainSchema = async () => (await tables()).find(({ Name }) => Name === 'Plain')?.Tables[0]?.Schema ?? ''

async function tables(as: 'admin' | 'user' | 'guest' = 'admin') {
  const { status, body } = await app.as[as].call(data.tables, { params: { clientId: app.harbour.id } })
  expect(status).toBe(200)
  return body
}

interface Wanted {
  readonly filters?: readonly DataFilter[]
  readonly sort?: string
  readonly descending?: 'true'
}

/** All rows page by page forwards, after which the first page is read backwards from the last one. */
async function readAll(schema: string, { filters, ...order }: Wanted): Promise<DataRows['Rows']> {
  const query = { ...order, ...(filters !== undefined && { filters: toFilters(...filters) }) }
  const rows: DataRows['Rows'] = []
  const read = async (at: object) => {
    const { status, body } = await app.as.admin.call(data.rows, { params: params(schema), query: { ...query, ...at } })
    expect([status, body]).toMatchObject([200, {}])
    return body
  }
  let page = await read({})
  let before: string | null = null
  rows.push(...page.Rows)
  while (page.HasMore && page.Last !== null) {
    page = await read({ after: page.Last })
    before = page.First
    rows.push(...page.Rows)
  }
  if (before !== null) {
    const back = await read({ before })
    const end = rows.length - page.Rows.length
    expect(back.Rows).toEqual(rows.slice(end - back.Rows.length, end))
  }
  return rows
}

test('[LAKE-5] the tables of a lake are listed with their connector, and one is described with rows and size', async () => {
  const listed = (await tables()).find(({ Name }) => Name === 'Lake')
  expect(listed).toMatchObject({ Kind: 'connector', ConnectorId: lakeId, Type: 'postgres' })
  expect(listed?.Tables.find(({ Name }) => Name === 'sale')).toMatchObject({
    Schema: schemaOf(),
    Name: 'sale',
    Lake: 'sales',
    Rows: 251,
    Bytes: null,
    History: null,
  })
  const { body } = await app.as.admin.call(data.table, { params: params(schemaOf()) })
  expect(body).toMatchObject({ Rows: 251, IsEstimate: false, CanPage: true, Lake: 'sales', Bytes: expect.any(Number) })
  expect(body.Columns.map(({ Name, Kind, IsKey }) => [Name, Kind, IsKey]).slice(0, 3)).toEqual([
    ['id', 'integer', true],
    ['code', 'text', false],
    ['amount', 'decimal', false],
  ])
})

const wanted: readonly Wanted[] = [
  {},
  { descending: 'true' },
  { sort: 'pieces', descending: 'true' },
  { sort: 'share', descending: 'true' },
  { sort: 'changed' },
  { filters: [{ column: 'code', operator: 'contains', values: ['ODE 0'] }] },
  { filters: [{ column: 'code', operator: 'startsWith', values: ['code 1'] }], sort: 'sold', descending: 'true' },
  { filters: [{ column: 'code', operator: 'empty' }] },
  { filters: [{ column: 'amount', operator: 'empty' }] },
  {
    filters: [
      { column: 'amount', operator: 'between', values: ['12345678901234560', '12345678901234567890.1234567891'] },
    ],
  },
  { filters: [{ column: 'id', operator: 'between', values: ['240.5', ''] }] },
  { filters: [{ column: 'pieces', operator: 'oneOf', values: ['1', '3.0'] }] },
  {
    filters: [
      { column: 'pieces', operator: 'noneOf', values: ['1'] },
      { column: 'paid', operator: 'oneOf', values: ['true'] },
    ],
  },
  { filters: [{ column: 'sold', operator: 'between', values: ['2026-01-05', '2026-01-20'] }] },
  { filters: [{ column: 'changed', operator: 'between', values: ['2026-01-05', '2026-01-20'] }] },
  { filters: [{ column: 'local', operator: 'between', values: ['2026-02-01', '2026-02-01'] }] },
  { filters: [{ column: 'token', operator: 'oneOf', values: ['00000000-0000-4000-8000-000000000007'] }] },
  { filters: [{ column: 'share', operator: 'between', values: ['', '10'] }] },
]

test('[LAKE-5] rows, filters, orders and pages of a lake are those that PostgreSQL has for the same rows', async () => {
  const plain = await plainSchema()
  for (const one of wanted) {
    const expected = await readAll(plain, one)
    expect([one, await readAll(schemaOf(), one)]).toEqual([one, expected])
  }
  const all = await readAll(schemaOf(), {})
  expect(all).toHaveLength(251)
  expect(all.at(-1)?.slice(0, 3)).toEqual(['9007199254740993', 'Last', '12345678901234567890.1234567891'])
})

async function figuresOf(schema: string, column: string, filters: readonly DataFilter[]) {
  const query = { column, ...(filters.length > 0 && { filters: toFilters(...filters) }) }
  const { status, body } = await app.as.admin.call(data.profile, { params: params(schema), query })
  expect([status, body]).toMatchObject([200, {}])
  return body
}

test('[LAKE-5] figures of every column are those that PostgreSQL has for the same rows, and of a large table those of a sample', async () => {
  const plain = await plainSchema()
  const { body } = await app.as.admin.call(data.table, { params: params(schemaOf()) })
  const filter: DataFilter = { column: 'pieces', operator: 'oneOf', values: ['1', '2'] }
  for (const { Name } of body.Columns)
    for (const filters of [[], [filter]])
      expect([Name, await figuresOf(schemaOf(), Name, filters)]).toEqual([Name, await figuresOf(plain, Name, filters)])
  const unknown = await app.as.admin.call(data.profile, { params: params(schemaOf()), query: { column: 'nothing' } })
  expect(unknown.status).toBe(400)
  const sampled = await app.as.admin.call(data.profile, {
    params: params(schemaOf(), 'entry'),
    query: { column: 'amount' },
  })
  expect(sampled.body).toMatchObject({ SamplePercent: 95, Empty: 0 })
  expect(sampled.body.Rows / entryRows).toBeCloseTo(0.95, 1)
})

type FileFormat = 'csv' | 'xlsx' | 'parquet'

async function fileOf(address: string, location: ReturnType<typeof params>, format: FileFormat, query: object) {
  const session = await app.as.admin.session()
  const path = data[format].path
    .replace(':clientId', location.clientId)
    .replace(':schema', encodeURIComponent(location.schema))
    .replace(':table', location.table)
  const response = await fetch(`${address}/api${path}?${new URLSearchParams({ ...query }).toString()}`, {
    headers: { authorization: `Bearer ${session?.accessToken}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([response.status, response.status === 200 ? '' : bytes.toString()]).toEqual([200, ''])
  return bytes
}

test('[LAKE-5] files have the rows of the same files of the warehouse, filtered and in the order of the call', async () => {
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const plain = await plainSchema()
  const filters = toFilters({ column: 'code', operator: 'contains', values: ['code 1'] })
  for (const [format, table, query] of [
    ['csv', 'sale', {}],
    ['csv', 'sale', { sort: 'pieces', descending: 'true' }],
    ['csv', 'sale', { filters, sort: 'share' }],
    ['parquet', 'sale', {}],
    ['xlsx', 'sale', { filters }],
    ['csv', 'entry', {}],
    ['csv', 'entry', { descending: 'true' }],
  ] as const) {
    const expected = await fileOf(address, params(plain, table), format, query)
    const found = await fileOf(address, params(schemaOf(), table), format, query)
    expect([format, table, query, found.equals(expected)]).toEqual([format, table, query, true])
  }
  const event = (await findAuditEvents(app.store, 'data.export_downloaded')).at(-1)
  expect(event).toMatchObject({
    actorId: app.idOf('admin'),
    objectId: `${schemaOf()}.entry`,
    detail: { format: 'csv' },
  })
  const sorted = await app.as.admin.call(data.csv, { params: params(schemaOf(), 'entry'), query: { sort: 'amount' } })
  expect(sorted).toMatchObject({ status: 400, body: { message: expect.stringContaining('up to 200,000 rows') } })
})

test('[LAKE-5] people read the tables of the connectors that they are assigned to, and others learn of none', async () => {
  const rows = (as: 'user' | 'guest') => app.as[as].call(data.rows, { params: params(schemaOf()) })
  const names = async (as: 'user' | 'guest') =>
    (await tables(as)).flatMap(({ Tables }) => Tables.map(({ Name }) => Name)).toSorted()
  const figures = (as: 'user' | 'guest') =>
    app.as[as].call(data.profile, { params: params(schemaOf()), query: { column: 'id' } })
  const file = (as: 'user' | 'guest') => app.as[as].call(data.csv, { params: params(schemaOf()) })
  const all = [rows, figures, file]
  expect(await names('guest')).toEqual([])
  for (const call of all) expect((await call('guest')).status).toBe(404)
  const assigned = await app.as.admin.call(connectors.assignUsers, {
    params: { clientId: app.harbour.id, connectorId: lakeId },
    body: { users: [app.idOf('guest')] },
  })
  expect(assigned.status).toBe(200)
  await applyChanges(app)
  expect(await names('guest')).toEqual(['entry', 'sale'])
  expect((await rows('guest')).body.Rows).toHaveLength(100)
  for (const call of all) expect((await call('guest')).status).toBe(200)
  expect(await names('user')).toEqual([])
  for (const call of all) expect((await call('user')).status).toBe(404)
  const query = { column: 'id' }
  for (const route of [data.table, data.rows, data.moments, data.csv, data.xlsx, data.parquet, data.profile] as const) {
    const input = route === data.profile ? { query } : {}
    expect((await app.as.otherAdmin.call(route, { params: params(schemaOf()), ...input })).status).toBe(404)
    const foreign = { ...params(schemaOf()), clientId: app.summit.id }
    expect((await app.as.otherAdmin.call(route, { params: foreign, ...input })).status).toBe(404)
  }
})

test('[LAKE-5] what needs SQL is refused with the reason, and so is a table that cannot be read', async () => {
  const at = { params: params(schemaOf()) }
  const admin = app.as.admin
  expect(await admin.call(data.examples, at)).toMatchObject({
    status: 409,
    body: { code: 'targetTablesOnly', message: expect.stringContaining('it has no examples') },
  })
  for (const route of [data.rows, data.csv, data.profile] as const) {
    const query = { asOf: '2026-01-01T00:00:00Z', ...(route === data.profile && { column: 'id' }) }
    expect(await admin.call(route, { ...at, query })).toMatchObject({ status: 409, body: { code: 'noHistory' } })
  }
  for (const query of [{ after: '["1","2"]' }, { after: '["one"]' }, { sort: 'nothing' }])
    expect((await admin.call(data.rows, { ...at, query })).status).toBe(400)
  await rm(join(folder, app.harbour.id), { recursive: true })
  for (const route of [data.rows, data.csv, data.profile] as const) {
    const lost = await admin.call(route, { ...at, ...(route === data.profile && { query: { column: 'id' } }) })
    expect(lost).toMatchObject({
      status: 409,
      body: { code: 'lakeUnreadable', message: expect.stringContaining('Run the connector') },
    })
  }
})
