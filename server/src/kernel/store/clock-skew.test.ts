/** A machine whose clock is ahead of the store's: the store's clock decides what is old and what is due. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorker } from '../../worker.ts'
import { systemClock } from '../clock.ts'
import { runChannel } from '../../connections/connectors/start-run.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  vi.useRealTimers()
  await app[Symbol.asyncDispose]()
})

test('a worker whose clock is ahead deletes nothing by age, and logs the reason', async () => {
  const [connectorId, runId] = [crypto.randomUUID(), crypto.randomUUID()]
  await app.store.within(app.harbour.id, async (db) => {
    await db
      .insertInto('connector')
      .values({
        id: connectorId,
        organisationId: app.harbour.id,
        key: 'k',
        type: 'sqlserver',
        name: 'Kept',
        originalName: 'Kept',
      })
      .execute()
    await db
      .insertInto('run')
      .values({
        id: runId,
        organisationId: app.harbour.id,
        connectorId,
        mode: 'full',
        trigger: 'person',
        status: 'CANCELLED',
      })
      .execute()
    await db
      .insertInto('runLine')
      .values({ organisationId: app.harbour.id, runId, level: 'info', text: 'Written just now.' })
      .execute()
  })
  const clock = { ...systemClock, now: () => Date.now() + 1_000 * 86_400_000 }
  const worker = await startWorker({ ...app.services, clock }, { pollMs: 60_000 })
  await vi.waitFor(
    () => expect(app.logLines.join('')).toMatch(/clock of this machine is 1,440,000 minutes ahead/u),
    10_000,
  )
  await worker.stop()
  const lines = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('runLine').select('text').where('runId', '=', runId).execute(),
  )
  expect(lines).toEqual([{ text: 'Written just now.' }])
})

test('delayed jobs follow the store’s clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const id = crypto.randomUUID()
  await app.store.across((db) => app.services.queue.notify(db, runChannel, id, 1_500))
  const { rows } = await app.store.across((db) =>
    sql<{
      seconds: number
    }>`SELECT extract(epoch FROM startAfter - createdOn)::float8 AS seconds FROM tributaryQueue.job
      WHERE singletonKey = ${id}`.execute(db),
  )
  expect(rows).toEqual([{ seconds: 2 }])
})
