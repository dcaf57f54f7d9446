import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { systemClock } from '../../kernel/clock.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { claimRun } from './claiming/claim-run.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let driver: RunDriver

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase(`
    CREATE TABLE invoice (id int PRIMARY KEY, total numeric(12,2) NOT NULL, note text);
    INSERT INTO invoice SELECT n, n / 4.0, 'row ' || n FROM generate_series(1, 500) n;
    CREATE TABLE customer (id int PRIMARY KEY, name text);
    INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bob')`)
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

const client = () => ({ clientId: app.harbour.id })

describe('a run', () => {
  test('[ENG-1] [ENG-3] [API-9] moves the source into the warehouse, then only changes, and reports the row counts', async () => {
    const id = await driver.add('Shop')
    const first = await driver.runToEnd(id)
    expect(first).toMatchObject({
      Status: 'COMPLETED',
      Mode: 'incremental',
      Trigger: 'person',
      TriggeredBy: 'Amara Okafor',
      RowsWritten: 502,
    })
    expect(first.Streams.map(({ Phase }) => Phase)).toEqual(['done', 'done'])
    expect(first.Lines.at(-1)?.Text).toBe('Completed: 502 rows written, 0 deleted.')
    expect(
      await driver.inWarehouse('SELECT count(*)::int AS rows, sum(total)::text AS total FROM shop.invoice'),
    ).toEqual([{ rows: 500, total: '31312.50' }])

    await source.query(
      'INSERT INTO invoice VALUES (501, 0.25); UPDATE invoice SET total = 0 WHERE id = 500; DELETE FROM invoice WHERE id = 1',
    )
    const second = await driver.runToEnd(id)
    expect(second).toMatchObject({ Status: 'COMPLETED', RowsDeleted: 1 })
    expect(second.RowsWritten).toBeLessThan(100)
    expect(
      await driver.inWarehouse('SELECT count(*)::int AS rows, sum(total)::text AS total FROM shop.invoice'),
    ).toEqual([{ rows: 500, total: '31187.50' }])
  })

  test('[API-9] fullTransactionSync reads everything again, and is for superadmins', async () => {
    const id = await driver.add('Full')
    await driver.runToEnd(id)
    expect((await driver.process(id, { fullTransactionSync: true })).status).toBe(403)
    const full = await new RunDriver(app.as.superadmin, app.harbour.id, source).runToEnd(id, {
      fullTransactionSync: true,
    })
    expect(full).toMatchObject({ Status: 'COMPLETED', Mode: 'full', RowsRead: 502 })
  })

  test('[ENG-1] the connector’s log follows its latest run', async () => {
    const id = await driver.add('Logged')
    const read = async () => (await app.as.admin.call(connectors.find, { params: { connectorId: id } })).body.Log
    expect(await read()).toBeNull()
    await driver.runToEnd(id)
    expect(await read()).toMatchObject({
      ManuallyTriggeredAtUtc: expect.stringMatching(/Z$/),
      AutomaticallyTriggeredAtUtc: null,
      CompletedAtUtc: expect.stringMatching(/Z$/),
      HasError: false,
      Forbidden: false,
    })
    await app.store.within(app.harbour.id, (db) =>
      db
        .updateTable('connector')
        .set({ schedule: '0 6 * * *', nextRunAt: new Date(0) })
        .where('id', '=', id)
        .execute(),
    )
    expect(await until(read, (log) => log?.AutomaticallyTriggeredAtUtc !== null)).toMatchObject({
      ManuallyTriggeredAtUtc: null,
    })
  })

  test.each([
    ['PG Shop', '_pg_shop'],
    ['Public', '_public'],
    ['Information Schema', '_information_schema'],
  ])('[ENG-3] the connector %s gets a schema that PostgreSQL does not keep for itself: %s', async (name, schema) => {
    expect(await driver.runToEnd(await driver.add(name))).toMatchObject({
      Status: 'COMPLETED',
      RowsWritten: expect.any(Number),
    })
    expect(await driver.inWarehouse(`SELECT count(*)::int AS rows FROM ${schema}.customer`)).toEqual([{ rows: 2 }])
  })

  test('a target of its own receives the rows instead of the warehouse', async () => {
    const target = await sourceDatabase('SELECT 1')
    const id = await driver.add('Own target', {}, [
      { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
      { name: 'target.schema', value: 'copy' },
    ])
    expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
    expect(await target.query('SELECT count(*)::int AS rows FROM copy.customer')).toEqual([{ rows: 2 }])
  })
})

describe('one at a time', () => {
  test('one of many concurrent starts of a connector succeeds, and the others receive an error', async () => {
    const id = await driver.add('Crowd')
    const replies = await Promise.all(Array.from({ length: 8 }, () => driver.process(id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'alreadyRunning' })
  })

  test('[DASH-5] a stalled run is replaced by a new one, and its worker is fenced off', async () => {
    const id = await driver.add('Stalled')
    const old = await addRun(id, {
      status: 'RUNNING',
      heartbeatAt: new Date(),
      worker: 'elsewhere',
      queuedAt: new Date(Date.now() - 31 * 60_000),
    })
    const started = await driver.process(id)
    expect(started.status).toBe(202)
    expect(await driver.read({ connectorId: id, runId: old })).toMatchObject({
      Status: 'CANCELLED',
      Notice: expect.stringContaining('longer than expected'),
    })
  })

  test('a run of less than half an hour is not replaced', async () => {
    const id = await driver.add('Busy')
    await addRun(id, {
      status: 'RUNNING',
      heartbeatAt: new Date(Date.now() + 60_000),
      worker: 'elsewhere',
      queuedAt: new Date(Date.now() - 29 * 60_000),
    })
    expect((await driver.process(id)).status).toBe(409)
  })

  test('[TRUST-2] a run that is asked for while another only verifies waits for it, although its worker is killed', async () => {
    const verifying = {
      status: 'RUNNING',
      heartbeatAt: new Date(Date.now() + 60_000),
      worker: 'elsewhere',
      verifyingSince: new Date(),
    }
    // They take none of the runs that an organisation may have at once.
    for (const name of ['Verifying too', 'Verifying as well']) await addRun(await driver.add(name), verifying)
    const id = await driver.add('Verifying')
    const former = await addRun(id, verifying)
    const run = await driver.start(id)
    expect(await driver.process(id)).toMatchObject({ status: 409, body: { code: 'alreadyRunning' } })
    expect(await app.store.across((db) => claimRun(db, run.runId, 'too early'))).toBeUndefined()
    await app.store.within(app.harbour.id, (db) =>
      db
        .updateTable('run')
        .set({ heartbeatAt: new Date(0) })
        .where('id', '=', former)
        .execute(),
    )
    const { StartedAtUtc } = await driver.until(run, ({ Status }) => Status === 'COMPLETED')
    const { Status, CompletedAtUtc } = await driver.read({ connectorId: id, runId: former })
    expect(Status).toBe('COMPLETED')
    expect(Date.parse(StartedAtUtc ?? '')).toBeGreaterThanOrEqual(Date.parse(CompletedAtUtc ?? ''))
  })

  test('[TRUST-2] a verification that has not ended for half an hour is replaced', async () => {
    const id = await driver.add('Verifying for ever')
    const former = await addRun(id, {
      status: 'RUNNING',
      heartbeatAt: new Date(Date.now() + 60_000),
      worker: 'elsewhere',
      verifyingSince: new Date(Date.now() - 31 * 60_000),
    })
    expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
    expect(await driver.read({ connectorId: id, runId: former })).toMatchObject({ Status: 'CANCELLED' })
  })

  test('a disconnected connector does not start', async () => {
    const id = await driver.add('Off')
    await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: 'off' } })
    expect(await driver.process(id)).toMatchObject({ status: 409, body: { code: 'notConnected' } })
  })

  test('[API-9] keys address the same run; those who are not assigned find nothing', async () => {
    await driver.add('By Key')
    const params = { clientKey: app.harbour.key, connectorKey: 'by-key' }
    expect((await app.as.user.call(runs.processByKey, { params, body: {} })).status).toBe(404)
    expect((await app.as.otherAdmin.call(runs.processByKey, { params, body: {} })).status).toBe(404)
    expect((await app.as.admin.call(runs.processByKey, { params, body: {} })).status).toBe(202)
  })

  test('an assigned guest starts and watches a run, but sees no others', async () => {
    const id = await driver.add('Guest', {}, [{ name: 'portal.user', value: app.idOf('guest') }])
    const started = await app.as.guest.call(runs.process, { params: { ...client(), connectorId: id }, body: {} })
    expect(started.status).toBe(202)
    const params = { ...client(), connectorId: id, runId: started.body.RunId }
    expect((await app.as.guest.call(runs.read, { params })).status).toBe(200)
    expect((await app.as.user.call(runs.read, { params })).status).toBe(404)
    expect((await app.as.user.call(runs.list, { params })).status).toBe(404)
  })
})

/** A run in the state that another worker or an earlier day left it in. */
async function addRun(connectorId: string, row: Record<string, unknown>): Promise<string> {
  const { id } = await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('run')
      .values({
        organisationId: app.harbour.id,
        connectorId,
        mode: 'incremental',
        trigger: 'person',
        triggeredBy: null,
        ...row,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}
