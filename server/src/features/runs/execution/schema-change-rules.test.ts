import { connectors } from '@tributary/contract/connectors'
import { schemaChanges } from '@tributary/contract/schema-changes'
import { streams } from '@tributary/contract/streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker, type Worker } from '../../../worker.ts'

let app: TestApp
let worker: Worker

beforeAll(async () => {
  app = await testApp()
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

/** A connector with that schema policy which has run once. */
async function loaded(name: string, schemaPolicy: 'ask' | 'stop') {
  const source = await sourceDatabase(`
    CREATE TABLE invoice (id int PRIMARY KEY, total int);
    INSERT INTO invoice VALUES (1, 10);
    CREATE TABLE customer (id int PRIMARY KEY, name text);
    INSERT INTO customer VALUES (1, 'Ada')`)
  const driver = new RunDriver(app.as.admin, app.harbour.id, source)
  const id = await driver.add(name)
  const params = { clientId: app.harbour.id, connectorId: id }
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
  expect((await app.as.admin.call(connectors.change, { params, body: { schemaPolicy } })).status).toBe(200)
  return { source, driver, id, params }
}

type LoadedConnector = Awaited<ReturnType<typeof loaded>>

const pendingOf = async ({ params }: LoadedConnector) =>
  (await app.as.admin.call(schemaChanges.list, { params })).body.filter(({ Status }) => Status === 'PENDING')

async function decide({ params }: LoadedConnector, decision: 'ACCEPTED' | 'REJECTED') {
  const { body } = await app.as.admin.call(schemaChanges.list, { params })
  const changes = body.filter(({ Status }) => Status === 'PENDING').map(({ Id }) => Id)
  expect((await app.as.admin.call(schemaChanges.decide, { params, body: { changes, decision } })).status).toBe(200)
}

const change = (source: SourceDatabase) =>
  source.query(
    `ALTER TABLE customer ADD COLUMN city text; INSERT INTO customer VALUES (2, 'Bob', 'Aarhus'); INSERT INTO invoice VALUES (2, 20)`,
  )

test('with the policy “ask” a connector skips a changed table until a user decides, moves the others, and asks once', async () => {
  const one = await loaded('Asking', 'ask')
  await change(one.source)
  const waiting = await one.driver.runToEnd(one.id)
  expect(waiting).toMatchObject({
    Status: 'COMPLETED',
    Notice: expect.stringContaining('needs a decision'),
    Card: { Data: 'partly', Action: { Kind: 'reviewChanges' } },
  })
  expect(
    await one.driver.inWarehouse(
      'SELECT (SELECT count(*) FROM asking.customer)::int AS c, (SELECT count(*) FROM asking.invoice)::int AS i',
    ),
  ).toEqual([{ c: 1, i: 2 }])
  await one.driver.runToEnd(one.id)
  expect(await pendingOf(one)).toMatchObject([{ Table: 'customer', Column: 'city', Before: null, RunId: waiting.Id }])
  const { body: connector } = await app.as.admin.call(connectors.find, { params: { connectorId: one.id } })
  expect(connector.PendingChanges).toBe(1)

  await decide(one, 'ACCEPTED')
  const after = await one.driver.runToEnd(one.id)
  expect(after).toMatchObject({ Status: 'COMPLETED', Notice: null, Card: null })
  expect(await one.driver.inWarehouse('SELECT id, city FROM asking.customer ORDER BY id')).toEqual([
    { id: 1, city: null },
    { id: 2, city: 'Aarhus' },
  ])
  const { body } = await app.as.admin.call(schemaChanges.list, { params: one.params })
  expect(body.filter(({ Column }) => Column === 'city')).toMatchObject([
    { Status: 'APPLIED', RunId: after.Id, DecidedBy: 'Amara Okafor' },
  ])
})

test('a rejected column is left out, and its table is moved again', async () => {
  const one = await loaded('Rejecting', 'ask')
  await change(one.source)
  await one.driver.runToEnd(one.id)
  await decide(one, 'REJECTED')
  expect(await one.driver.runToEnd(one.id)).toMatchObject({ Status: 'COMPLETED', Card: null })
  expect(await one.driver.inWarehouse('SELECT * FROM rejecting.customer ORDER BY id')).toEqual([
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ])
})

test('an undecided change that the source reverts is no longer listed', async () => {
  const one = await loaded('Taken back', 'ask')
  await change(one.source)
  await one.driver.runToEnd(one.id)
  expect(await pendingOf(one)).toHaveLength(1)
  await one.source.query('ALTER TABLE customer DROP COLUMN city')
  expect(await one.driver.runToEnd(one.id)).toMatchObject({ Status: 'COMPLETED', Notice: null })
  expect(await pendingOf(one)).toEqual([])
})

test('with the policy “stop” a connector moves nothing, names the change, and continues once it is accepted', async () => {
  const one = await loaded('Stopping', 'stop')
  await change(one.source)
  expect(await one.driver.runToEnd(one.id)).toMatchObject({
    Status: 'FAILED',
    FaultKind: 'settings',
    Notice: expect.stringContaining('city'),
    Card: { Title: 'The source’s tables have changed', Data: 'right', Action: { Kind: 'reviewChanges' } },
  })
  expect(await one.driver.inWarehouse('SELECT count(*)::int AS rows FROM stopping.invoice')).toEqual([{ rows: 1 }])
  await decide(one, 'ACCEPTED')
  expect(await one.driver.runToEnd(one.id)).toMatchObject({ Status: 'COMPLETED' })
  const { body } = await app.as.admin.call(streams.list, { params: one.params })
  expect(body.map(({ Rows, Fault }) => [Rows, Fault])).toEqual([
    [2, null],
    [2, null],
  ])
})

test('a dropped table and a dropped column are listed once and, with the policy “ask”, need a decision; their rows stay', async () => {
  const one = await loaded('Losing', 'ask')
  await one.source.query('DROP TABLE invoice; ALTER TABLE customer DROP COLUMN name')
  for (const _ of [1, 2]) {
    expect(await one.driver.runToEnd(one.id)).toMatchObject({
      Status: 'COMPLETED',
      Card: { Action: { Kind: 'reviewChanges' } },
    })
    expect((await pendingOf(one)).map(({ Table, Column, After }) => [Table, Column, After]).toSorted()).toEqual([
      ['customer', 'name', 'gone'],
      ['invoice', null, 'gone'],
    ])
  }
  await decide(one, 'ACCEPTED')
  for (const _ of [1, 2]) expect(await one.driver.runToEnd(one.id)).toMatchObject({ Status: 'COMPLETED' })
  const tables = await app.as.admin.call(streams.list, { params: one.params })
  expect(tables.body.map(({ Table, Fault }) => [Table, Fault])).toEqual([
    ['customer', null],
    [
      'invoice',
      'The source no longer has this table: it was dropped or renamed. Its rows remain unchanged in the target.',
    ],
  ])
  const { body } = await app.as.admin.call(schemaChanges.list, { params: one.params })
  expect(body.map(({ Table, Column, Status }) => [Table, Column, Status]).toSorted()).toEqual([
    ['customer', 'name', 'APPLIED'],
    ['invoice', null, 'ACCEPTED'],
  ])
  expect(
    await one.driver.inWarehouse(
      'SELECT (SELECT name FROM losing.customer) AS c, (SELECT count(*) FROM losing.invoice)::int AS i',
    ),
  ).toEqual([{ c: 'Ada', i: 1 }])
})
