import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlertRig, openAlertRig } from '@tributary/testing/server/connectors/alert-rig.ts'

let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs)

async function plan(change: { readonly obstacle?: string | null; readonly notice?: string | null }): Promise<void> {
  const { app, connectorId } = rig
  const organisationId = app.harbour.id
  await app.store.within(organisationId, async (db) => {
    const wish = { minute: 450, days: [1], maxAgeHours: 4, isOn: true }
    await db
      .insertInto('readyByWish')
      .values({ organisationId, connectorId, ...wish })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const times = { planAt: null, dueAt: inHours(10), earliestAt: inHours(6), startAt: inHours(9), endAt: inHours(9.5) }
    await db
      .updateTable('readyByPlan')
      .set({ ...times, obstacle: null, notice: null, ...change })
      .where('connectorId', '=', connectorId)
      .execute()
  })
  await rig.watchConnectors()
}

async function miss(): Promise<void> {
  const { app, connectorId } = rig
  const organisationId = app.harbour.id
  const missed = { isKept: false, reason: 'tookLonger', notice: 'The run took longer than its last runs.' }
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('readyByOutcome')
      .values({ organisationId, connectorId, dueAt: inHours(-1), earliestAt: inHours(-5), at: sql`now()`, ...missed })
      .execute(),
  )
  await rig.watchConnectors()
}

test('[SCALE-3] a promise that cannot be kept is reported once when it is planned, until a plan can keep it', async () => {
  const notice = 'The workers have no room before this time.'
  await plan({ obstacle: 'workers', notice })
  await plan({ obstacle: 'workers', notice })
  expect(await rig.incidents()).toMatchObject([
    {
      Kind: 'readyBy',
      Notice: `The rows will not be ready by 07:30. ${notice}`,
      ClosedAtUtc: null,
      Deliveries: [{ Event: 'opened' }],
    },
  ])
  await plan({})
  expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String), Deliveries: [{}, {}] }])
  expect(await rig.subjects()).toEqual(['Web shop is not ready in time', 'Web shop is ready again'])
})

test('[SCALE-3] what may pass by itself is reported when the hours of the promise begin', async () => {
  await plan({ obstacle: 'targetDown', notice: 'The target does not respond.' })
  expect(await rig.incidents()).toEqual([])
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db
      .updateTable('readyByPlan')
      .set({ earliestAt: inHours(-1) })
      .where('connectorId', '=', rig.connectorId)
      .execute(),
  )
  await rig.watchConnectors()
  expect(await rig.incidents()).toMatchObject([{ Kind: 'readyBy', ClosedAtUtc: null }])
})

test('[SCALE-3] a missed promise is reported once, with its reason, and is over when the rows are ready', async () => {
  await plan({})
  await miss()
  await rig.watchConnectors()
  expect(await rig.incidents()).toMatchObject([
    {
      Kind: 'readyBy',
      Notice: 'The rows were not ready by 07:30. The run took longer than its last runs.',
      ClosedAtUtc: null,
    },
  ])
  await rig.run({ status: 'COMPLETED', agoMs: 60_000 })
  await rig.watchConnectors()
  await rig.watchConnectors()
  expect((await rig.incidents()).filter(({ Kind }) => Kind === 'readyBy')).toMatchObject([
    { ClosedAtUtc: expect.any(String) },
  ])
})

test('[SCALE-3] the incident ends without a promise, and does not hide one of a failed run', async () => {
  await plan({ obstacle: 'workers', notice: 'No room.' })
  await rig.fail()
  await rig.watchConnectors()
  expect((await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)).toHaveLength(2)
  await rig.app.store.within(rig.app.harbour.id, async (db) => {
    await db.deleteFrom('readyByWish').where('connectorId', '=', rig.connectorId).execute()
    await db.deleteFrom('readyByPlan').where('connectorId', '=', rig.connectorId).execute()
  })
  await rig.watchConnectors()
  expect((await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)).toHaveLength(1)
})
