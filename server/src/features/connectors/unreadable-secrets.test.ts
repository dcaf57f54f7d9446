import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../worker.ts'

/** The store was modified externally, or mixes two backups. */
let app: TestApp
let source: SourceDatabase
let driver: RunDriver
const name = 'source.connectionString'
const sentence = 'A stored password or key cannot be read any more, so it was not used. Enter it again and save.'

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase('CREATE TABLE item (id int PRIMARY KEY); INSERT INTO item SELECT generate_series(1, 5)')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
})
afterAll(() => app[Symbol.asyncDispose]())

let one: string
let other: string
let made = 0
beforeEach(async () => {
  made += 1
  one = await driver.add(`One ${made}`)
  other = await driver.add(`Other ${made}`)
  await app.store.within(app.harbour.id, async (db) => {
    const ofOther = db
      .selectFrom('connectorProperty')
      .select('value')
      .where('connectorId', '=', other)
      .where('name', '=', name)
    const { value } = await ofOther.executeTakeFirstOrThrow()
    await db
      .updateTable('connectorProperty')
      .set({ value: JSON.stringify(value) })
      .where('organisationId', '=', app.harbour.id)
      .where('connectorId', '=', one)
      .where('name', '=', name)
      .execute()
  })
})

const params = () => ({ clientId: app.harbour.id, connectorId: one })
const masked = () => [{ name, value: { ...source.settings, password: secretMask } }]

test('a password copied from another connector is not used: the run asks to enter it again, and the log names its place', async () => {
  const before = app.logLines.length
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 4_000, pollMs: 200 })
  const run = await driver.runToEnd(one)
  await worker.stop()
  expect(run).toMatchObject({ Status: 'FAILED', Notice: sentence, Card: { Action: { Kind: 'edit' } } })
  const log = app.logLines.slice(before).join('')
  expect(log).toContain(`connector_property.value of ${one}/${name}/password, organisation ${app.harbour.id}`)
  expect(log).not.toContain('trb1.')
})

test('saving or testing a form with an unreadable secret names the field to enter again', async () => {
  const replies = [
    await app.as.admin.call(connectorProperties.set, { params: params(), body: masked() }),
    await app.as.admin.call(connectorProperties.set, {
      params: params(),
      body: [{ name: 'target.schema', value: 'elsewhere' }],
    }),
    await app.as.admin.call(connectors.change, { params: params(), body: { properties: masked() } }),
    await app.as.admin.call(connectors.check, {
      params: { clientId: app.harbour.id },
      body: { type: 'postgres', connectorId: one, properties: masked() },
    }),
  ]
  for (const { status, body } of replies)
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'secretUnreadable', message: sentence, fields: { [`${name}.password`]: 'required' } },
    })
})

test('a newly entered password replaces an unreadable one', async () => {
  const properties = [{ name, value: source.settings }]
  expect((await app.as.admin.call(connectorProperties.set, { params: params(), body: properties })).status).toBe(200)
  const { status, body } = await app.as.admin.call(connectors.check, {
    params: { clientId: app.harbour.id },
    body: { type: 'postgres', connectorId: one, properties: masked() },
  })
  expect({ status, body }).toMatchObject({ status: 200 })
})

test('the warehouse, whose password is generated, gets a new one automatically', async () => {
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 4_000, pollMs: 200 })
  expect(await driver.runToEnd(other)).toMatchObject({ Status: 'COMPLETED' })
  await app.store.across((db) => db.updateTable('warehouse').set({ writerSecret: 'trb1.changed' }).execute())
  expect(await driver.runToEnd(other)).toMatchObject({ Status: 'COMPLETED' })
  await worker.stop()
})
