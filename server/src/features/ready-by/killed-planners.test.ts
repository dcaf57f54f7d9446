/** *Ready by* while the processes that plan and start are killed. */
import { type LargeStore, openLargeStore } from '@tributary/testing/server/connectors/large-store.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SpawnedWorker, spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const organisations = 120
const connectors = 1_200
/** Archived organisations have no promises. */
const active = connectors - connectors / 100 + 2

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

const spawn = (): Promise<SpawnedWorker> =>
  spawnWorker({
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: Buffer.alloc(32).toString('base64'),
    allowHosts: [],
    options: { pollMs: 20 },
    only: 'readyBy',
  })

const planned = () => count('ready_by_plan WHERE start_at IS NOT NULL')
const waiting = () => count('ready_by_plan WHERE started_at IS NULL')

test('[SCALE-3] processes that are killed while they plan, between planning and firing, and while they fire lose no promise and start no run twice', async () => {
  // The index would prevent the second run that the test looks for.
  await superuser.query('TRUNCATE run CASCADE; DELETE FROM tributary_queue.job; DROP INDEX run_open')
  await superuser.query(
    `INSERT INTO ready_by_wish (organisation_id, is_on, minute, days, max_age_hours)
     SELECT id, true, (extract(hour FROM at) * 60 + extract(minute FROM at))::int, '{1,2,3,4,5,6,7}', 4
     FROM organisation, LATERAL (SELECT (now() + interval '8 hours') AT TIME ZONE time_zone AS at) AS wished WHERE key LIKE 'generated-%'`,
  )
  const first = await spawn()
  await until(planned, (plans) => plans > 0, 60_000)
  await first.kill('SIGKILL')
  const second = await spawn()
  await until(planned, (plans) => plans === active, 60_000)
  await second.kill('SIGKILL')
  expect(await count('run')).toBe(0)
  // As if the time of all starts had come.
  await superuser.query(`UPDATE ready_by_plan SET start_at = now(), earliest_at = now() - interval '1 minute'`)
  for (let kills = 0; kills < 3; kills += 1) {
    const pair = await Promise.all([spawn(), spawn()])
    for (const worker of pair) await worker.kill('SIGKILL')
  }
  await using last = await spawn()
  await until(waiting, (plans) => plans === 0, 60_000)
  await last.kill('SIGTERM')
  expect(await count('run')).toBe(active)
  expect(await count('(SELECT DISTINCT connector_id FROM run) AS started')).toBe(active)
  expect(await count('tributary_queue.job JOIN run ON job.singleton_key = run.id::text')).toBe(active)
  expect(
    await count('ready_by_plan JOIN run ON run.id = run_id AND run.connector_id = ready_by_plan.connector_id'),
  ).toBe(active)
}, 180_000)
