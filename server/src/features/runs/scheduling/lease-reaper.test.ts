/** What the log, the metrics and the audit log show of a killed worker. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../../kernel/telemetry/metrics.ts'
import { RunDriver, type TestRun } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { claimRun } from '../claiming/claim-run.ts'
import { attemptsMax } from '../execution/outcome.ts'
import { reapExpiredLeases } from './lease-reaper.ts'

let app: TestApp
let driver: RunDriver
beforeAll(async () => {
  app = await testApp()
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY)'))
})
afterAll(() => app[Symbol.asyncDispose]())

/** A worker claims the run, for this attempt, and sends no heartbeat for an hour. */
async function losesItsWorker({ runId }: TestRun, attempt: number): Promise<void> {
  await app.store.across(async (db) => {
    await claimRun(db, runId, 'a worker that is killed')
    await db
      .updateTable('run')
      .set({ attempt, heartbeatAt: sql`now() - interval '1 hour'` })
      .where('id', '=', runId)
      .execute()
  })
}

async function countedBy(): Promise<readonly RunResult[]> {
  const counted: RunResult[] = []
  const metrics: TestApp['services']['metrics'] = {
    ...app.services.metrics,
    recordRunEnd: ({ result }) => void counted.push(result),
  }
  await reapExpiredLeases({ ...app.services, metrics }, 20_000)
  return counted
}

test('a requeued run is logged and counted; a run that has lost too many workers fails, also in the audit log', async () => {
  const run = await driver.start(await driver.add('Killed'))
  const failures = () =>
    app.store.within(app.harbour.id, (db) =>
      db
        .selectFrom('auditEvent')
        .select('detail')
        .where('action', '=', 'sync.failed')
        .where('objectId', '=', run.connectorId)
        .execute(),
    )
  await losesItsWorker(run, 1)
  expect(await countedBy()).toEqual(['lost'])
  expect(await failures()).toEqual([])
  const line = () =>
    app.logLines.filter((each) => each.includes('a run was requeued') && each.includes(run.runId)).at(-1)
  expect(line()).toContain('"code":"QUEUED"')
  await losesItsWorker(run, attemptsMax)
  expect(await countedBy()).toEqual(['failed'])
  expect(line()).toContain('"code":"FAILED"')
  expect(await failures()).toEqual([{ detail: { runId: run.runId, code: 'run.workers_lost' } }])
  expect(await countedBy()).toEqual([])
})
