/** How often a run is tried whose source or target fails and fails again. */
import { Fault } from '@tributary/engine/faults'
import type { StreamPhase, StreamProgress } from '@tributary/engine/sync/progress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunDriver, type Started } from '../../platform/testing/run-driver.ts'
import { sourceDatabase } from '../../platform/testing/source-database.ts'
import { testApp, type TestApp } from '../../platform/testing/test-app.ts'
import { claimRun } from './claim.ts'
import { attemptsMax } from './outcome.ts'
import { openProgress, readBefore } from './progress.ts'
import { settle } from './settle.ts'

let app: TestApp
let driver: RunDriver
beforeAll(async () => {
  app = await testApp()
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY)'))
})
afterAll(() => app[Symbol.asyncDispose]())

const ending = { kind: 'fault', fault: new Fault('passing', { code: 'test', notice: 'Gone for a moment.' }) } as const

const counts = { rowsRead: 1, rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0, rowsRejected: 0, rowsEstimate: null, hasGotOn: false }

function progressOf(stream: string, phase: StreamPhase, rest: Partial<StreamProgress> = {}): StreamProgress {
  return { stream, table: stream, phase, ...counts, ...rest }
}

/** One try that says this of itself, and fails for a reason that may pass. Answers what has become of the run. */
async function tryOnce({ runId }: Started, told: readonly StreamProgress[]): Promise<string | null> {
  const { parts, store } = app
  const claim = await store.across(async (db) => {
    await db
      .updateTable('run')
      .set({ retryAt: new Date(0).toISOString() })
      .where('id', '=', runId)
      .where('status', '=', 'WAITING')
      .execute()
    return await claimRun(db, runId, 'a worker of this test')
  })
  if (claim === undefined) throw new Error('The run could not be taken.')
  const before = await store.within(claim.organisationId, (db) => readBefore(db, claim))
  const fail = (error: unknown): never => {
    throw error
  }
  const progress = openProgress({ store, claim, before, onError: fail })
  for (const each of told) progress.report(each)
  await progress[Symbol.asyncDispose]()
  return await settle(parts, claim, { ending, streams: [], tieOut: null, withinMs: 0 })
}

test('a run that gets on is tried as often as it takes', async () => {
  const run = await driver.start(await driver.add('Gets on'))
  for (let tries = 0; tries <= attemptsMax; tries += 1)
    expect(await tryOnce(run, [progressOf('large', 'reading', { rowsWritten: 1, hasGotOn: true })])).toBe('WAITING')
})

test('one that only brings up to date what it had finished before is given up after six tries, reached or not', async () => {
  const run = await driver.start(await driver.add('Stands still'))
  const isReached = [progressOf('lively', 'waiting'), progressOf('lively', 'failed', { rowsWritten: 1, rowsDeleted: 1 })]
  const became = []
  for (let tries = 0; tries < attemptsMax; tries += 1)
    became.push(await tryOnce(run, [...(tries % 2 === 0 ? [progressOf('lively', 'waiting')] : isReached), progressOf('large', 'reading')]))
  expect(became).toEqual([...Array.from({ length: attemptsMax - 1 }, () => 'WAITING'), 'FAILED'])
})
