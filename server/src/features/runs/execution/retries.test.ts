/** How often a run is retried while its source or target keeps failing. */
import { Fault } from '@tributary/engine/ports/faults'
import type { StreamPhase, StreamProgress } from '@tributary/engine/sync/progress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Lifecycle } from '../../../kernel/lifecycle.ts'
import type { Store } from '../../../kernel/store/store.ts'
import { RunDriver, type TestRun } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { type RunClaim, claimRun } from '../claiming/claim-run.ts'
import { attemptsMax } from './outcome.ts'
import { openProgress } from './progress.ts'
import { finaliseRun } from './finalise-run.ts'

let app: TestApp
let driver: RunDriver
beforeAll(async () => {
  app = await testApp()
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY)'))
})
afterAll(() => app[Symbol.asyncDispose]())

const ending = { kind: 'fault', fault: new Fault('passing', { code: 'test', notice: 'Gone for a moment.' }) } as const

const counts = {
  rowsRead: 1,
  rowsWritten: 0,
  rowsUpdated: 0,
  rowsDeleted: 0,
  rowsRejected: 0,
  rowsEstimate: null,
  hasAdvanced: false,
}

function progressOf(stream: string, phase: StreamPhase, rest: Partial<StreamProgress> = {}): StreamProgress {
  return { stream, table: stream, phase, ...counts, ...rest }
}

/** Claims the run as a worker would, even before its retry time. */
async function take({ runId }: TestRun): Promise<RunClaim> {
  const claim = await app.store.across(async (db) => {
    await db
      .updateTable('run')
      .set({ retryAt: new Date(0).toISOString() })
      .where('id', '=', runId)
      .where('status', '=', 'WAITING')
      .execute()
    return await claimRun(db, runId, 'a worker of this test')
  })
  if (claim === undefined) throw new Error('The run could not be taken.')
  return claim
}

/** One attempt that reports this progress and fails with a transient fault. Returns the new status of the run. */
async function tryOnce(run: TestRun, reported: readonly StreamProgress[]): Promise<string | null> {
  const { services, store } = app
  const claim = await take(run)
  const fail = (error: unknown): never => {
    throw error
  }
  const progress = openProgress({ store, claim, onError: fail, stopSignal: services.lifecycle.stopSignal })
  for (const each of reported) progress.report(each)
  await progress[Symbol.asyncDispose]()
  return await finaliseRun(services, claim, { ending, streams: [], tieOut: null, withinMs: 0 })
}

test('progress that the store could not take is written again: counts, log lines, and the counts of earlier attempts', async () => {
  const run = await driver.start(await driver.add('Store away'))
  await tryOnce(run, [progressOf('large', 'reading', { rowsWritten: 2 })])
  const claim = await take(run)
  const failures: unknown[] = []
  const store: Store = {
    ...app.store,
    within: (organisationId, work) =>
      failures.length < 2 ? Promise.reject(new Error('The store is away.')) : app.store.within(organisationId, work),
  }
  const progress = openProgress({
    store,
    claim,
    everyMs: 20,
    onError: (error) => void failures.push(error),
    stopSignal: app.services.lifecycle.stopSignal,
  })
  progress.report(progressOf('large', 'done', { rowsWritten: 3, hasAdvanced: true }))
  progress.log('All of it is there.')
  await progress[Symbol.asyncDispose]()
  expect(failures).toHaveLength(2)
  const { streams, lines } = await app.store.within(claim.organisationId, async (db) => ({
    streams: await db.selectFrom('runStream').select(['phase', 'rowsWritten']).where('runId', '=', run.runId).execute(),
    lines: await db.selectFrom('runLine').select('text').where('runId', '=', run.runId).execute(),
  }))
  expect([streams, lines]).toEqual([[{ phase: 'done', rowsWritten: 5 }], [{ text: 'All of it is there.' }]])
})

test('[ISSUE 20 D20] during a shutdown, progress and end state of a run are written once, not retried until the grace period is over', async () => {
  const claim = await take(await driver.start(await driver.add('Shut down')))
  const failures: unknown[] = []
  const store: Store = { ...app.store, within: () => Promise.reject(new Error('The store is full.')) }
  const lifecycle = new Lifecycle()
  lifecycle.leave()
  const onError = (error: unknown) => void failures.push(error)
  const progress = openProgress({ store, claim, onError, lastMs: 3_600_000, stopSignal: lifecycle.stopSignal })
  progress.log('The disk is full.')
  await progress[Symbol.asyncDispose]()
  expect(failures).toHaveLength(1)
  const finished = { ending, streams: [], tieOut: null, withinMs: 3_600_000 }
  await expect(finaliseRun({ ...app.services, store, lifecycle }, claim, finished)).rejects.toThrow(
    'The store is full.',
  )
  await finaliseRun(app.services, claim, finished)
})

test('a run that makes progress is retried without a limit', async () => {
  const run = await driver.start(await driver.add('Gets on'))
  for (let tries = 0; tries <= attemptsMax; tries += 1)
    expect(await tryOnce(run, [progressOf('large', 'reading', { rowsWritten: 1, hasAdvanced: true })])).toBe('WAITING')
})

test('a run that only refreshes completed streams fails after six attempts, whether or not the source is reachable', async () => {
  const run = await driver.start(await driver.add('Stands still'))
  const isReached = [
    progressOf('lively', 'waiting'),
    progressOf('lively', 'failed', { rowsWritten: 1, rowsDeleted: 1 }),
  ]
  const became = []
  for (let tries = 0; tries < attemptsMax; tries += 1)
    became.push(
      await tryOnce(run, [
        ...(tries % 2 === 0 ? [progressOf('lively', 'waiting')] : isReached),
        progressOf('large', 'reading'),
      ]),
    )
  expect(became).toEqual([...Array.from({ length: attemptsMax - 1 }, () => 'WAITING'), 'FAILED'])
})
