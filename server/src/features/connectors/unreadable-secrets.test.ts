import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../worker.ts'

/** Somebody has changed the store behind our back, or put together two backups. */
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

test('a password that was moved from another connector is not used: the run says to enter it again, the log where it stands', async () => {
  const before = app.logLines.length
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 4_000, lookMs: 200 })
  const run = await driver.runToEnd(one)
  await worker.stop()
  expect(run).toMatchObject({ Status: 'FAILED', Notice: sentence, Card: { Action: { Kind: 'edit' } } })
  const log = app.logLines.slice(before).join('')
  expect(log).toContain(`connector_property.value of ${one}/${name}/password, organisation ${app.harbour.id}`)
  expect(log).not.toContain('trb1.')
})

test('a form that keeps what cannot be read is told which field to enter again, in saving and in testing', async () => {
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

test('a password that is entered again takes the place of the one that cannot be read', async () => {
  const properties = [{ name, value: source.settings }]
  expect((await app.as.admin.call(connectorProperties.set, { params: params(), body: properties })).status).toBe(200)
  const { status, body } = await app.as.admin.call(connectors.check, {
    params: { clientId: app.harbour.id },
    body: { type: 'postgres', connectorId: one, properties: masked() },
  })
  expect({ status, body }).toMatchObject({ status: 200 })
})

test('the warehouse, whose password nobody enters, gets another one by itself', async () => {
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 4_000, lookMs: 200 })
  expect(await driver.runToEnd(other)).toMatchObject({ Status: 'COMPLETED' })
  await app.store.across((db) => db.updateTable('warehouse').set({ writerSecret: 'trb1.changed' }).execute())
  expect(await driver.runToEnd(other)).toMatchObject({ Status: 'COMPLETED' })
  await worker.stop()
})
