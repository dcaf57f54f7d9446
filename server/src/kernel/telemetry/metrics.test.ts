import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'
import { systemClock } from '../clock.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { gauges, noMetrics } from './metrics.ts'

const token = 'canary-metrics-token'
let app: TestApp
let worker: Worker
let driver: RunDriver
let source: SourceDatabase
let port: number

beforeAll(async () => {
  port = await findFreePort()
  const env = {
    TRIBUTARY_METRICS_TOKEN: token,
    TRIBUTARY_METRICS_PORT: String(port),
    TRIBUTARY_METRICS_CONNECTORS: '2',
  }
  app = await testApp({ env })
  worker = await startWorker({ ...app.services, clock: systemClock }, { pollMs: 200 })
  source = await sourceDatabase(
    `CREATE TABLE things (id int PRIMARY KEY); INSERT INTO things SELECT generate_series(1, 30)`,
  )
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

async function asked(authorization?: string): Promise<{ status: number; text: string }> {
  const reply = await app.http.inject({
    url: '/metrics',
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: reply.statusCode, text: reply.body }
}

async function figures(): Promise<ReadonlyMap<string, number>> {
  // The values from the store are cached for a few seconds.
  app.clock.advance(5_000)
  const { text } = await asked(`Bearer ${token}`)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

test('metrics are served on a separate port, and on the main port only with the token', async () => {
  for (const wrong of [undefined, 'Bearer', 'Bearer wrong', token]) expect((await asked(wrong)).status).toBe(401)
  expect((await asked(`Bearer ${token}`)).status).toBe(200)
  const own = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(await own.text()).toContain('# TYPE http_request_duration_seconds histogram')
  expect((await fetch(`http://127.0.0.1:${port}/api/users`)).status).toBe(404)
})

test('a run is counted by type and result, with its rows and its time', async () => {
  const id = await driver.add('Counted')
  await driver.runToEnd(id)
  const seen = await figures()
  expect(seen.get('tributary_runs_total{type="postgres",result="completed"}')).toBe(1)
  expect(seen.get('tributary_rows_written_total{type="postgres",change="inserted"}')).toBe(30)
  expect(seen.get('tributary_run_duration_seconds_count{type="postgres",result="completed"}')).toBe(1)
  const route = '/api/tributary/clients/:clientId/connectors/:connectorId/process'
  expect(seen.get(`http_request_duration_seconds_count{route="${route}",method="POST",status="2xx"}`)).toBe(1)
  expect(seen.get('tributary_store_up')).toBe(1)
  expect(seen.get('tributary_queue_depth{state="running"}')).toBe(0)
  for (const reason of ['worker', 'share', 'retry', 'verification', 'connection', 'approval'])
    expect(seen.get(`tributary_runs_waiting{reason="${reason}"}`)).toBe(0)
  expect(seen.get('tributary_needed_memory_bytes')).toBe(0)
})

test('[SCALE-5] the memory that runs need is reported while they run, and no memory afterwards', async () => {
  const id = await driver.add('Held')
  await using lock = await source.lock('things')
  const run = await driver.start(id)
  await driver.until(run, ({ Status }) => Status === 'RUNNING')
  expect((await figures()).get('tributary_needed_memory_bytes')).toBeGreaterThanOrEqual(32 * 1024 ** 2)
  await lock.open()
  await driver.until(run, ({ Status }) => Status === 'COMPLETED')
  expect((await figures()).get('tributary_needed_memory_bytes')).toBe(0)
})

test('freshness is reported by type, and by connector up to the configured number, without deleted connectors', async () => {
  const ids: string[] = []
  // Connectors of other tests have schedules, too.
  await app.store.within(app.harbour.id, (db) => db.updateTable('connector').set({ schedule: null }).execute())
  for (const name of ['Fresh one', 'Fresh two', 'Fresh three']) {
    const id = await driver.add(name)
    await driver.runToEnd(id)
    await app.store.within(app.harbour.id, (db) =>
      db.updateTable('connector').set({ schedule: '0 3 1 1 *' }).where('id', '=', id).execute(),
    )
    ids.push(id)
  }
  const reported = async () =>
    [...(await figures()).keys()].flatMap(
      (line) => /^tributary_freshness_seconds\{connector="([^"]+)"/u.exec(line)?.[1] ?? [],
    )
  expect((await reported()).toSorted()).toEqual(ids.slice(0, 2).toSorted())
  expect((await figures()).get('tributary_type_freshness_seconds{type="postgres",quantile="1"}')).toBeGreaterThan(0)
  await app.as.admin.call(connectors.remove, { params: { clientId: app.harbour.id, connectorId: ids[0] ?? '' } })
  expect((await reported()).toSorted()).toEqual(ids.slice(1).toSorted())
})

test('the number of labels is bounded, whatever addresses, methods and organisations are called', async () => {
  const call = (at: number) =>
    Promise.all([
      app.as.admin.send('GET', `/api/tributary/clients/${app.harbour.id}/connectors/0000${at}`),
      app.as.visitor.send('GET', `/api/nothing-${at}`),
      app.http.inject({ method: 'OPTIONS', url: `/nothing-${at}` }),
      app.http.inject({ method: 'PROPFIND' as 'GET', url: `/${at}`, headers: { host: 'localhost' } }),
    ])
  await call(0)
  const before = await figures()
  for (let at = 1; at < 60; at += 1) await call(at)
  const after = await figures()
  expect([...after.keys()].filter((line) => !before.has(line))).toEqual([])
  expect([...after.keys()].join('\n')).not.toMatch(/@|nothing-|0000/u)
})

test('the age of the last backup is reported once there is one', async () => {
  expect([...(await figures()).keys()].filter((line) => line.includes('backup'))).toEqual([])
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  for (const madeAt of [hoursAgo(30), hoursAgo(2)])
    await app.store.across((db) => db.insertInto('backup').values({ madeAt, bytes: 1, rows: 1 }).execute())
  const age = (await figures()).get('tributary_backup_age_seconds') ?? 0
  expect([age >= 7_200, age < 7_500]).toEqual([true, true])
})

test('every metric has a help text, and every gauge with a value is reported', async () => {
  const { text } = await asked(`Bearer ${token}`)
  expect(text).not.toContain('description missing')
  const reported = new Set([...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name))
  // This installation has no open incident.
  expect(Object.keys(gauges).filter((name) => !reported.has(name))).toEqual(['tributary_incidents'])
})

test('without a port or a token there are no metrics and no endpoint', async () => {
  await using other = await testApp()
  expect(other.services.metrics).toBe(noMetrics)
  const reply = await other.http.inject({ url: '/metrics', headers: { authorization: 'Bearer ' } })
  expect(reply.body).not.toContain('# TYPE')
})
