/** Kills workers in the middle of erasing a person: each named point once as a slice, and many times with `npm run soak`. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { closedPeriods } from '@tributary/contract/closed-periods'
import { history } from '@tributary/contract/history'
import { historyErasures } from '@tributary/contract/history-erasures'
import { reportMarks } from '@tributary/contract/report-marks'
import { runs } from '@tributary/contract/runs'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writerOf } from '../../server/access/warehouse-login.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { RunDriver, until } from '../../server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '../../server/connectors/source-database.ts'
import { holdLock, selectRows, untilWaiting } from '../../server/processes/held-lock.ts'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { spawnWorkerOf } from '../../server/processes/spawn-worker-of.ts'
import { isFull, seed } from '../extent.ts'

/** When the worker dies. */
const moments = [
  'while it counts',
  'when the first of two tables is cleared',
  'between the target and the record',
  'at random',
] as const
type KillMoment = (typeof moments)[number]

const random = createRandom(seed)
/** Each round erases another person. */
const plan = Array.from({ length: isFull ? 32 : moments.length }, (_, at) => ({
  moment: moments[at % moments.length] ?? 'at random',
  afterMs: random.between(0, 800),
  id: at + 1,
}))
const people = plan.length + 5
/** Of each person. */
const versions = 2
const invoicesOfEach = 20

const masterKey = randomBytes(32)
let app: TestApp
let source: SourceDatabase
let driver: RunDriver
let worker: SpawnedWorker
let params: { readonly clientId: string; readonly connectorId: string }

/** On a busy machine a worker may lose its lease, and the run begins again. */
const patienceMs = 120_000

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  source = await sourceDatabase(`
    CREATE TABLE customer (id int PRIMARY KEY, name text, email text, owes numeric(12, 2), since date);
    INSERT INTO customer SELECT n, 'Person ' || n, 'old' || n || '@people.example', n, '2026-06-01' FROM generate_series(1, ${people}) n;
    CREATE TABLE invoice (id int PRIMARY KEY, customer_id int REFERENCES customer, payer_name text, total numeric(12, 2));
    INSERT INTO invoice SELECT n, 1 + n % ${people}, 'Person ' || 1 + n % ${people}, n FROM generate_series(1, ${invoicesOfEach * people}) n`)
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await spawnWorkerOf(app, masterKey)
  params = { clientId: app.harbour.id, connectorId: await driver.add('Shop') }
  await app.as.admin.call(history.save, { params, body: { tables: 'all' } })
  const table = { dateColumn: 'since', numberColumn: null, accountColumn: null, amountColumn: null }
  const body = { isOn: true, administratorDate: null, table: { stream: 'public.customer', ...table } }
  await app.as.admin.call(closedPeriods.save, { params, body })
  await runToEnd()
  await app.as.admin.call(reportMarks.create, { params, body: { name: 'June', periodEnd: '2026-06-30' } })
  await source.query(`UPDATE customer SET email = 'new' || id || '@people.example'`)
  await runToEnd()
})
afterAll(async () => {
  await worker.kill('SIGTERM')
  await app[Symbol.asyncDispose]()
})

test.each(plan)(
  `[TRUST-6] [TRUST-9] after a worker is killed $moment ($afterMs ms), the next one erases person $id whole and no one else, and the mark says how many rows (seed ${seed})`,
  async ({ moment, afterMs, id }) => {
    const before = await whatStays(id)
    await killWhile(moment, afterMs, id)
    expect(wholeOrNothing).toContainEqual(await textsOf(id))
    worker = await spawnWorkerOf(app, masterKey)
    expect(await ended()).toMatchObject({
      State: 'completed',
      Notice: null,
      Tables: [
        { Table: 'customer', Versions: versions },
        { Table: 'invoice', Versions: invoicesOfEach },
      ],
    })
    expect(await textsOf(id)).toEqual({ customers: 0, invoices: 0 })
    expect(await whatStays(id)).toBe(before)
    const erasures = await erasuresOfMark()
    expect([erasures.length, erasures[0]]).toMatchObject([
      id,
      { Versions: 1 + invoicesOfEach, IsConfirmed: true, By: 'Amara Okafor' },
    ])
    expect(await selectRows(app.connection, 'SELECT 1 FROM history_erasure_search')).toEqual([])
  },
  600_000,
)

