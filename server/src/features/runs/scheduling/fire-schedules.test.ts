import { globalConfiguration } from '@tributary/contract/global-configuration'
import { users } from '@tributary/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { createStoreGaugeReader } from '../../../connections/connectors/store-gauges.ts'
import { fireAllDue } from './fire-schedules.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** A connector of that organisation whose schedule is due now. */
async function dueConnector(organisation: TestApp['harbour'] | TestApp['summit'] = app.harbour): Promise<string> {
  const { connectorId } = await insertFixtures(
    app,
    organisation,
    app.idOf(organisation === app.harbour ? 'user' : 'otherAdmin'),
  )
  await app.store.within(organisation.id, (db) =>
    db
      .updateTable('connector')
      .set({ schedule: '0 6 * * *', nextRunAt: new Date(0) })
      .where('id', '=', connectorId)
      .execute(),
  )
  return connectorId
}

function firedFor(connectorId: string) {
  return app.store.across((db) =>
    db
      .selectFrom('run')
      .select('id')
      .where('connectorId', '=', connectorId)
      .where('trigger', '=', 'schedule')
      .execute(),
  )
}

async function lateness(): Promise<number | undefined> {
  const values = await createStoreGaugeReader({ store: app.store, clock: app.services.clock, connectorsMax: 0 })()
  return values.find(({ name }) => name === 'tributary_schedule_lateness_seconds')?.value
}

test('schedules that are switched off do not fire; switched on again, those that came due fire once', async () => {
  const turn = (value: 'true' | 'false') =>
    app.as.superadmin.call(globalConfiguration.save, { body: { key: 'ScheduledRuns', value } })
  const connectorId = await dueConnector()
  await turn('false')
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toEqual([])
  await turn('true')
  await fireAllDue(app.services)
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toHaveLength(1)
})

test('a run of selected tables does not replace a fire: the fire waits for its end, is not late meanwhile, and happens once', async () => {
  const connectorId = await dueConnector()
  const partial = {
    organisationId: app.harbour.id,
    connectorId,
    mode: 'full' as const,
    trigger: 'person' as const,
    onlyStreams: ['sale'],
  }
  await app.store.within(app.harbour.id, (db) => db.insertInto('run').values(partial).execute())
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toEqual([])
  expect(await lateness()).toBe(0)
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('run')
      .set({ status: 'COMPLETED', completedAt: sql`now()` })
      .where('connectorId', '=', connectorId)
      .execute(),
  )
  expect(await lateness()).toBeGreaterThan(0)
  await fireAllDue(app.services)
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toHaveLength(1)
})

test('[TRUST-2] a fire does not wait for a run that only verifies', async () => {
  const connectorId = await dueConnector()
  const verifying = {
    organisationId: app.harbour.id,
    connectorId,
    mode: 'incremental' as const,
    trigger: 'person' as const,
    status: 'RUNNING' as const,
    onlyStreams: ['sale'],
    verifyingSince: new Date(),
  }
  await app.store.within(app.harbour.id, (db) => db.insertInto('run').values(verifying).execute())
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toHaveLength(1)
})

test('an unknown time zone stops no other schedule, is read as UTC, and is logged', async () => {
  await app.store.across((db) =>
    db.updateTable('organisation').set({ timeZone: 'Mars/Olympus' }).where('id', '=', app.summit.id).execute(),
  )
  const [lost, fine] = [await dueConnector(app.summit), await dueConnector()]
  await fireAllDue(app.services)
  expect([(await firedFor(lost)).length, (await firedFor(fine)).length]).toEqual([1, 1])
  const { nextRunAt } = await app.store.across((db) =>
    db.selectFrom('connector').select('nextRunAt').where('id', '=', lost).executeTakeFirstOrThrow(),
  )
  expect(nextRunAt).toMatch(/T06:00:00\.000Z$/u)
  expect(app.logLines.join('')).toContain('a schedule could not be read in its time zone')
})

test('[API-1 POST /organisations/:clientId/archive] schedules of an archived organisation do not fire; once restored, each resumes with its next time without catching up', async () => {
  const connectorId = await dueConnector()
  const archive = (archived: boolean) =>
    app.as.provideradmin.call(users.archiveOrganisation, { params: { clientId: app.harbour.id }, body: { archived } })
  expect((await archive(true)).body.Archived).toBe(true)
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toEqual([])
  expect((await archive(false)).body.Archived).toBe(false)
  await fireAllDue(app.services)
  expect(await firedFor(connectorId)).toEqual([])
  const { nextRunAt } = await app.store.across((db) =>
    db.selectFrom('connector').select('nextRunAt').where('id', '=', connectorId).executeTakeFirstOrThrow(),
  )
  expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(Date.now())
})
