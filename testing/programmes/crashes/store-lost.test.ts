/**
 * The store is cut at each call that a run makes to it, one after another: the run continues, and its rows are all
 * there once.
 */
import { sql } from 'kysely'
import { Fault } from '@tributary/engine/ports/faults'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { ApiFault } from '../../../server/src/kernel/http/api-fault.ts'
import type { AppServices } from '../../../server/src/app-services.ts'
import type { Db, Store } from '../../../server/src/kernel/store/store.ts'
import { storeFaultOf, storeUnreachable } from '../../../server/src/kernel/store/run-fault-when-store-unreachable.ts'
import { RunDriver } from '../../server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '../../server/connectors/source-database.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { startWorker } from '../../../server/src/worker.ts'
import { warehouseTarget } from '../../../server/src/access/warehouse/warehouse.ts'
import { ActiveRuns } from '../../../server/src/features/runs/claiming/active-runs.ts'
import { syncRun } from '../../../server/src/features/runs/execution/run-sync.ts'

let app: TestApp
let source: SourceDatabase
let driver: RunDriver

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase(
    `CREATE TABLE price (id int PRIMARY KEY, text text); INSERT INTO price SELECT n, 'row ' || n FROM generate_series(1, 3000) n`,
  )
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
})
afterAll(() => app[Symbol.asyncDispose]())

/**
 * `begin`: the connection breaks before the work; `commit`: after the work and before it is committed; `reply`: once
 * it is committed.
 */
const moments = ['begin', 'commit', 'reply'] as const

describe('[ENG-1] a run whose store is cut', () => {
  test.each(moments)('at any one of its calls (%s) continues and brings every row once', async (moment) => {
    const id = await driver.add(`Cut at ${moment}`)
    for (let call = 1; ; call += 1) {
      await source.query(`INSERT INTO price SELECT max(id) + 1, 'new' FROM price`)
      const { runId } = await driver.start(id)
      const cut = cutStore(app.store, call, moment)
      await workOnce({ ...app.services, clock: systemClock, store: cut.store })
      const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 1_000, pollMs: 200 })
      const over = await driver.until(
        { connectorId: id, runId },
        ({ Status }) => Status === 'COMPLETED' || Status === 'FAILED',
      )
      await worker.stop()
      expect([call, over.Status, over.Notice]).toEqual([call, 'COMPLETED', null])
      expect(await countRows(`Cut at ${moment}`)).toEqual(await countSource())
      if (!cut.hasCut()) {
        // Claiming, reading the settings, the warehouse, progress and the end are each a call.
        expect(call).toBeGreaterThan(5)
        return
      }
    }
  })

  test('says so in its lines and is tried again without counting the try', async () => {
    const id = await driver.add('Cut once')
    const { runId } = await driver.start(id)
    await workOnce({ ...app.services, clock: systemClock, store: cutStore(app.store, 2, 'begin').store })
    const waiting = await driver.read({ connectorId: id, runId })
    expect(waiting).toMatchObject({ Status: 'WAITING', Attempt: 0, FaultCode: storeUnreachable })
    expect(waiting.Lines.map(({ Text }) => Text)).toContain(
      'Tributary’s own database could not be reached for a moment. Nothing is lost. The run continues by itself.',
    )
  })
})

test('a lost store is found among the causes of an error, and no other fault is taken for it', () => {
  const lost = new ApiFault('unavailable')
  expect(storeFaultOf(new Fault('bug', { code: 'engine.unexpected', notice: 'Unexpected.', cause: lost }))?.code).toBe(
    storeUnreachable,
  )
  expect(storeFaultOf(new Error('Something else.', { cause: lost }))?.kind).toBe('passing')
  expect(storeFaultOf(new ApiFault('notFound'))).toBeUndefined()
  expect(storeFaultOf(new Fault('data', { code: 'postgres.data', notice: 'A value.', cause: lost }))).toBeUndefined()
})

/** One worker, without its polling loops, works on the run until it lets go of it or dies. */
async function workOnce(services: AppServices): Promise<void> {
  const own = (organisationId: string, schema: string) => warehouseTarget(services, organisationId, schema)
  const worker = new ActiveRuns({
    services,
    worker: 'cut',
    leaseMs: 1_000,
    memoryMb: 1_000,
    syncRun: (one) => syncRun({ ...one, services, warehouseTarget: own }),
  })
  await worker.claimNext().catch(() => undefined)
  await worker.waitForEnd()
}

/** The same store, whose n-th transaction from now on loses its connection. */
function cutStore(store: Store, at: number, moment: (typeof moments)[number]): { store: Store; hasCut: () => boolean } {
  let calls = 0
  async function cut<T>(begin: (work: (db: Db) => Promise<T>) => Promise<T>, work: (db: Db) => Promise<T>): Promise<T> {
    calls += 1
    if (calls !== at) return begin(work)
    if (moment === 'reply') {
      await begin(work)
      throw new ApiFault('unavailable')
    }
    return begin(async (db) => {
      if (moment === 'commit') await work(db)
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db)
      throw new Error('The connection outlived its end.')
    })
  }
  return {
    store: {
      within: (organisationId, work) => cut((inner) => store.within(organisationId, inner), work),
      across: (work) => cut((inner) => store.across(inner), work),
      close: () => store.close(),
    },
    hasCut: () => calls >= at,
  }
}

async function countSource(): Promise<unknown> {
  const [seen] = await source.query('SELECT count(*)::int AS rows, count(DISTINCT id)::int AS keys FROM price')
  return seen
}

async function countRows(name: string): Promise<unknown> {
  const schema = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  const [seen] = await driver.inWarehouse(
    `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS keys FROM ${schema}.price`,
  )
  return seen
}
