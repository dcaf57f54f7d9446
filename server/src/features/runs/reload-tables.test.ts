import { runs } from '@tributary/contract/runs'
import { schemaChanges } from '@tributary/contract/schema-changes'
import { streams } from '@tributary/contract/streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker, type Worker } from '../../worker.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let driver: RunDriver

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase(`
    CREATE TABLE invoice (id int PRIMARY KEY, total int);
    INSERT INTO invoice SELECT n, n FROM generate_series(1, 50) n;
    CREATE TABLE customer (id int PRIMARY KEY, name text);
    INSERT INTO customer VALUES (1, 'Ada')`)
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

const place = (connectorId: string) => ({ clientId: app.harbour.id, connectorId })
const streamsOf = async (id: string) => (await app.as.admin.call(streams.list, { params: place(id) })).body

test('an administrator reloads one table; the others stay untouched, and each shows how fresh it is', async () => {
  const id = await driver.add('One table')
  expect(await streamsOf(id)).toEqual([])
  await driver.runToEnd(id)
  const before = await streamsOf(id)
  expect(before.map(({ Name, Table, Licence, Fault }) => ({ Name, Table, Licence, Fault }))).toEqual([
    { Name: 'public.customer', Table: 'customer', Licence: 'Base', Fault: null },
    { Name: 'public.invoice', Table: 'invoice', Licence: 'Base', Fault: null },
  ])
  await source.query(`INSERT INTO customer VALUES (2, 'Bob')`)
  const run = await driver.runToEnd(id, { fullTransactionSync: true, streams: ['public.invoice'] })
  expect(run).toMatchObject({
    Status: 'COMPLETED',
    Mode: 'full',
    OnlyStreams: ['public.invoice'],
    RowsRead: 50,
    Card: null,
  })
  expect(await driver.inWarehouse('SELECT count(*)::int AS rows FROM one_table.customer')).toEqual([{ rows: 1 }])
  const after = await streamsOf(id)
  expect(after[0]).toEqual(before[0])
  expect(Date.parse(after[1]?.FreshAtUtc ?? '')).toBeGreaterThan(Date.parse(before[1]?.FreshAtUtc ?? ''))
  await driver.runToEnd(id)
  expect(await driver.inWarehouse('SELECT count(*)::int AS rows FROM one_table.customer')).toEqual([{ rows: 2 }])
})

test('a reload is refused for unknown tables, for a moment in the future, and without the permission', async () => {
  const id = await driver.add('Choosy', {}, [
    { name: 'portal.user', value: `${app.idOf('user')} ${app.idOf('guest')}` },
  ])
  await driver.runToEnd(id)
  const unknown = await driver.process(id, { streams: ['public.invoice', 'public.nowhere'] })
  expect(unknown).toMatchObject({
    status: 400,
    body: { code: 'badInput', fields: { streams: expect.stringContaining('public.nowhere') } },
  })
  const from = new Date(app.clock.now() + 60_000).toISOString()
  expect(await driver.process(id, { from })).toMatchObject({
    status: 400,
    body: { fields: { from: expect.stringContaining('to come') } },
  })
  // Outside the range of sources and of four-digit years.
  for (const old of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '1969-12-31T23:59:59Z'])
    expect(await driver.process(id, { from: old })).toMatchObject({
      status: 400,
      body: { fields: { from: expect.stringContaining('1970') } },
    })
  for (const body of [{ streams: ['public.invoice'] }, { from: '2026-01-01T00:00:00Z' }, { fullTransactionSync: true }])
    expect(await app.as.user.call(runs.process, { params: place(id), body })).toMatchObject({
      status: 403,
      body: { code: 'notAllowed' },
    })
  expect((await driver.process(id, { streams: [] })).status).toBe(400)
  const endless = Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(500, 'x'))
  expect((await driver.process(await driver.add('Never run'), { streams: endless })).status).toBe(400)
})

test('a reload from a moment is recorded with the run, and the amounts in the target stay right', async () => {
  const id = await driver.add('From a day')
  await driver.runToEnd(id)
  const run = await driver.runToEnd(id, { from: '2026-01-31T23:00:00+01:00' })
  expect(run).toMatchObject({ Status: 'COMPLETED', FromUtc: '2026-01-31T22:00:00.000Z', OnlyStreams: null })
  expect(await driver.inWarehouse('SELECT count(*)::int AS rows FROM from_a_day.invoice')).toEqual([{ rows: 50 }])
})

test('a new column is added automatically and recorded with the run that added it', async () => {
  const id = await driver.add('Taking')
  await driver.runToEnd(id)
  await source.query('ALTER TABLE customer ADD COLUMN city text')
  const run = await driver.runToEnd(id)
  const { body } = await app.as.admin.call(schemaChanges.list, { params: place(id) })
  expect(body.find(({ Column }) => Column === 'city')).toMatchObject({
    Table: 'customer',
    Before: null,
    Status: 'APPLIED',
    RunId: run.Id,
    DecidedBy: null,
  })
})
