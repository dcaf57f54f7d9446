import { randomBytes } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { insights } from '@tributary/contract/insights'
import { runs } from '@tributary/contract/runs'
import { Fault } from '@tributary/engine/ports/faults'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../../worker.ts'
import { claimRun } from '../claiming/claim-run.ts'
import { fireDue } from '../scheduling/fire-schedules.ts'
import { finaliseRun } from './finalise-run.ts'

const masterKey = randomBytes(32)
const setUp = `
  CREATE TABLE a_first (id int PRIMARY KEY, text text);
  INSERT INTO a_first SELECT n, 'row ' || n FROM generate_series(1, 20000) n;
  CREATE TABLE b_second (id int PRIMARY KEY, text text);
  INSERT INTO b_second SELECT n, 'row ' || n FROM generate_series(1, 20000) n;
  CREATE TABLE c_held (id int PRIMARY KEY, text text);
  INSERT INTO c_held SELECT n, 'row ' || n FROM generate_series(1, 2000) n`

let app: TestApp
let source: SourceDatabase
let driver: RunDriver

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  source = await sourceDatabase(setUp)
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
})
afterAll(() => app[Symbol.asyncDispose]())

const fast = { leaseMs: 4_000, pollMs: 500 }

function inProcess(options = fast) {
  return startWorker({ ...app.services, clock: systemClock }, options)
}

function spawned() {
  const { host, port } = inject('postgres')
  const place = {
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts: [`${host}:${port}`],
  }
  return spawnWorker({ ...place, options: fast })
}

const isRunning = ({ Status }: { Status: string }) => Status === 'RUNNING'
const isOver = ({ Status }: { Status: string }) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)

function schemaOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

async function expectWhole(name: string): Promise<void> {
  const [seen] = await driver.inWarehouse<{ rows: number; keys: number }>(
    `SELECT count(*)::int AS rows, count(DISTINCT (t, id))::int AS keys FROM (
       SELECT 'a' AS t, id FROM ${schemaOf(name)}.a_first UNION ALL SELECT 'b', id FROM ${schemaOf(name)}.b_second UNION ALL SELECT 'c', id FROM ${schemaOf(name)}.c_held) all_rows`,
  )
  expect(seen).toEqual({ rows: 42_000, keys: 42_000 })
}

describe('a worker that ends', () => {
  test('[ENG-1] a run whose worker is killed is taken over by another, and no row is lost or doubled', async () => {
    const id = await driver.add('Killed')
    await using lock = await source.lock('c_held')
    await using doomed = await spawned()
    const run = await driver.start(id)
    await driver.until(run, ({ Streams }) => Streams.some(({ Phase }) => Phase === 'done'))
    await doomed.kill('SIGKILL')
    const killedAt = performance.now()
    await using heir = await spawned()
    const taken = await driver.until(
      run,
      ({ Attempt, Lines }) => Attempt > 0 && Lines.some(({ Text }) => Text.includes('stopped answering')),
      60_000,
    )
    expect(performance.now() - killedAt).toBeLessThan(60_000)
    expect(taken.Status).not.toBe('FAILED')
    await lock.open()
    const over = await driver.until(run, isOver)
    expect(over.Status).toBe('COMPLETED')
    // The killed worker may have committed rows without reporting them: they are in the target, but not in the counts.
    expect(over.RowsWritten).toBeLessThanOrEqual(42_000)
    await expectWhole('Killed')
    await heir.kill('SIGTERM')
  })

  test('a worker that shuts down returns its run, and the next worker continues it', async () => {
    const id = await driver.add('Handed over')
    await using lock = await source.lock('c_held')
    const first = await inProcess()
    const run = await driver.start(id)
    await driver.until(run, isRunning)
    await first.stop()
    const back = await driver.read(run)
    expect(back.Status).toBe('QUEUED')
    expect(back.Lines.at(-1)?.Text).toContain('shutting down')
    await lock.open()
    const second = await inProcess()
    expect(await driver.until(run, isOver)).toMatchObject({ Status: 'COMPLETED', Attempt: 1 })
    await second.stop()
    await expectWhole('Handed over')
  })
})

test('a worker that shuts down while it claims a run returns it', async () => {
  const id = await driver.add('Just taken')
  for (const pauseMs of [0, 5, 15, 40]) {
    const worker = await inProcess()
    const run = await driver.start(id)
    await systemClock.sleep(pauseMs)
    await worker.stop()
    const left = await driver.read(run)
    expect(['QUEUED', 'COMPLETED']).toContain(left.Status)
    await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, ...run } })
  }
})

