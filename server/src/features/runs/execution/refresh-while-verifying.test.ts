/** Runs that are started while another run of the connector verifies, and the calls that a verification after a run may take. */
import { connectors } from '@tributary/contract/connectors'
import type { RunDetail } from '@tributary/contract/runs'
import { runs } from '@tributary/contract/runs'
import { verifications } from '@tributary/contract/verifications'
import { type Cin7Simulator, startCin7 } from '@tributary/sims/cin7/server'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { tinySize as tinyCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { tinySize as tinyUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { type ConnectorSetting, RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentDay } from '../../../connections/rate-budgets/daily-calls.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { startWorker, type Worker } from '../../../worker.ts'

/** A run needs fewer calls, a verification of two minutes more than a quarter: it waits, so it is still there when the next run is started. */
const callsPerMinute = 64

let app: TestApp
let worker: Worker
let cin7: Cin7Simulator
let uniconta: UnicontaSimulator
let target: SourceDatabase
let driver: RunDriver

beforeAll(async () => {
  // Another account than in other tests: calls with one key share one rate within a process.
  cin7 = await startCin7({ clock: systemClock, seed: 47, size: tinyCin7, limits: { calls: 10 * callsPerMinute } })
  uniconta = await startUniconta({ clock: systemClock, seed: 31, size: tinyUniconta })
  const allowed = [cin7, uniconta].map(({ url }) => new URL(url).host)
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: allowed.join(',') } })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  target = await sourceDatabase('SELECT 1')
  driver = new RunDriver(app.as.admin, app.harbour.id, target)
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await Promise.all([cin7.close(), uniconta.close()])
})

async function add(type: string, source: readonly ConnectorSetting[]): Promise<string> {
  const properties = [
    ...source,
    { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
    { name: 'target.schema', value: type },
    { name: 'portal.user', value: app.idOf('user') },
  ]
  const body = { type, name: `Harbour ${type}`, properties }
  return (await app.as.admin.call(connectors.create, { params: { clientId: app.harbour.id }, body })).body.Id
}

const read = async (connectorId: string) =>
  (await app.as.admin.call(verifications.read, { params: { clientId: app.harbour.id, connectorId } })).body.Source

const isOver = ({ Status }: RunDetail) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)
const listSampled = ({ Lines }: RunDetail) => Lines.filter(({ Text }) => Text.includes('The sample is identical'))

test('[TRUST-2] [DASH-5] a refresh that is asked for while a run verifies starts as soon as the verification has ended for it, and keeps what it has proven', async () => {
  const connectorId = await add('cin7', [
    { name: 'cin7.accountId', value: cin7.accountId },
    { name: 'cin7.applicationKey', value: cin7.applicationKey },
    { name: 'cin7.address', value: cin7.url },
    { name: 'cin7.callsPerMinute', value: callsPerMinute },
  ])
  const params = { clientId: app.harbour.id, connectorId }
  await app.as.admin.call(verifications.saveSettings, { params, body: { schedule: null, secondsAfterRuns: 120 } })
  const first = await driver.start(connectorId)
  await driver.until(first, (run) => listSampled(run).length > 0)
  await app.as.admin.call(verifications.saveSettings, { params, body: { schedule: null, secondsAfterRuns: 0 } })
  const { status, body } = await app.as.user.call(runs.process, { params, body: {} })
  expect(status).toBe(202)
  expect(await driver.process(connectorId)).toMatchObject({ status: 409, body: { code: 'alreadyRunning' } })
  const former = await driver.until(first, isOver)
  expect(former.Status).toBe('COMPLETED')
  expect(former.Lines.map(({ Text }) => Text)).toContain(
    'The verification ended for a newer run, and continues after it.',
  )
  const second = await driver.until({ connectorId, runId: body.RunId }, isOver)
  expect(second.Status).toBe('COMPLETED')
  expect(Date.parse(second.StartedAtUtc ?? '')).toBeGreaterThanOrEqual(Date.parse(former.CompletedAtUtc ?? ''))
  const { Tables, Verified, Differences, Failed } = await read(connectorId)
  expect(Verified).toBe(listSampled(former).length)
  expect(Verified).toBeLessThan(Tables)
  expect([Differences, Failed]).toEqual([0, 0])
})

test('[TRUST-5] once half of the calls of a day are used, no documents are read again after a run; the first run of the next day gives the verdict', async () => {
  const connectorId = await add('uniconta', [
    { name: 'uniconta.username', value: uniconta.username },
    { name: 'uniconta.password', value: uniconta.password },
    { name: 'uniconta.address', value: uniconta.url },
  ])
  const used = { organisationId: app.harbour.id, connectorId, day: currentDay, calls: 2_500 }
  await app.store.within(app.harbour.id, (db) => db.insertInto('dailyCalls').values(used).execute())
  const { Status, Lines } = await driver.runToEnd(connectorId)
  expect(Status).toBe('COMPLETED')
  expect(Lines.map(({ Text }) => Text)).toContainEqual(expect.stringMatching(/^Half of the calls .* are used/u))
  expect(await read(connectorId)).toMatchObject({ Verdict: null, Verified: 0 })
  await app.store.within(app.harbour.id, (db) =>
    db.deleteFrom('dailyCalls').where('connectorId', '=', connectorId).execute(),
  )
  expect(await driver.runToEnd(connectorId)).toMatchObject({ Status: 'COMPLETED' })
  expect(await read(connectorId)).toMatchObject({ Verdict: 'sampled' })
})
