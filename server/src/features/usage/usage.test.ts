import { connectors } from '@tributary/contract/connectors'
import { globalConfiguration, type SettingKey } from '@tributary/contract/global-configuration'
import { runs } from '@tributary/contract/runs'
import { usage } from '@tributary/contract/usage'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { tinySize } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDailyCalls, type CallCount } from '../../connections/rate-budgets/daily-calls.ts'
import { systemClock } from '../../kernel/clock.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { fireAllDue } from '../runs/scheduling/fire-schedules.ts'

let app: TestApp
let worker: Worker
let uniconta: UnicontaSimulator
let target: SourceDatabase
let driver: RunDriver
let connectorId: string
let otherId: string
let limitKey: string

beforeAll(async () => {
  uniconta = await startUniconta({ clock: systemClock, seed: 31, size: tinySize })
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: new URL(uniconta.url).host } })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  target = await sourceDatabase('SELECT 1')
  driver = new RunDriver(app.as.admin, app.harbour.id, target)
  connectorId = await add('admin', app.harbour.id, 'Harbour ledger')
  otherId = await add('otherAdmin', app.summit.id, 'Summit ledger')
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await uniconta.close()
})
beforeEach(async () => {
  for (const key of ['ThinOutNearAllowance', 'RefuseManualNearAllowance'] as const) await turn(key, 'false')
  await turn('KeepWithinAllowance', 'true')
})

async function add(as: 'admin' | 'otherAdmin', clientId: string, name: string): Promise<string> {
  const properties = [
    { name: 'uniconta.username', value: uniconta.username },
    { name: 'uniconta.password', value: uniconta.password },
    { name: 'uniconta.address', value: uniconta.url },
    { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
    { name: 'target.schema', value: name.toLowerCase().replace(' ', '_') },
    ...(as === 'admin' ? [{ name: 'portal.user', value: app.idOf('user') }] : []),
  ]
  return (
    await app.as[as].call(connectors.create, { params: { clientId }, body: { type: 'uniconta', name, properties } })
  ).body.Id
}

const turn = (key: SettingKey, value: 'true' | 'false') =>
  app.as.superadmin.call(globalConfiguration.save, { body: { key, value } })

const read = async (as: 'admin' | 'provideradmin' | 'user' = 'admin') =>
  (await app.as[as].call(usage.read, { params: { clientId: app.harbour.id, connectorId }, query: { days: 30 } })).body

/** Adds calls of the connector of the other organisation, which has the same credentials, until that many are used today. */
async function useUp(calls: number): Promise<void> {
  const { Today } = await read()
  const count: CallCount = { limitKey, stream: null, calls: calls - Today.Calls, bytes: 0 }
  const connector = { organisationId: app.summit.id, connectorId: otherId }
  await app.store.within(app.summit.id, (db) => addDailyCalls(db, connector, [count]))
}

async function clearOther(): Promise<void> {
  await app.store.within(app.summit.id, (db) =>
    db.deleteFrom('dailyCalls').where('connectorId', '=', otherId).execute(),
  )
}

test('[SRC-6] calls and bytes of a run are counted by stream and day, exactly those that the source has answered', async () => {
  const before = uniconta.requests.length
  const run = await driver.runToEnd(connectorId)
  expect(run.Status).toBe('COMPLETED')
  const { Days, Streams, Limit, Month, Today } = await read()
  const made = uniconta.requests.length - before
  expect(made).toBeGreaterThan(run.Streams.length)
  expect(Days).toHaveLength(30)
  expect(Days.at(-1)).toMatchObject({ Calls: made, Bytes: expect.any(Number) })
  expect(Days.slice(0, -1).every(({ Calls }) => Calls === 0)).toBe(true)
  const names = Streams.map(({ Name }) => Name)
  expect(names).toContain(null)
  expect(run.Streams.map(({ Name }) => Name).filter((name) => !names.includes(name))).toEqual([])
  expect(Streams.reduce((sum, { Calls }) => sum + Calls, 0)).toBe(made)
  expect(Streams.reduce((sum, { Bytes }) => sum + Bytes, 0)).toBe(Days.at(-1)?.Bytes)
  expect(Days.at(-1)?.Bytes).toBeGreaterThan(1_000)
  expect(Limit).toEqual({ Calls: 5_000, Per: 'day' })
  expect(Month).toMatchObject({ Used: made, Forecast: null })
  expect(Today).toMatchObject({ Calls: made, State: 'open', Connectors: [] })
  limitKey = await app.store.within(app.harbour.id, async (db) => {
    const row = await db
      .selectFrom('dailyCalls')
      .select('limitKey')
      .where('connectorId', '=', connectorId)
      .where('limitKey', '<>', '')
      .executeTakeFirstOrThrow()
    return row.limitKey
  })
  expect(limitKey).not.toContain(uniconta.username)
})

test('[SRC-6] the provider’s staff see which connectors of all organisations share the credentials; others see the sum only', async () => {
  await useUp(1_000)
  const { Today } = await read('provideradmin')
  expect(Today.Calls).toBe(1_000)
  expect(Today.Connectors.map(({ ConnectorName }) => ConnectorName)).toEqual(['Summit ledger', 'Harbour ledger'])
  expect(Today.Connectors.map(({ CompanyName }) => CompanyName)).toEqual(['Summit Foods', 'Harbour Trading'])
  expect((await read('user')).Today).toMatchObject({ Calls: 1_000, Connectors: [] })
  await clearOther()
})

test('[SRC-6] a run that would exceed the day’s calls of its credentials waits until the next day and says why, and sends no call', async () => {
  await useUp(4_750)
  const before = uniconta.requests.length
  const run = await driver.until(await driver.start(connectorId), ({ Status }) => Status === 'WAITING')
  expect(uniconta.requests.length).toBe(before)
  const { Today } = await read()
  expect(Today.State).toBe('used')
  expect(Date.parse(run.RetryAtUtc ?? '')).toBeGreaterThanOrEqual(Date.parse(Today.EndsAtUtc) - 1_000)
  expect(Date.parse(run.RetryAtUtc ?? '') - Date.parse(Today.EndsAtUtc)).toBeLessThan(60_000)
  expect(run.Notice).toMatch(
    /^4,750 of the 5,000 calls that Uniconta allows in a day are used with these credentials\./u,
  )
  expect(run.Card?.Title).toContain('Waiting for Uniconta until')
  await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, connectorId, runId: run.Id } })
  await turn('KeepWithinAllowance', 'false')
  expect((await driver.runToEnd(connectorId)).Status).toBe('COMPLETED')
  await clearOther()
})

