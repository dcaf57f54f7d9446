/** Kills around the start of a run: of the server that handles the call, and of the scheduler that fires. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../databases/free-port.ts'
import { insertFixtures } from '../../server/app/every-route.ts'
import { type SpawnedWorker, spawnWorker } from '../../server/processes/spawn-worker.ts'
import { until } from '../../server/connectors/run-driver.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed, printFigure } from '../extent.ts'
import { openNetworkProxy, type StatementTrap, type NetworkProxy } from '../network/network-proxy.ts'

const rounds = isFull ? 20 : 1
const insert = /insert into "run"/
const commit = /commit/i
const masterKey = randomBytes(32)

let app: TestApp
let store: NetworkProxy
let passed = 0

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  const { host = '', port = 0 } = app.connection
  store = await openNetworkProxy({ host, port })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  printFigure(
    `${passed} of ${4 * rounds} kills around the start of a run passed: each run started once, and none was lost`,
  )
})

const repeated = Array.from({ length: rounds }, (_, at) => at + 1)
const beforeCommit: StatementTrap = { path: [insert, commit], stop: 'before' }
const unanswered: StatementTrap = { path: [insert, commit], stop: 'unanswered' }

test.each(repeated)(
  `C1: a server killed before a run is stored has started nothing, and a retry starts it (kill %i, seed ${seed})`,
  async () => {
    const connectorId = await addIdleConnector()
    expect(await startAndKill(connectorId, beforeCommit)).toBe(0)
    expect(await countRuns(connectorId)).toBe(0)
    expect(await startOnNewServer(connectorId)).toBe(202)
    expect(await countRuns(connectorId)).toBe(1)
    passed += 1
  },
)

test.each(repeated)(
  `C2: a server killed before it answers has started the run, and a retry gets a conflict (kill %i, seed ${seed})`,
  async () => {
    const connectorId = await addIdleConnector()
    expect(await startAndKill(connectorId, unanswered)).toBe(0)
    expect(await countRuns(connectorId)).toBe(1)
    expect(await startOnNewServer(connectorId)).toBe(409)
    expect(await countRuns(connectorId)).toBe(1)
    passed += 1
  },
)

test.each(repeated.flatMap((kill) => [beforeCommit, unanswered].map((trap) => ({ kill, trap, when: trap.stop }))))(
  `C18: a scheduler killed at its COMMIT ($when) leaves a fire that happens exactly once (kill $kill, seed ${seed})`,
  async ({ trap }) => {
    const connectorId = await addIdleConnector()
    const killed = await spawnScheduler()
    const sprung = store.setTrap(trap)
    await makeDue(connectorId)
    await sprung
    await killed.kill('SIGKILL')
    await using successor = await spawnScheduler()
    await until(
      () => nextRunAt(connectorId),
      (at) => at > Date.now(),
    )
    expect(await countRuns(connectorId)).toBe(1)
    await successor.kill('SIGTERM')
    passed += 1
  },
)

/** A connector without an active run, and not due. */
async function addIdleConnector(): Promise<string> {
  const { connectorId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  await app.store.within(app.harbour.id, async (db) => {
    await db
      .updateTable('connector')
      .set({ schedule: '0 6 * * *', nextRunAt: null })
      .where('id', '=', connectorId)
      .execute()
    await db.updateTable('run').set({ status: 'COMPLETED' }).where('connectorId', '=', connectorId).execute()
  })
  return connectorId
}

function makeDue(connectorId: string) {
  return app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('connector')
      .set({ nextRunAt: new Date(0) })
      .where('id', '=', connectorId)
      .execute(),
  )
}

async function nextRunAt(connectorId: string): Promise<number> {
  const { body } = await app.as.admin.call(connectors.find, { params: { connectorId } })
  return Date.parse(body.NextRunAtUtc ?? '')
}

async function countRuns(connectorId: string): Promise<number> {
  const runs = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('run').select('id').where('connectorId', '=', connectorId).where('status', '=', 'QUEUED').execute(),
  )
  return runs.length
}

/** Returns the HTTP status, or 0 if there was no response. */
async function startAndKill(connectorId: string, trap: StatementTrap): Promise<number> {
  const { child, port } = await startServer()
  const sprung = store.setTrap(trap)
  const call = startRun(port, connectorId)
  await sprung
  child.kill('SIGKILL')
  const status = await call
  // The database must notice the lost connection, or finish the statement.
  await wait(100)
  return status
}

async function startOnNewServer(connectorId: string): Promise<number> {
  const { child, port } = await startServer()
  const status = await startRun(port, connectorId)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  return status
}

async function startRun(port: number, connectorId: string): Promise<number> {
  const session = await app.as.admin.session()
  const token = session !== null && 'accessToken' in session ? session.accessToken : ''
  const path = `/api/tributary/clients/${app.harbour.id}/connectors/${connectorId}/process`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' }).then(
    ({ status }) => status,
    () => 0,
  )
}

function processSettings() {
  return {
    connection: { ...app.connection, host: '127.0.0.1', port: store.port },
    warehouse: app.services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts: [],
  }
}

async function startServer(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const port = await findFreePort()
  const file = join(import.meta.dirname, '../../server/processes/server-process.ts')
  const child = spawn(process.execPath, [file, JSON.stringify({ ...processSettings(), port })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return { child, port }
}

function spawnScheduler(): Promise<SpawnedWorker> {
  return spawnWorker({ ...processSettings(), options: { pollMs: 50 }, only: 'schedules' })
}
