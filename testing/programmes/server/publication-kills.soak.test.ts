/** Kills workers in the middle of publishing: each named point once as a slice, and many times with `npm run soak`. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { publications } from '@tributary/contract/publications'
import { createRandom } from '@tributary/sims/random'
import { Client } from 'pg'
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
const moments = ['before the target switches', 'between the target and the record', 'at random'] as const
type KillMoment = (typeof moments)[number]

const random = createRandom(seed)
const plan = Array.from({ length: isFull ? 30 : moments.length }, (_, at) => ({
  moment: moments[at % moments.length] ?? 'at random',
  afterMs: random.between(0, 300),
  round: at + 1,
}))

const masterKey = randomBytes(32)
let app: TestApp
let source: SourceDatabase
let driver: RunDriver
let worker: SpawnedWorker
let connectorIds: readonly string[]
let views: readonly string[]

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  source = await sourceDatabase(
    `CREATE TABLE item (id int PRIMARY KEY, round int); INSERT INTO item SELECT n, 0 FROM generate_series(1, 50) n`,
  )
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await spawnWorkerOf(app, masterKey)
  connectorIds = [await driver.add('Shop'), await driver.add('Stock')]
  await runBoth()
  const { Id: setId } = await readSet()
  const body = {
    connectors: [...connectorIds],
    tieOut: 'any',
    verifiedWithinDays: null,
    incidentAfterHours: null,
  } as const
  await app.as.admin.call(publications.save, { params: { ...client(), setId }, body })
  await runBoth()
  await until(readSet, ({ State }) => State === 'current', patienceMs)
  const found = await selectRows<{ name: string }>(
    await writerOf(app),
    `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND relnamespace = 'published'::regnamespace ORDER BY 1`,
  )
  views = found.map(({ name }) => name)
})
afterAll(async () => {
  await worker.kill('SIGTERM')
  await app[Symbol.asyncDispose]()
})

test.each(plan)(
  `[TRUST-12] a worker that is killed $moment ($afterMs ms, round $round) shows one publication or the next, and the next worker records it (seed ${seed})`,
  async ({ moment, afterMs, round }) => {
    await using reader = await watchViews()
    await source.query(`UPDATE item SET round = ${round}`)
    const [first, last] = connectorIds
    await runToEnd(first ?? '')
    await until(readSet, ({ State, Connectors }) => State === 'current' && Connectors[0]?.RunId !== null, patienceMs)
    await killWhile(moment, afterMs, () => driver.start(last ?? ''))
    worker = await spawnWorkerOf(app, masterKey)
    const latest = async () => ({ set: await readSet(), runs: await latestRuns() })
    const seen = await until(
      latest,
      ({ set, runs }) =>
        set.State === 'current' && set.Connectors.every(({ RunId }) => RunId !== null && runs.has(RunId)),
      patienceMs,
    )
    expect(seen.set.Notice).toBeNull()
    await reader.untilRead([round, round])
    expect(reader.mixtures).toEqual([])
    const { body } = await app.as.admin.call(publications.history, {
      params: { ...client(), setId: seen.set.Id },
      query: {},
    })
    expect(new Set(body.map(({ Number }) => Number)).size).toBe(body.length)
  },
  600_000,
)

/** Holds the worker at the moment, kills it there, and lets the databases continue. */
async function killWhile(moment: KillMoment, afterMs: number, begin: () => Promise<unknown>): Promise<void> {
  if (moment === 'at random') {
    await begin()
    await sleep(afterMs * 4)
    return await worker.kill('SIGKILL')
  }
  await using target = await holdLock(
    await writerOf(app),
    'LOCK TABLE published.tributary_publication_run IN SHARE MODE',
  )
  await begin()
  await untilWaiting(await writerOf(app), 'tributary_publication_run', patienceMs)
  if (moment === 'before the target switches') return await worker.kill('SIGKILL')
  await using store = await holdLock(app.connection, 'LOCK TABLE publication IN SHARE MODE')
  await target.release()
  await untilWaiting(app.connection, 'publication', patienceMs)
  await worker.kill('SIGKILL')
  await store.release()
}

/** Reads both views in one statement, again and again. */
async function watchViews() {
  const [one, other] = views
  const text = `SELECT (SELECT array_agg(DISTINCT round) FROM published.${one}) AS one, (SELECT array_agg(DISTINCT round) FROM published.${other}) AS other`
  const client = new Client(await writerOf(app))
  await client.connect()
  const over = new AbortController()
  let last: readonly number[] = []
  const mixtures: unknown[] = []
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await client.query<{ one: number[]; other: number[] }>(text)
      const now = [...(rows[0]?.one ?? []), ...(rows[0]?.other ?? [])]
      const isOlder = last.length === 2 && now.some((round, at) => round < (last[at] ?? 0))
      if (now.length !== 2 || isOlder) mixtures.push({ last, now })
      last = now
      await sleep(2)
    }
  })()
  return {
    mixtures,
    untilRead: (wanted: readonly number[]) =>
      until(
        () => Promise.resolve(last),
        (seen) => seen.join() === wanted.join(),
      ),
    async [Symbol.asyncDispose]() {
      over.abort()
      await watching
      await client.end()
    },
  }
}

const client = () => ({ clientId: app.harbour.id })

async function readSet() {
  const [set] = (await app.as.admin.call(publications.list, { params: client() })).body
  if (set === undefined) throw new Error('No database is listed.')
  return set
}

/** The latest completed run of each connector. */
async function latestRuns(): Promise<ReadonlySet<string>> {
  const rows = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('run')
      .select(['id', 'status'])
      .distinctOn('connectorId')
      .where('mode', 'in', ['incremental', 'full'])
      .orderBy('connectorId')
      .orderBy('queuedAt', 'desc')
      .execute(),
  )
  return new Set(rows.filter(({ status }) => status === 'COMPLETED').map(({ id }) => id))
}

/** On a busy machine a worker may lose its lease, and the run begins again. */
const patienceMs = 120_000

async function runToEnd(connectorId: string) {
  const isOver = ({ Status }: { readonly Status: string }) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)
  return await driver.until(await driver.start(connectorId), isOver, patienceMs)
}

async function runBoth(): Promise<void> {
  for (const connectorId of connectorIds) {
    const { Status } = await runToEnd(connectorId)
    expect(Status).toBe('COMPLETED')
  }
}
