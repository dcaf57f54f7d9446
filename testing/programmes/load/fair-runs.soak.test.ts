/**
 * One organisation has many connectors that are always due, the others have one each. Real workers execute real runs. What the others
 * wait is compared with the same runs without that organisation, in rounds that alternate.
 */
import { randomBytes } from 'node:crypto'
import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startScheduledRuns } from '../../../server/src/connections/connectors/start-run.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { quantile } from '../../bench/server/client.ts'
import { RunDriver, until } from '../../server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '../../server/connectors/source-database.ts'
import { spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, printFigure } from '../extent.ts'

const others = isFull ? 49 : 11
const connectorsOfLarge = isFull ? 500 : 40
const rounds = isFull ? 10 : 2
const workers = 2
/** Four first runs of a database at once; more of them once their need is known. */
const workerMemoryMb = 512
const masterKey = randomBytes(32)

let app: TestApp
let source: SourceDatabase
let target: SourceDatabase

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  source = await sourceDatabase(
    `CREATE TABLE orders (id int PRIMARY KEY, text text); INSERT INTO orders SELECT n, repeat('x', 100) FROM generate_series(1, 2000) n`,
  )
  target = await sourceDatabase('SELECT 1')
})
afterAll(() => app[Symbol.asyncDispose]())

/** Adds an organisation with connectors. Returns the organisation's id and those of its connectors. */
async function addOrganisation(companyName: string, connectors: number) {
  const { body } = await app.as.superadmin.call(users.createOrganisation, { body: { companyName } })
  const driver = new RunDriver(app.as.superadmin, body.Id, source)
  const connectorIds: string[] = []
  for (let number = 1; number <= connectors; number += 1) {
    const schema = `s_${body.Key.replaceAll('-', '_')}_${number}`
    connectorIds.push(
      await driver.add(`Orders ${number}`, {}, [
        { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
        { name: 'target.schema', value: schema },
      ]),
    )
  }
  return { id: body.Id, connectorIds }
}

/** A connector with an unfinished run is skipped, as by a schedule. */
function makeDue(connectorIds: readonly string[]): Promise<void> {
  return app.store.across((db) => startScheduledRuns(db, app.services.queue, connectorIds))
}

function countUnfinished(connectorIds: readonly string[]): Promise<number> {
  return app.store.across(async (db) => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM run
      WHERE connectorId = ANY (${connectorIds}::uuid[]) AND status IN ('QUEUED', 'RUNNING', 'WAITING')`.execute(db)
    return rows[0]?.count ?? 0
  })
}

interface RunWait {
  readonly seconds: number
  /** Runs of the large organisation that began while this one waited. */
  readonly overtakenBy: number
}

/** Makes the connectors due, and waits until their runs have ended. */
async function measureWaits(connectorIds: readonly string[], largeId: string): Promise<readonly RunWait[]> {
  const { rows: before } = await app.store.across((db) => sql<{ at: string }>`SELECT now() AS at`.execute(db))
  await makeDue(connectorIds)
  await until(
    () => countUnfinished(connectorIds),
    (left) => left === 0,
    600_000,
  )
  const { rows } = await app.store.across((db) =>
    sql<RunWait>`SELECT extract(epoch FROM startedAt - queuedAt)::float8 AS seconds,
      (SELECT count(*) FROM run AS large WHERE large.organisationId = ${largeId} AND large.startedAt > run.queuedAt AND large.startedAt < run.startedAt) AS "overtakenBy"
      FROM run WHERE connectorId = ANY (${connectorIds}::uuid[]) AND queuedAt >= ${before[0]?.at ?? ''} AND status = 'COMPLETED'`.execute(
      db,
    ),
  )
  expect(rows).toHaveLength(connectorIds.length)
  return rows
}

/** Keeps every connector due until it is stopped; then ends what is left. */
function keepDue(organisationId: string, connectorIds: readonly string[]): () => Promise<void> {
  const stopping = new AbortController()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await makeDue(connectorIds)
      await systemClock.sleep(200)
    }
  })()
  return async () => {
    stopping.abort()
    await loop
    await app.store.within(organisationId, (db) =>
      db
        .updateTable('run')
        .set({ status: 'CANCELLED', completedAt: sql`now()` })
        .where('organisationId', '=', organisationId)
        .where('status', '=', 'QUEUED')
        .execute(),
    )
    await until(
      () => countUnfinished(connectorIds),
      (left) => left === 0,
      60_000,
    )
  }
}

test(
  `[SCALE-2] an organisation with ${connectorsOfLarge} connectors that are always due delays none of ${others} others`,
  async () => {
    const large = await addOrganisation('Large', connectorsOfLarge)
    const connectorIds: string[] = []
    for (let number = 1; number <= others; number += 1)
      connectorIds.push(...(await addOrganisation(`Small ${number}`, 1)).connectorIds)
    // The order alone protects the others, not a limit.
    await app.as.superadmin.call(organisations.changeRunShare, {
      params: { clientId: large.id },
      body: { runsMax: 100, weight: 1 },
    })
    await app.store.across((db) => sql`UPDATE connector SET verifySeconds = 0, schedule = NULL`.execute(db))
    const { host, port } = inject('postgres')
    await using processes = new AsyncDisposableStack()
    for (let number = 0; number < workers; number += 1)
      processes.use(
        await spawnWorker({
          connection: app.connection,
          warehouse: app.services.warehouse,
          masterKey: masterKey.toString('base64'),
          allowHosts: [`${host}:${port}`],
          options: { memoryMb: workerMemoryMb, pollMs: 1_000 },
        }),
      )
    // The first runs create tables, and what they need is not known.
    await measureWaits(connectorIds, large.id)
    const [alone, together]: [RunWait[], RunWait[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      alone.push(...(await measureWaits(connectorIds, large.id)))
      const stop = keepDue(large.id, large.connectorIds)
      await until(
        () => countUnfinished(large.connectorIds),
        (left) => left > connectorsOfLarge / 2,
      )
      await systemClock.sleep(1_000)
      together.push(...(await measureWaits(connectorIds, large.id)))
      await stop()
    }
    const p99 = (waits: readonly RunWait[]) =>
      quantile(
        waits.map(({ seconds }) => seconds),
        0.99,
      )
    const ratio = p99(together) / p99(alone)
    const most = Math.max(...together.map(({ overtakenBy }) => overtakenBy))
    printFigure(
      `${others} organisations with a run each, ${rounds} times, next to ${connectorsOfLarge} connectors that are always due: p99 of waiting ${p99(together).toFixed(1)} s, ${p99(alone).toFixed(1)} s without them, ratio ${ratio.toFixed(2)}; at most ${most} of their runs began while another waited`,
    )
    // In the order of arrival all that were queued before would begin first.
    expect(most).toBeLessThan(connectorsOfLarge / 4)
    if (isFull) expect(ratio).toBeLessThanOrEqual(2)
  },
  isFull ? 3_600_000 : 180_000,
)
