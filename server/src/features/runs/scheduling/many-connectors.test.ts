/** Schedules in a store with many connectors: several schedulers that are killed, and what each poll reads. */
import { type LargeStore, openLargeStore } from '@tributary/testing/server/connectors/large-store.ts'
import { countRowsRead } from '@tributary/testing/server/app/rows-read.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SpawnedWorker, spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fireAllDue } from './fire-schedules.ts'
import { fireDueVerifications } from './fire-verifications.ts'

const organisations = 1_000
const connectors = 10_000
/** Those of archived organisations do not fire. */
const active = connectors - connectors / 100
/** Of 10,000 connectors; 50 of them are due. */
const readMax = 500

let store: LargeStore
let app: TestApp
let superuser: Client
beforeAll(async () => {
  store = await openLargeStore({ connectors, organisations })
  ;({ app, superuser } = store)
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

async function count(statement: string): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`)
  return rows[0]?.count ?? 0
}

const setDue = (rows: number) =>
  superuser.query(
    `UPDATE connector SET next_run_at = now() - interval '1 second' WHERE id IN (SELECT id FROM connector WHERE key LIKE 'c-%' ORDER BY id LIMIT $1)`,
    [rows],
  )

test('[SCALE-4] a poll for due schedules reads the due connectors and no others, and moves those of archived organisations on', async () => {
  await setDue(50)
  await superuser.query('VACUUM (ANALYZE) connector, run, organisation')
  const read = await countRowsRead(app, (store) => fireAllDue({ ...app.services, store }))
  expect(Object.fromEntries([...read].filter(([, rows]) => rows > readMax))).toEqual({})
  expect(await count('connector WHERE next_run_at <= now()')).toBe(0)
  const idle = await countRowsRead(app, (store) => fireAllDue({ ...app.services, store }))
  expect(idle.get('connector')).toBeLessThan(100)
})

test('[SCALE-4] a poll for due verifications reads the due connectors and no others', async () => {
  // Those without an unfinished run.
  await superuser.query(
    `UPDATE connector SET verify_next_at = now() - interval '1 second' WHERE id IN (SELECT id FROM connector WHERE key LIKE 'c-%' ORDER BY id DESC LIMIT 50)`,
  )
  const read = await countRowsRead(app, (store) => fireDueVerifications({ ...app.services, store }))
  expect(Object.fromEntries([...read].filter(([, rows]) => rows > readMax))).toEqual({})
  expect(await count('connector WHERE verify_next_at <= now()')).toBe(0)
})

test('[SCALE-4] four schedulers at once, of which three are killed while they fire, commit each due run and its job exactly once', async () => {
  await superuser.query(`UPDATE run SET status = 'CANCELLED', completed_at = now() WHERE status IN ('QUEUED', 'RUNNING', 'WAITING');
    DELETE FROM tributary_queue.job`)
  // The index would prevent the second run that the test looks for.
  await superuser.query('DROP INDEX run_open')
  await setDue(connectors)
  const schedulers = await Promise.all(Array.from({ length: 4 }, spawn))
  for (const scheduler of schedulers.slice(1)) await scheduler.kill('SIGKILL')
  await until(
    () => count('connector WHERE next_run_at <= now()'),
    (due) => due === 0,
    60_000,
  )
  await schedulers[0]?.kill('SIGTERM')
  expect(await count(`run WHERE status = 'QUEUED'`)).toBe(active)
  expect(await count(`(SELECT DISTINCT connector_id FROM run WHERE status = 'QUEUED') AS fired`)).toBe(active)
  expect(await count('tributary_queue.job')).toBe(active)
  expect(
    await count(`run JOIN tributary_queue.job ON job.singleton_key = run.id::text WHERE run.status = 'QUEUED'`),
  ).toBe(active)
}, 120_000)

function spawn(): Promise<SpawnedWorker> {
  return spawnWorker({
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: Buffer.alloc(32).toString('base64'),
    allowHosts: [],
    options: { pollMs: 20 },
    only: 'schedules',
  })
}