test('[SRC-6] a run stops close to the allowance although others use the same credentials meanwhile, and keeps what it has read', async () => {
  await useUp(4_748)
  const before = uniconta.requests.length
  const run = await driver.until(
    await driver.start(connectorId, { fullTransactionSync: false }),
    ({ Status }) => Status === 'WAITING',
  )
  const made = uniconta.requests.length - before
  expect(made).toBeGreaterThan(0)
  // Two streams are read at a time, each with one call under way.
  expect(made).toBeLessThanOrEqual(4)
  await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, connectorId, runId: run.Id } })
  await clearOther()
})

test('[SRC-6] if the provider reserves the last calls for schedules, no one starts a run by hand from 80 % on, and the refusal says why', async () => {
  const start = (as: 'admin' | 'user' | 'provideradmin' | 'otherAdmin') =>
    app.as[as].call(runs.process, { params: { clientId: app.harbour.id, connectorId }, body: {} })
  await turn('RefuseManualNearAllowance', 'true')
  await useUp(4_000)
  for (const as of ['admin', 'user', 'provideradmin'] as const)
    expect(await start(as)).toMatchObject({ status: 409, body: { code: 'allowanceNearlyUsed' } })
  expect((await start('admin')).body).toMatchObject({ message: expect.stringContaining('4000 of the 5000 calls') })
  expect((await start('otherAdmin')).status).toBe(404)
  await clearOther()
  expect((await driver.runToEnd(connectorId)).Status).toBe('COMPLETED')
})

test('[SRC-6] if the provider thins out, a schedule of every five minutes is due again in an hour from 80 % on', async () => {
  const minutesUntilDue = async (): Promise<number> => {
    await app.store.within(app.harbour.id, (db) =>
      db
        .updateTable('connector')
        .set({ schedule: '*/5 * * * *', nextRunAt: new Date(0) })
        .where('id', '=', connectorId)
        .execute(),
    )
    await fireAllDue(app.services)
    const { minutes } = await app.store.within(app.harbour.id, (db) =>
      db
        .selectFrom('connector')
        .select(sql<number>`(extract(epoch FROM nextRunAt - now()) / 60)::float8`.as('minutes'))
        .where('id', '=', connectorId)
        .executeTakeFirstOrThrow(),
    )
    return minutes
  }
  await useUp(4_000)
  expect(await minutesUntilDue()).toBeLessThanOrEqual(5)
  await turn('ThinOutNearAllowance', 'true')
  expect(await minutesUntilDue()).toBeGreaterThan(55)
  await clearOther()
  expect(await minutesUntilDue()).toBeLessThanOrEqual(5)
})

test('[SRC-6] those who see a connector see its calls; no other organisation does', async () => {
  const params = { clientId: app.harbour.id, connectorId }
  for (const as of ['admin', 'user', 'provideradmin', 'superadmin'] as const)
    expect((await app.as[as].call(usage.read, { params, query: { days: 7 } })).status).toBe(200)
  // Not assigned to the connector.
  expect((await app.as.guest.call(usage.read, { params })).status).toBe(404)
  expect((await app.as.otherAdmin.call(usage.read, { params })).status).toBe(404)
  const foreign = { clientId: app.summit.id, connectorId }
  expect((await app.as.otherAdmin.call(usage.read, { params: foreign })).status).toBe(404)
  expect((await app.as.visitor.call(usage.read, { params })).status).toBe(401)
})
