/** In which order runs are claimed, and what an autoscaler reads. The store and its functions are real; no run is executed. */
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { claimNextRun, claimRun, type FreeMemory, releaseRun, type RunClaim } from './claim-run.ts'
import { correctCharge, learnNeed } from './run-needs.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() =>
  across(async (db) => {
    await sql`DELETE FROM run; DELETE FROM runQueue; DELETE FROM runNeed; DELETE FROM runShare`.execute(db)
  }),
)

function across<T>(work: (db: Db) => Promise<T>): Promise<T> {
  return app.store.across(work)
}

const much: FreeMemory = { freeMb: 100_000, isIdle: false }
let created = 0

/** Adds connectors to the organisation, each with a queued run. Returns the ids of the runs. */
function queueRuns(organisationId: string, count: number): Promise<readonly string[]> {
  return across(async (db) => {
    const connectors = await db
      .insertInto('connector')
      .values(
        Array.from({ length: count }, () => {
          created += 1
          const key = `queued-${created}`
          return { organisationId, key, type: 'postgres', name: key, originalName: key, status: 'CONNECTED' as const }
        }),
      )
      .returning('id')
      .execute()
    const ids: string[] = []
    for (const { id: connectorId } of connectors) {
      const run = { organisationId, connectorId, mode: 'incremental', trigger: 'schedule' } as const
      ids.push((await db.insertInto('run').values(run).returning('id').executeTakeFirstOrThrow()).id)
    }
    return ids
  })
}

function claimNext(worker: string, memory: FreeMemory) {
  return across((db) => claimNextRun(db, worker, memory))
}

/** What the run's connector needed before. */
function setNeed(runId: string, memoryMb: number, seconds: number): Promise<void> {
  return across(async (db) => {
    await sql`INSERT INTO runNeed (organisationId, connectorId, mode, rows, memoryMb, seconds)
      SELECT organisationId, connectorId, mode, 1, ${memoryMb}, ${seconds} FROM run WHERE id = ${runId}`.execute(db)
  })
}

/** Ends the run after this time, like a worker. */
function complete(claim: RunClaim | undefined, seconds = 60): Promise<void> {
  if (claim === undefined) throw new Error('No run was claimed.')
  return app.store.within(claim.organisationId, async (db) => {
    await releaseRun(db, claim, { status: 'COMPLETED' }, {})
    await correctCharge(db, claim, seconds)
  })
}

function setShare(organisationId: string, runsMax: number, weight: number): Promise<void> {
  return across(async (db) => {
    await db.insertInto('runShare').values({ organisationId, runsMax, weight }).execute()
  })
}

/** Claims and completes runs one after the other, each of a minute. Returns how many were claimed of each organisation. */
async function serve(count: number): Promise<Record<string, number>> {
  const served: Record<string, number> = { [app.harbour.id]: 0, [app.summit.id]: 0 }
  for (let turn = 0; turn < count; turn += 1) {
    const { claim } = await claimNext('one worker', much)
    await complete(claim)
    if (claim !== undefined) served[claim.organisationId] = (served[claim.organisationId] ?? 0) + 1
  }
  return served
}

test('[SCALE-2] an organisation with many queued runs and one with few are served alternately', async () => {
  await queueRuns(app.harbour.id, 40)
  await queueRuns(app.summit.id, 5)
  expect(await serve(10)).toEqual({ [app.harbour.id]: 5, [app.summit.id]: 5 })
})

test('[SCALE-2] an organisation of weight three is served three times as often', async () => {
  await setShare(app.harbour.id, 2, 3)
  await queueRuns(app.harbour.id, 40)
  await queueRuns(app.summit.id, 40)
  const served = await serve(24)
  expect(served[app.harbour.id]).toBeGreaterThanOrEqual(17)
  expect(served[app.harbour.id]).toBeLessThanOrEqual(19)
})

test('[SCALE-2] runs count by memory and time: an organisation with long runs has fewer', async () => {
  const long = await queueRuns(app.harbour.id, 20)
  for (const id of long) await setNeed(id, 102.4, 180)
  await queueRuns(app.summit.id, 30)
  const served: Record<string, number> = {}
  for (let turn = 0; turn < 16; turn += 1) {
    const { claim } = await claimNext('one worker', much)
    await complete(claim, claim?.organisationId === app.harbour.id ? 180 : 60)
    if (claim !== undefined) served[claim.organisationId] = (served[claim.organisationId] ?? 0) + 1
  }
  expect(served).toEqual({ [app.harbour.id]: 4, [app.summit.id]: 12 })
})

test('[SCALE-2] time without runs earns no credit', async () => {
  await queueRuns(app.harbour.id, 60)
  await serve(20)
  await queueRuns(app.summit.id, 40)
  const served = await serve(10)
  expect(served[app.harbour.id]).toBeGreaterThanOrEqual(4)
})

test('[SCALE-2] an organisation has as many concurrent runs as its share, from any number of workers', async () => {
  await setShare(app.summit.id, 5, 1)
  await queueRuns(app.harbour.id, 10)
  await queueRuns(app.summit.id, 10)
  const claims: RunClaim[] = []
  for (let round = 0; round < 10; round += 1) {
    const found = await Promise.all([1, 2, 3, 4].map((worker) => claimNext(`worker ${worker}`, much)))
    claims.push(...found.flatMap(({ claim }) => claim ?? []))
  }
  expect(new Set(claims.map(({ runId }) => runId)).size).toBe(claims.length)
  const of = (id: string) => claims.filter(({ organisationId }) => organisationId === id)
  expect([of(app.harbour.id).length, of(app.summit.id).length]).toEqual([2, 5])
  await complete(of(app.harbour.id)[0])
  expect((await claimNext('worker 1', much)).claim?.organisationId).toBe(app.harbour.id)
})

