import { runs } from '@tributary/contract/runs'
import { Fault } from '@tributary/engine/faults'
import type { RejectedRow } from '@tributary/engine/target'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { RunDriver } from '../../platform/testing/run-driver.ts'
import { sourceDatabase } from '../../platform/testing/source-database.ts'
import { testApp, type TestApp } from '../../platform/testing/test-app.ts'
import { startWorker } from '../../worker.ts'
import { claimRun } from './claim.ts'
import { settle } from './settle.ts'

let app: TestApp
let driver: RunDriver

beforeAll(async () => {
  app = await testApp()
  driver = new RunDriver(
    app.as.admin,
    app.harbour.id,
    await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)'),
  )
})
afterAll(() => app[Symbol.asyncDispose]())

test('rows that could not be placed stay told when a later try only goes on with the tables that are left', async () => {
  const run = await driver.start(await driver.add('Tried twice'))
  const tryOnce = async (ending: Parameters<typeof settle>[2]['ending'], rejected: readonly RejectedRow[]): Promise<void> => {
    const claim = await app.store.across((db) => claimRun(db, run.runId, 'a worker of this test'))
    if (claim === undefined) throw new Error('The run could not be taken.')
    await settle(app.parts, claim, { ending, rejected, withinMs: 0 })
  }
  const row = (table: string, reason: string): RejectedRow => ({ table, row: { id: '1' }, column: 'id', reason })
  await tryOnce({ kind: 'handedBack' }, [row('done', 'first'), row('cut', 'first')])
  await tryOnce({ kind: 'fault', fault: new Fault('data', { code: 'test', notice: 'Too many.' }) }, [row('cut', 'second')])
  const { body } = await app.as.admin.call(runs.rejected, { params: { clientId: app.harbour.id, ...run } })
  expect(body.map(({ Table, Reason }) => [Table, Reason])).toEqual([
    ['done', 'first'],
    ['cut', 'second'],
  ])
})

test('a store that was restored from a backup counts on from what the target has seen, and the run completes', async () => {
  const id = await driver.add('Restored')
  const setFence = (fence: number) =>
    app.store.within(app.harbour.id, (db) => db.updateTable('connector').set({ fence }).where('id', '=', id).execute())
  const worker = await startWorker({ ...app.parts, clock: systemClock }, { leaseMs: 5_000, lookMs: 300 })
  await setFence(20)
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED', RowsWritten: 1 })
  await setFence(3)
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
  await worker.stop()
})
