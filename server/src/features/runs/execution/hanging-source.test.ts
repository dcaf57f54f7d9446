import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { RunDriver, type TestRun } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../../worker.ts'
import { ActiveRuns } from '../claiming/active-runs.ts'

let app: TestApp
let silent: Server
let driver: RunDriver
const sockets: Socket[] = []

beforeAll(async () => {
  silent = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${port()}` } })
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY)'))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await app[Symbol.asyncDispose]()
})

const port = () => (silent.address() as AddressInfo).port

async function cancelled(run: TestRun): Promise<number> {
  const askedAt = performance.now()
  await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, ...run } })
  await driver.until(run, ({ Status }) => Status === 'CANCELLED')
  return performance.now() - askedAt
}

test('[ENG-1] a run whose source accepts the connection and never answers is cancelled within ten seconds', async () => {
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  const run = await driver.start(await driver.add('Silent', { port: port() }))
  await driver.until(run, ({ Status }) => Status === 'RUNNING')
  expect(await cancelled(run)).toBeLessThan(10_000)
  await worker.stop()
})

test('[ENG-1] a run whose source ignores the abort signal is cancelled within ten seconds', async () => {
  const active = new ActiveRuns({
    services: app.services,
    worker: 'a worker of this test',
    leaseMs: 5_000,
    memoryMb: 1_000,
    syncRun: () => new Promise(() => undefined),
  })
  const run = await driver.start(await driver.add('Deaf'))
  expect(await active.claimNext()).toBe('claimed')
  await driver.until(run, ({ Status }) => Status === 'RUNNING')
  const beat = setInterval(() => void active.sendHeartbeat(), 1_000)
  expect(await cancelled(run)).toBeLessThan(10_000)
  await active.waitForEnd()
  clearInterval(beat)
})