test('[SCALE-2] many workers claim every run exactly once', async () => {
  await setShare(app.harbour.id, 100, 1)
  await setShare(app.summit.id, 100, 1)
  const ids = [...(await queueRuns(app.harbour.id, 40)), ...(await queueRuns(app.summit.id, 40))]
  const claimed: string[] = []
  const worker = async (name: string) => {
    for (let misses = 0; misses < 20;) {
      const { claim } = await claimNext(name, much)
      if (claim === undefined) misses += 1
      else claimed.push(claim.runId)
    }
  }
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(worker))
  expect(claimed.toSorted()).toEqual(ids.toSorted())
})

test('[SCALE-2] a worker claims what fits into its free memory; a run larger than all of it runs alone', async () => {
  const [small = '', large = ''] = await queueRuns(app.harbour.id, 2)
  await setNeed(small, 80, 10)
  await setNeed(large, 8_000, 10)
  expect(await claimNext('worker', { freeMb: 99, isIdle: false })).toEqual({ claim: undefined, isFull: true })
  const first = await claimNext('worker', { freeMb: 100, isIdle: false })
  expect(first.claim).toMatchObject({ runId: small, memoryMb: 100 })
  expect(await claimNext('worker', { freeMb: 1_000, isIdle: false })).toEqual({ claim: undefined, isFull: true })
  expect((await claimNext('worker', { freeMb: 1_000, isIdle: true })).claim?.runId).toBe(large)
})

test('[SCALE-2] small runs do not delay a large one for ever: one worker frees memory for it, and the others continue', async () => {
  const [large = ''] = await queueRuns(app.harbour.id, 1)
  await setNeed(large, 800, 10)
  await queueRuns(app.summit.id, 2)
  const little = { freeMb: 200, isIdle: false }
  expect((await claimNext('first', little)).isFull).toBe(true)
  expect((await claimNext('first', little)).claim).toBeUndefined()
  expect((await claimNext('second', little)).claim?.organisationId).toBe(app.summit.id)
  expect((await claimNext('first', { freeMb: 1_000, isIdle: false })).claim?.runId).toBe(large)
  expect((await claimNext('first', little)).claim?.organisationId).toBe(app.summit.id)
})

test('a worker that has died reserves no memory for longer than a quarter of a minute', async () => {
  const [large = ''] = await queueRuns(app.harbour.id, 1)
  await setNeed(large, 800, 10)
  await claimNext('dead', { freeMb: 200, isIdle: false })
  await across((db) => sql`UPDATE runQueue SET reservedUntil = reservedUntil - interval '16 seconds'`.execute(db))
  await claimNext('alive', { freeMb: 200, isIdle: false })
  const place = await across((db) => db.selectFrom('runQueue').select('reservedBy').executeTakeFirstOrThrow())
  expect(place.reservedBy).toBe('alive')
})

test('what a run needed is learned, and an exceptional run is forgotten', async () => {
  const [runId = ''] = await queueRuns(app.harbour.id, 1)
  const claim = await across((db) => claimRun(db, runId, 'worker'))
  if (claim === undefined) throw new Error('The run was not claimed.')
  const learn = (memoryMb: number, isComplete = true) =>
    app.store.within(app.harbour.id, (db) => learnNeed(db, claim, { memoryMb, seconds: 4 }, isComplete))
  const needed = async () =>
    (
      await app.store.within(app.harbour.id, (db) =>
        db.selectFrom('runNeed').select('memoryMb').where('organisationId', '=', app.harbour.id).executeTakeFirst(),
      )
    )?.memoryMb
  await learn(5, false)
  expect(await needed()).toBeUndefined()
  await learn(1_000)
  expect(await needed()).toBe(1_000)
  for (let run = 0; run < 30; run += 1) await learn(100)
  expect(await needed()).toBe(100)
  await learn(50, false)
  expect(await needed()).toBe(100)
  await learn(300, false)
  expect(await needed()).toBe(300)
})

test('[SCALE-5] a role that can read nothing else reads the memory that runs hold and need, of each organisation within its share', async () => {
  const ids = await queueRuns(app.harbour.id, 5)
  const [first = ''] = ids
  for (const id of ids) await setNeed(id, 80, 10)
  await queueRuns(app.summit.id, 1)
  const { host, port, ...login } = inject('postgres')
  const role = `scaler_${process.pid}`
  const database = app.connection.database ?? ''
  const admin = new Client({ host, port, ...login, database })
  await admin.connect()
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'scaler'; GRANT CONNECT ON DATABASE "${database}" TO ${role};
    GRANT EXECUTE ON FUNCTION tributary_needed_memory_mb() TO ${role}`)
  const scaler = new Client({ host, port, user: role, password: 'scaler', database })
  await scaler.connect()
  const needed = async () =>
    Number((await scaler.query<{ mb: string }>('SELECT tributary_needed_memory_mb() AS mb')).rows[0]?.mb)
  try {
    // Two runs of a share of two, 25 % more than measured, and the first run of a database.
    expect(await needed()).toBe(100 + 100 + 128)
    const claim = await across((db) => claimRun(db, first, 'worker'))
    expect(await needed()).toBe(100 + 100 + 128)
    await complete(claim)
    await across((db) => db.deleteFrom('run').where('organisationId', '=', app.harbour.id).execute())
    expect(await needed()).toBe(128)
    for (const table of ['run', 'connector', 'organisation', 'run_need', 'unclaimed_run'])
      await expect(scaler.query(`SELECT * FROM ${table}`)).rejects.toThrow('permission denied')
  } finally {
    await scaler.end()
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await admin.end()
  }
})
