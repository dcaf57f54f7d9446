import { connect, createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { RunDriver, type TestRun, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker, type Worker } from '../../../worker.ts'
import { fireAllDue } from './fire-schedules.ts'
import { attemptsMax } from '../execution/outcome.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let target: SourceDatabase
let driver: RunDriver
let port: number

beforeAll(async () => {
  port = await findFreePort()
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${port}` } })
  source = await sourceDatabase(
    'CREATE TABLE sale (id int PRIMARY KEY); INSERT INTO sale SELECT generate_series(1, 10)',
  )
  target = await sourceDatabase('SELECT 1')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 200 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

/** A connector whose target is behind a port that nothing listens on yet. */
async function addAway(name: string): Promise<string> {
  const connection = { connector: 'postgres', ...target.settings, host: '127.0.0.1', port }
  const schema = name.toLowerCase().replaceAll(' ', '_')
  const id = await driver.add(name, {}, [
    { name: 'target.connectionString', value: connection },
    { name: 'target.schema', value: schema },
  ])
  const params = { clientId: app.harbour.id, connectorId: id }
  await app.as.superadmin.call(connectors.change, { params, body: { schedule: '*/15 * * * *' } })
  return id
}

/** The target comes back: connections to the port reach the database. */
async function openTarget(): Promise<Server> {
  const { host, port: behind } = inject('postgres')
  const server = createServer((socket) => {
    const onwards = connect({ host, port: behind })
    socket.pipe(onwards).pipe(socket)
    for (const end of [socket, onwards]) end.on('error', () => undefined)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function change(id: string, set: Record<string, unknown>) {
  return app.store.within(app.harbour.id, (db) => db.updateTable('connector').set(set).where('id', '=', id).execute())
}

const read = async (id: string) => (await app.as.admin.call(connectors.find, { params: { connectorId: id } })).body
const runsOf = async (id: string) =>
  (await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })).body
const ago = (interval: string) => sql<string>`now() - ${interval}::interval`

/** The remaining attempts, without the backoff between them. */
async function failForGood(run: TestRun) {
  await driver.until(run, ({ Status }) => Status === 'WAITING')
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('run')
      .set({ attempt: attemptsMax - 1, retryAt: new Date(0) })
      .where('id', '=', run.runId)
      .execute(),
  )
  return driver.until(run, ({ Status }) => Status === 'FAILED')
}

test('[ENG-1] while a target is unreachable for a day, a schedule of every 15 minutes starts no runs; afterwards a single run catches up', async () => {
  const id = await addAway('Away for a day')
  await change(id, { nextRunAt: new Date(0) })
  const [fired] = await until(
    () => runsOf(id),
    (some) => some.length === 1,
  )
  const failed = await failForGood({ connectorId: id, runId: fired?.Id ?? '' })
  expect(failed).toMatchObject({
    FaultCode: 'target.unreachable',
    Card: { Title: 'The target does not answer', Data: 'missing', Action: { Kind: 'wait', AtUtc: null } },
  })
  expect((await read(id)).TargetDownSinceUtc).toMatch(/Z$/u)

  await change(id, { targetDownSince: ago('1 day') })
  for (let quarter = 0; quarter < 96; quarter += 1) {
    await change(id, { nextRunAt: ago('15 minutes') })
    await fireAllDue(app.services)
  }
  expect(await runsOf(id)).toHaveLength(1)
  await source.query('INSERT INTO sale SELECT generate_series(11, 20)')

  await change(id, { targetProbeAt: ago('1 second') })
  const probed = await until(
    () =>
      app.store.across((db) =>
        db.selectFrom('connector').select('targetProbeAt').where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    ({ targetProbeAt }) => Date.parse(targetProbeAt ?? '') > Date.now(),
  )
  expect(Date.parse(probed.targetProbeAt ?? '') - Date.now()).toBeLessThanOrEqual(15 * 60_000)
  expect(await runsOf(id)).toHaveLength(1)

  const server = await openTarget()
  await change(id, { targetProbeAt: ago('1 second') })
  const after = await until(
    () => runsOf(id),
    (some) => some.length > 1 && some.every(({ CompletedAtUtc }) => CompletedAtUtc !== null),
  )
  expect(after).toMatchObject([
    { Status: 'COMPLETED', Trigger: 'schedule', RowsWritten: 20 },
    { Id: failed.Id, Status: 'FAILED' },
  ])
  expect(await target.query('SELECT count(*)::int AS rows FROM away_for_a_day.sale')).toEqual([{ rows: 20 }])
  await fireAllDue(app.services)
  expect(await runsOf(id)).toHaveLength(2)
  const well = await read(id)
  expect(well.TargetDownSinceUtc).toBeNull()
  expect(Date.parse(well.NextRunAtUtc ?? '')).toBeGreaterThan(Date.now())
  server.close()
})

test('a user may retry an unreachable target at any time, and a completed run closes the circuit', async () => {
  const id = await addAway('Tried by hand')
  await failForGood(await driver.start(id))
  await change(id, { nextRunAt: ago('1 hour'), targetProbeAt: sql`now() + interval '15 minutes'` })
  const server = await openTarget()
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED', Trigger: 'person' })
  const { TargetDownSinceUtc, NextRunAtUtc } = await read(id)
  expect(TargetDownSinceUtc).toBeNull()
  expect(Date.parse(NextRunAtUtc ?? '')).toBeGreaterThan(Date.now())
  await fireAllDue(app.services)
  expect(await runsOf(id)).toHaveLength(2)
  server.close()
})

test('correcting the target’s address makes a probe due at once', async () => {
  const id = await addAway('Moved')
  await failForGood(await driver.start(id))
  await change(id, { targetDownSince: ago('1 day'), targetProbeAt: sql`now() + interval '15 minutes'` })
  const value = { connector: 'postgres', ...target.settings }
  const body = { properties: [{ name: 'target.connectionString', value }] }
  const params = { clientId: app.harbour.id, connectorId: id }
  expect((await app.as.admin.call(connectors.change, { params, body })).status).toBe(200)
  await until(
    () => runsOf(id),
    (some) => some.length === 2 && some.every(({ CompletedAtUtc }) => CompletedAtUtc !== null),
  )
  expect(await runsOf(id)).toMatchObject([{ Status: 'COMPLETED', Trigger: 'schedule' }, { Status: 'FAILED' }])
  expect((await read(id)).TargetDownSinceUtc).toBeNull()
})

test('an unreachable source does not affect the target, and the schedule continues', async () => {
  const id = await driver.add('Source away', { port })
  await app.as.superadmin.call(connectors.change, {
    params: { clientId: app.harbour.id, connectorId: id },
    body: { schedule: '0 6 * * *' },
  })
  const failed = await failForGood(await driver.start(id))
  expect(failed.FaultCode).toBe('network.unreachable')
  expect(await read(id)).toMatchObject({ TargetDownSinceUtc: null, NextRunAtUtc: expect.stringMatching(/Z$/u) })
})