test(`[TRUST-6] [TRUST-9] an erasure that is cancelled before a worker records what it cleared is not confirmed, here and on the mark, and can be repeated (seed ${seed})`, async () => {
  const id = plan.length + 1
  await killWhile('between the target and the record', 0, id)
  await cancel()
  expect(await ended()).toMatchObject({ State: 'unconfirmed', CompletedAtUtc: null })
  expect((await erasuresOfMark())[0]).toMatchObject({ Versions: 1 + invoicesOfEach, IsConfirmed: false })
  await erase(id)
  expect(await ended()).toMatchObject({ State: 'completed' })
  expect(await textsOf(id)).toEqual({ customers: 0, invoices: 0 })
}, 600_000)

test(`[TRUST-6] [TRUST-9] an erasure that is cancelled before it clears anything has failed, and neither rows nor the mark say otherwise (seed ${seed})`, async () => {
  const id = plan.length + 2
  const before = [await textsOf(id), await erasuresOfMark()]
  await killWhile('while it counts', 0, id)
  await cancel()
  expect(await ended()).toMatchObject({ State: 'failed', Tables: [] })
  expect([await textsOf(id), await erasuresOfMark()]).toEqual(before)
}, 600_000)

/** Holds the worker at the moment, kills it there, and lets the databases continue. */
async function killWhile(moment: KillMoment, afterMs: number, id: number): Promise<void> {
  if (moment === 'at random') {
    await erase(id)
    await sleep(afterMs)
    return await worker.kill('SIGKILL')
  }
  const [table, mode] =
    moment === 'while it counts'
      ? (['customer__history', 'ACCESS EXCLUSIVE'] as const)
      : (['invoice__history', 'SHARE'] as const)
  const writer = await writerOf(app)
  await using target = await holdLock(writer, `LOCK TABLE shop.${table} IN ${mode} MODE`)
  await erase(id)
  await untilWaiting(writer, table, patienceMs)
  if (moment !== 'between the target and the record') return await worker.kill('SIGKILL')
  await using store = await holdLock(app.connection, 'LOCK TABLE history_erasure IN SHARE MODE')
  await target.release()
  await untilWaiting(app.connection, 'history_erasure', patienceMs)
  await worker.kill('SIGKILL')
  await store.release()
}

async function erase(id: number): Promise<void> {
  const { status, body } = await app.as.admin.call(historyErasures.start, {
    params,
    body: {
      stream: 'public.customer',
      column: 'id',
      value: String(id),
      columns: { customer: ['name', 'email'], invoice: ['payer_name'] },
    },
  })
  if (status !== 202) throw new Error(`The erasure was answered with ${status}: ${JSON.stringify(body)}`)
}

/** Requests it, and starts the worker that ends the run of the dead one. */
async function cancel(): Promise<void> {
  const runId = (await latest())?.RunId ?? ''
  const { status } = await app.as.admin.call(runs.cancel, { params: { ...params, runId } })
  expect(status).toBeLessThan(300)
  worker = await spawnWorkerOf(app, masterKey)
}

async function latest() {
  const [erasure] = (await app.as.admin.call(historyErasures.list, { params })).body
  return erasure
}

const ended = () => until(latest, (erasure) => erasure?.State !== 'underWay', patienceMs)

async function erasuresOfMark() {
  const [mark] = (await app.as.admin.call(reportMarks.list, { params })).body
  return mark?.Erasures ?? []
}

const wholeOrNothing = [
  { customers: versions, invoices: invoicesOfEach },
  { customers: 0, invoices: 0 },
]

/** How many row versions still name the person, in one statement. */
async function textsOf(id: number) {
  const [found] = await selectRows<{ customers: number; invoices: number }>(
    await writerOf(app),
    `SELECT (SELECT count(*)::int FROM shop.customer__history WHERE id = ${id} AND (name IS NOT NULL OR email IS NOT NULL)) AS customers,
      (SELECT count(*)::int FROM shop.invoice__history WHERE customer_id = ${id} AND payer_name IS NOT NULL) AS invoices`,
  )
  return found
}

/** A digest of all values but the texts of the person. */
async function whatStays(id: number): Promise<string> {
  const [found] = await selectRows<{ digest: string }>(
    await writerOf(app),
    `SELECT md5(string_agg(line, ',' ORDER BY line)) AS digest FROM (
      SELECT concat_ws('/', id, owes, since, valid_from, valid_to, CASE WHEN id <> ${id} THEN concat(name, email) END) AS line FROM shop.customer__history
      UNION ALL SELECT concat_ws('/', id, customer_id, total, valid_from, valid_to, CASE WHEN customer_id <> ${id} THEN payer_name END) FROM shop.invoice__history) kept`,
  )
  return found?.digest ?? ''
}

async function runToEnd(): Promise<void> {
  const isOver = ({ Status }: { readonly Status: string }) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)
  const { Status } = await driver.until(await driver.start(params.connectorId), isOver, patienceMs)
  expect(Status).toBe('COMPLETED')
}
