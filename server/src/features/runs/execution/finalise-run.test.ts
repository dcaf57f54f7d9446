import { runs } from '@tributary/contract/runs'
import { streams } from '@tributary/contract/streams'
import { Fault } from '@tributary/engine/ports/faults'
import type { StreamOutcome } from '@tributary/engine/sync/sync-request'
import type { RejectedRowRecord } from '@tributary/engine/ports/target'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../../worker.ts'
import { claimRun } from '../claiming/claim-run.ts'
import { finaliseRun } from './finalise-run.ts'

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

const table = { name: 'one', key: ['id'], columns: [] }
const counts = {
  rowsRead: 0,
  rowsWritten: 0,
  rowsUpdated: 0,
  rowsDeleted: 0,
  rowsRejected: 0,
  rowsEstimate: null,
  hasAdvanced: false,
}

/** The engine's outcome of a stream that did not complete. */
function outcomeOf(rejected: readonly RejectedRowRecord[]): StreamOutcome {
  return {
    stream: { name: 'one', table, children: [], reads: 'whole', wholeReason: 'It has no key.', hasDistinctKeys: true },
    progress: { stream: 'one', table: 'one', phase: 'failed', ...counts },
    freshAt: null,
    rows: null,
    rejected,
    targetNames: null,
    fault: null,
  }
}

test('rejected rows stay listed when a later attempt only continues with the remaining tables', async () => {
  const run = await driver.start(await driver.add('Tried twice'))
  const tryOnce = async (
    ending: Parameters<typeof finaliseRun>[2]['ending'],
    rejected: readonly RejectedRowRecord[],
  ): Promise<void> => {
    const claim = await app.store.across((db) => claimRun(db, run.runId, 'a worker of this test'))
    if (claim === undefined) throw new Error('The run could not be taken.')
    await finaliseRun(app.services, claim, {
      ending,
      streams: rejected.length === 0 ? [] : [outcomeOf(rejected)],
      tieOut: null,
      withinMs: 0,
    })
  }
  const row = (table: string, reason: string): RejectedRowRecord => ({ table, row: { id: '1' }, column: 'id', reason })
  await tryOnce({ kind: 'handedBack' }, [row('done', 'first'), row('cut', 'first')])
  await tryOnce({ kind: 'fault', fault: new Fault('data', { code: 'test', notice: 'Too many.' }) }, [
    row('cut', 'second'),
  ])
  const { body } = await app.as.admin.call(runs.rejected, { params: { clientId: app.harbour.id, ...run } })
  expect(body.map(({ Table, Reason }) => [Table, Reason])).toEqual([
    ['done', 'first'],
    ['cut', 'second'],
  ])
})

test('after a restore from a backup the store continues from the fencing token of the target, and the run completes', async () => {
  const id = await driver.add('Restored')
  const setFence = (fence: number) =>
    app.store.within(app.harbour.id, (db) => db.updateTable('connector').set({ fence }).where('id', '=', id).execute())
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  await setFence(20)
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED', RowsWritten: 1 })
  await setFence(3)
  const last = await driver.runToEnd(id)
  expect(last).toMatchObject({ Status: 'COMPLETED' })
  const event = { actorId: null, organisationId: app.harbour.id, outcome: 'success', objectId: id }
  expect(await findAuditEvents(app.store, 'sync.completed')).toMatchObject([
    event,
    { ...event, detail: { runId: last.Id } },
  ])
  await worker.stop()
})

test('a missing permission is reported with its GRANT statement, on the run and on the table', async () => {
  const run = await driver.start(await driver.add('No right'))
  const remedy = 'GRANT SELECT ON one TO reader'
  const fault = new Fault('settings', { code: 'test', notice: 'The user may not read one.', remedy })
  const claim = await app.store.across((db) => claimRun(db, run.runId, 'a worker of this test'))
  if (claim === undefined) throw new Error('The run could not be taken.')
  await finaliseRun(app.services, claim, {
    ending: { kind: 'fault', fault },
    streams: [{ ...outcomeOf([]), fault }],
    tieOut: null,
    withinMs: 0,
  })
  expect(await driver.read(run)).toMatchObject({
    Status: 'FAILED',
    Card: { Data: 'missing', Action: { Kind: 'copy', Copy: remedy } },
  })
  const event = { actorId: null, organisationId: app.harbour.id, outcome: 'failure', objectId: run.connectorId }
  expect((await findAuditEvents(app.store, 'sync.failed')).at(-1)).toMatchObject({
    ...event,
    detail: { runId: run.runId, code: 'test' },
  })
  const { body } = await app.as.admin.call(streams.list, {
    params: { clientId: app.harbour.id, connectorId: run.connectorId },
  })
  expect(body).toMatchObject([
    { Name: 'one', Reads: 'whole', Why: 'It has no key.', FreshAtUtc: null, Fault: 'The user may not read one.' },
  ])
})

test('a table and a column renamed in the target are listed by both names, even after a later attempt that did not reach them', async () => {
  const run = await driver.start(await driver.add('Called otherwise'))
  const columns = [{ table: 'one_1', column: 'Name', name: 'Name_3f2a1c' }]
  for (const called of [{ table: 'one_1', columns, tables: [], histories: [], sizes: [] }, null]) {
    const claim = await app.store.across((db) => claimRun(db, run.runId, 'a worker of this test'))
    if (claim === undefined) throw new Error('The run could not be taken.')
    await finaliseRun(app.services, claim, {
      ending: { kind: 'handedBack' },
      streams: [{ ...outcomeOf([]), targetNames: called }],
      tieOut: null,
      withinMs: 0,
    })
    const { body } = await app.as.admin.call(streams.list, {
      params: { clientId: app.harbour.id, connectorId: run.connectorId },
    })
    expect(body).toMatchObject([
      { Name: 'one', Table: 'one_1', Renamed: [{ Table: 'one_1', Column: 'Name', Name: 'Name_3f2a1c' }] },
    ])
  }
})
