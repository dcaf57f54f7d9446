/**
 * Worker processes share one key of a source that refuses calls beyond its rate limit. One of them is killed while it
 * holds permits.
 */
import { randomBytes } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { tinySize } from '../../engine/apis/simulated-cin7.ts'
import { type Cin7Simulator, startCin7 } from '@tributary/sims/cin7/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { RunDriver, until } from '../../server/connectors/run-driver.ts'
import { sourceDatabase } from '../../server/connectors/source-database.ts'
import { spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { printFigure } from '../extent.ts'

const limit = { calls: 30, windowMs: 60_000 }
const masterKey = randomBytes(32)
let cin7: Cin7Simulator
let app: TestApp

beforeAll(async () => {
  cin7 = await startCin7({ clock: systemClock, seed: 31, size: tinySize, limits: limit })
  app = await testApp({ keys: { current: masterKey, old: [] }, env: { TRIBUTARY_ALLOW_HOSTS: new URL(cin7.url).host } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await cin7.close()
})

test('two workers on one key never exceed the rate limit of the source, even after one is killed and replaced', async () => {
  const workerSettings = {
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts: [new URL(cin7.url).host],
    options: { memoryMb: 1, leaseMs: 4_000, pollMs: 300 },
  }
  const driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('SELECT 1'))
  const ids = [await addCin7('One'), await addCin7('Other')]
  await using workers = new AsyncDisposableStack()
  const doomed = workers.use(await spawnWorker(workerSettings))
  workers.use(await spawnWorker(workerSettings))
  const runs = await Promise.all(ids.map((id) => driver.start(id)))
  await until(
    () => Promise.resolve(cin7.requests.length),
    (calls) => calls >= 8,
  )
  await doomed.kill('SIGKILL')
  workers.use(await spawnWorker(workerSettings))
  for (const run of runs) {
    const over = await driver.until(run, ({ Status }) => Status === 'COMPLETED' || Status === 'FAILED', 280_000)
    expect(over).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0 })
  }
  const refused = cin7.requests.filter(({ status }) => status !== 200)
  expect(refused).toEqual([])
  const most = Math.max(
    ...cin7.requests.map(
      ({ at }) => cin7.requests.filter((other) => other.at > at - limit.windowMs && other.at <= at).length,
    ),
  )
  expect(most).toBeLessThanOrEqual(limit.calls)
  expect(cin7.requests.length).toBeGreaterThan(limit.calls)
  printFigure(
    `${cin7.requests.length} calls of two workers and a replacement on one key: at most ${most} of ${limit.calls} in any minute, none refused`,
  )
}, 300_000)

async function addCin7(name: string): Promise<string> {
  const settings = {
    'cin7.accountId': cin7.accountId,
    'cin7.applicationKey': cin7.applicationKey,
    'cin7.address': cin7.url,
  }
  const properties = Object.entries({ ...settings, 'cin7.callsPerMinute': String(limit.calls) }).map(
    ([key, value]) => ({
      name: key,
      value,
    }),
  )
  const { status, body } = await app.as.admin.call(connectors.create, {
    params: { clientId: app.harbour.id },
    body: { type: 'cin7', name, properties },
  })
  expect(status).toBe(201)
  return body.Id
}