describe('cancelling', () => {
  test('a run stops within ten seconds of its cancellation, and committed rows stay', async () => {
    const id = await driver.add('Cancelled')
    await using lock = await source.lock('c_held')
    const worker = await inProcess()
    const run = await driver.start(id)
    await driver.until(run, ({ Streams }) => Streams.filter(({ Phase }) => Phase === 'done').length === 2)
    const askedAt = performance.now()
    const params = { clientId: app.harbour.id, ...run }
    const asked = await app.as.admin.call(runs.cancel, { params })
    expect(asked).toMatchObject({ status: 200, body: { Status: 'RUNNING' } })
    const ended = await driver.until(run, isOver)
    expect(performance.now() - askedAt).toBeLessThan(10_000)
    expect(ended).toMatchObject({ Status: 'CANCELLED', RowsWritten: 40_000, Notice: 'Cancelled by Amara Okafor.' })
    expect(await app.as.admin.call(runs.cancel, { params })).toMatchObject({ status: 409, body: { code: 'runEnded' } })
    await lock.open()
    expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
    await worker.stop()
    await expectWhole('Cancelled')
  })

  test('a run that no worker has claimed is cancelled at once', async () => {
    const run = await driver.start(await driver.add('Not begun'))
    const { body } = await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, ...run } })
    expect(body).toMatchObject({ Status: 'CANCELLED', CompletedAtUtc: expect.any(String) })
  })

  test('a run that fails or is returned while a user cancels it ends as cancelled and is not retried', async () => {
    const faults = {
      passing: new Fault('passing', { code: 'test', notice: 'No answer.' }),
      busy: new Fault('busy', { code: 'test', notice: 'Later.' }),
    }
    const endings = [
      { kind: 'fault', fault: faults.passing },
      { kind: 'fault', fault: faults.busy },
      { kind: 'handedBack' },
    ] as const
    for (const [at, ending] of endings.entries()) {
      const id = await driver.add(`Stopped in time ${at}`)
      const run = await driver.start(id)
      const claim = await app.store.across((db) => claimRun(db, run.runId, 'a worker of this test'))
      if (claim === undefined) throw new Error('The run could not be taken.')
      await app.as.admin.call(connectors.disconnect, {
        params: { clientKey: app.harbour.key, connectorKey: `stopped-in-time-${at}` },
      })
      await finaliseRun(app.services, claim, { ending, streams: [], tieOut: null, withinMs: 0 })
      expect(await driver.read(run)).toMatchObject({
        Status: 'CANCELLED',
        FaultKind: null,
        Notice: 'The connector was disconnected.',
      })
    }
  })

  test('deleting a connector stops its run', async () => {
    const id = await driver.add('Deleted')
    await using lock = await source.lock('c_held')
    const worker = await inProcess()
    const run = await driver.start(id)
    await driver.until(run, isRunning)
    await app.as.admin.call(connectors.remove, { params: { clientId: app.harbour.id, connectorId: id } })
    expect(await driver.until(run, isOver)).toMatchObject({ Status: 'CANCELLED', Notice: 'The connector was deleted.' })
    await lock.open()
    await worker.stop()
  })
})

describe('many runs', () => {
  test('an organisation has two concurrent runs, and its queue does not delay another organisation', async () => {
    await using lock = await source.lock('c_held')
    const flood = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => driver.start(await driver.add(`Flood ${number}`))),
    )
    const other = new RunDriver(
      app.as.otherAdmin,
      app.summit.id,
      await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)'),
    )
    const theirs = await other.start(await other.add('Alone'))
    const worker = await inProcess()
    expect(await other.until(theirs, isOver)).toMatchObject({ Status: 'COMPLETED' })
    const seen = await Promise.all(flood.map((run) => driver.read(run)))
    expect(seen.filter(isRunning)).toHaveLength(2)
    expect(seen.find(({ Status }) => Status === 'QUEUED')?.Notice).toContain('already uses its share of 2 runs')
    await lock.open()
    for (const run of flood) expect(await driver.until(run, isOver)).toMatchObject({ Status: 'COMPLETED' })
    await worker.stop()
  })

  test('a run whose wake-up notification was lost is found and notified again', async () => {
    const id = await driver.add('Forgotten')
    const { id: runId } = await app.store.within(app.harbour.id, (db) =>
      db
        .insertInto('run')
        .values({
          organisationId: app.harbour.id,
          connectorId: id,
          mode: 'incremental',
          trigger: 'person',
          triggeredBy: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const worker = await inProcess()
    expect(await driver.until({ connectorId: id, runId }, isOver)).toMatchObject({ Status: 'COMPLETED' })
    await worker.stop()
  })

  test('a schedule fires once with any number of schedulers; a connector that is still running is not started again', async () => {
    const id = await driver.add('Scheduled')
    await app.as.superadmin.call(connectors.change, {
      params: { clientId: app.harbour.id, connectorId: id },
      body: { schedule: '0 6 * * *' },
    })
    const due = () =>
      app.store.within(app.harbour.id, (db) =>
        db
          .updateTable('connector')
          .set({ nextRunAt: new Date(0) })
          .where('id', '=', id)
          .execute(),
      )
    const count = async () =>
      (await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })).body.length
    await due()
    const fired = await Promise.all([1, 2, 3, 4].map(() => app.store.across((db) => fireDue(db, app.services))))
    expect(fired.toSorted()).toEqual([0, 0, 0, 1])
    expect(await count()).toBe(1)
    await due()
    await app.store.across((db) => fireDue(db, app.services))
    expect(await count()).toBe(1)
    const { body } = await app.as.admin.call(connectors.find, { params: { connectorId: id } })
    expect(Date.parse(body.NextRunAtUtc ?? '')).toBeGreaterThan(Date.now())
  })
})

test('[ADMIN-2] the insights list the active runs of every organisation, for the provider only', async () => {
  const id = await driver.add('Insight')
  await using lock = await source.lock('c_held')
  const worker = await inProcess()
  const run = await driver.start(id)
  await driver.until(run, isRunning)
  const { body } = await app.as.provideradmin.call(insights.list)
  expect(body).toContainEqual({
    ClientName: 'Harbour Trading',
    ClientConnectorName: 'Insight',
    ClientConnectorId: id,
    AutomaticallyTriggeredAtUtc: null,
    ManuallyTriggeredAtUtc: expect.stringMatching(/Z$/),
  })
  expect((await app.as.admin.call(insights.list)).status).toBe(403)
  await lock.open()
  await driver.until(run, isOver)
  await until(
    async () => (await app.as.provideradmin.call(insights.list)).body,
    (running) => running.every(({ ClientConnectorId }) => ClientConnectorId !== id),
  )
  await worker.stop()
})
