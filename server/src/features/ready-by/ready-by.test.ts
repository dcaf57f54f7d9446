import { readyBy } from '@tributary/contract/ready-by'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { ReadyByRig } from '@tributary/testing/server/ready-by/ready-by-rig.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const workingDays = { time: '07:30', days: [1, 2, 3, 4, 5], maxAgeHours: 4 }

let rig: ReadyByRig
beforeAll(async () => {
  rig = await ReadyByRig.open()
})
afterAll(() => rig[Symbol.asyncDispose]())

const organisation = () => ({ clientId: rig.app.harbour.id })

test('[SCALE-3] a connector follows its organisation until it has a wish, and can have none', async () => {
  const { app } = rig
  const connectorId = await rig.addConnector()
  const params = rig.params(connectorId)
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'organisation', Wish: null, TimeZone: 'Europe/London' })
  await app.as.admin.call(readyBy.saveOrganisation, { params: organisation(), body: { wish: workingDays } })
  const shown = { Time: '07:30', Days: [1, 2, 3, 4, 5], MaxAgeHours: 4 }
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'organisation', Wish: shown, OrganisationWish: shown })
  const own = { time: '22:05', days: [7, 6, 6], maxAgeHours: 24 }
  await app.as.admin.call(readyBy.save, { params, body: { follows: 'own', wish: own } })
  const ownShown = { Time: '22:05', Days: [6, 7], MaxAgeHours: 24 }
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'own', Wish: ownShown, OrganisationWish: shown })
  await app.as.admin.call(readyBy.save, { params, body: { follows: 'none' } })
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'none', Wish: null })
  await app.as.admin.call(readyBy.save, { params, body: { follows: 'organisation' } })
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'organisation', Wish: shown })
  await app.as.admin.call(readyBy.saveOrganisation, { params: organisation(), body: { wish: null } })
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'organisation', Wish: null })
})

test.each([
  [{ ...workingDays, time: '24:00' }],
  [{ ...workingDays, time: '7:30' }],
  [{ ...workingDays, days: [] }],
  [{ ...workingDays, days: [0] }],
  [{ ...workingDays, maxAgeHours: 0 }],
  [{ ...workingDays, maxAgeHours: 25 }],
])('[SCALE-3] a wish that means no time is refused: %j', async (wish) => {
  const connectorId = await rig.addConnector()
  const { admin } = rig.app.as
  expect(
    (await admin.call(readyBy.save, { params: rig.params(connectorId), body: { follows: 'own', wish } })).status,
  ).toBe(400)
  expect((await admin.call(readyBy.saveOrganisation, { params: organisation(), body: { wish } })).status).toBe(400)
})

test('[SCALE-3] administrators set wishes; users read those of their connectors; other organisations see nothing', async () => {
  const { app } = rig
  const connectorId = await rig.addConnector()
  const params = rig.params(connectorId)
  const body = { follows: 'own' as const, wish: workingDays }
  const statuses = async (client: typeof app.as.admin) => [
    (await client.call(readyBy.read, { params })).status,
    (await client.call(readyBy.save, { params, body })).status,
    (await client.call(readyBy.readOrganisation, { params: organisation() })).status,
    (await client.call(readyBy.saveOrganisation, { params: organisation(), body: { wish: workingDays } })).status,
  ]
  const guest = await addPerson(app, { [app.harbour.id]: 'guest' })
  expect(await statuses(app.as.user)).toEqual([404, 403, 200, 403])
  expect(await statuses(guest.client)).toEqual([404, 403, 200, 403])
  expect(await statuses(app.as.otherAdmin)).toEqual([404, 404, 404, 404])
  expect(await statuses(app.as.admin)).toEqual([200, 200, 200, 200])
  await rig.keep()
  const seen = async (client: typeof app.as.admin) =>
    (await client.call(readyBy.readOrganisation, { params: organisation() })).body.Connectors.map(({ Id }) => Id)
  expect(await seen(app.as.admin)).toContain(connectorId)
  expect(await seen(app.as.user)).not.toContain(connectorId)
  await app.as.admin.call(readyBy.saveOrganisation, { params: organisation(), body: { wish: null } })
})

test('[SCALE-3] changes of wishes are in the audit log', async () => {
  const connectorId = await rig.addConnector()
  const body = { follows: 'own' as const, wish: workingDays }
  await rig.app.as.admin.call(readyBy.save, { params: rig.params(connectorId), body })
  await rig.app.as.admin.call(readyBy.saveOrganisation, { params: organisation(), body: { wish: workingDays } })
  const ofConnectors = await findAuditEvents(rig.app.store, 'connector.ready_by_set')
  expect(ofConnectors.find(({ objectId }) => objectId === connectorId)?.detail).toEqual({
    before: 'organisation',
    after: workingDays,
  })
  const events = await findAuditEvents(rig.app.store, 'organisation.ready_by_set')
  expect(events.at(-1)?.detail).toEqual({ before: null, after: workingDays })
})

test('[SCALE-3] the organisation counts kept and missed promises of 30 days, with reasons', async () => {
  const { app } = rig
  const connectorId = await rig.addConnector()
  const organisationId = app.harbour.id
  const dayMs = 86_400_000
  const outcome = (daysAgo: number, reason: string | null) => {
    const dueAt = new Date(Date.now() - daysAgo * dayMs)
    const earliestAt = new Date(dueAt.getTime() - dayMs / 6)
    return { organisationId, connectorId, dueAt, earliestAt, isKept: reason === null, reason, notice: reason }
  }
  await rig.wish(connectorId, 120)
  const before = (await app.as.admin.call(readyBy.readOrganisation, { params: organisation() })).body.Counts
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('readyByOutcome')
      .values([
        outcome(1, null),
        outcome(2, 'workers'),
        outcome(3, 'workers'),
        outcome(4, 'runFailed'),
        outcome(31, 'workers'),
      ])
      .execute(),
  )
  const { Counts, Reasons, Connectors } = (
    await app.as.admin.call(readyBy.readOrganisation, { params: organisation() })
  ).body
  expect(Counts).toEqual({ Kept: before.Kept + 1, Missed: before.Missed + 3 })
  expect(Reasons).toEqual([
    { Reason: 'workers', Missed: 2 },
    { Reason: 'runFailed', Missed: 1 },
  ])
  expect(Connectors.find(({ Id }) => Id === connectorId)?.Counts).toEqual({ Kept: 1, Missed: 3 })
})

test('[SCALE-4] inserting connectors reads each of them a few times, however many there are, and none gets a plan without a wish', async () => {
  await using app = await testApp()
  const insert = (count: number) =>
    app.store.across(async (db) => {
      await sql`INSERT INTO connector (organisationId, key, type, name, originalName)
        SELECT ${app.harbour.id}, ${`many-${count}-`} || n, 'xero', ${`Many ${count} `} || n, 'Many' FROM generate_series(1, ${sql.lit(count)}) n`.execute(
        db,
      )
      const { rows } = await sql<{
        read: number
      }>`SELECT (seqTupRead + idxTupFetch) / ${sql.lit(count)} AS read FROM pgStatXactUserTables WHERE relname = 'connector'`.execute(
        db,
      )
      return rows[0]?.read ?? Number.NaN
    })
  expect(await insert(100)).toBeLessThan(5)
  expect(await insert(1_000)).toBeLessThan(5)
  const plans = await app.store.across((db) => db.selectFrom('readyByPlan').select('connectorId').execute())
  expect(plans).toEqual([])
})
