import { organisations } from '@tributary/contract/organisations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let driver: RunDriver
beforeAll(async () => {
  app = await testApp()
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY)'))
})
afterAll(() => app[Symbol.asyncDispose]())

const harbour = () => ({ params: { clientId: app.harbour.id } })

/** As a worker does. Returns the run's id. */
async function claimNext(): Promise<string | null | undefined> {
  const { rows } = await app.store.across((db) =>
    sql<{
      claimed: string | null
    }>`SELECT claimed FROM tributaryClaimNextRun('a worker of this test', 10000, false)`.execute(db),
  )
  return rows[0]?.claimed
}

test('[SCALE-2] the provider changes the share of runs of an organisation, and its administrators see it in use', async () => {
  expect((await app.as.admin.call(organisations.runShare, harbour())).body).toEqual({
    RunsMax: 2,
    Weight: 1,
    Running: 0,
    Waiting: 0,
  })
  const started = []
  for (const name of ['First', 'Second', 'Third']) started.push(await driver.start(await driver.add(name)))
  for (let claims = 0; claims < 4; claims += 1) await claimNext()
  expect((await app.as.admin.call(organisations.runShare, harbour())).body).toMatchObject({ Running: 2, Waiting: 1 })
  const seen = await Promise.all(started.map((run) => driver.read(run)))
  expect(seen.find(({ Status }) => Status === 'QUEUED')?.Notice).toBe(
    'Waiting because this organisation already uses its share of 2 runs at once. The run begins when one of them ends.',
  )
  const body = { runsMax: 3, weight: 5 }
  expect((await app.as.superadmin.call(organisations.changeRunShare, { ...harbour(), body })).body).toEqual({
    RunsMax: 3,
    Weight: 5,
    Running: 2,
    Waiting: 0,
  })
  expect(await claimNext()).toBe(seen.find(({ Status }) => Status === 'QUEUED')?.Id)
  const events = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('auditEvent')
      .select('detail')
      .where('organisationId', '=', app.harbour.id)
      .where('action', '=', 'organisation.run_share_changed')
      .execute(),
  )
  expect(events).toEqual([{ detail: body }])
})

test('[SCALE-2] only superadmins change a share, and no one sees the share of a foreign organisation', async () => {
  const body = { runsMax: 50, weight: 50 }
  for (const role of ['provideradmin', 'admin', 'user', 'guest'] as const)
    expect((await app.as[role].call(organisations.changeRunShare, { ...harbour(), body })).status).toBe(403)
  for (const role of ['user', 'guest'] as const)
    expect((await app.as[role].call(organisations.runShare, harbour())).status).toBe(403)
  expect((await app.as.otherAdmin.call(organisations.runShare, harbour())).status).toBe(404)
  expect((await app.as.otherAdmin.call(organisations.changeRunShare, { ...harbour(), body })).status).toBe(404)
  expect((await app.as.visitor.call(organisations.runShare, harbour())).status).toBe(401)
})

test.each([
  { runsMax: 0, weight: 1 },
  { runsMax: 101, weight: 1 },
  { runsMax: 2, weight: 0 },
  { runsMax: 1.5, weight: 1 },
])('a share of %j is refused', async (body) => {
  const reply = await app.as.superadmin.call(organisations.changeRunShare, { ...harbour(), body })
  expect(reply.status).toBe(400)
})
