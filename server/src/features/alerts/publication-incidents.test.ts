import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlertRig, openAlertRig } from '@tributary/testing/server/connectors/alert-rig.ts'

let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const hourMs = 3_600_000
const because = 'Its latest run failed. The source is away.'

async function addSet(incidentAfterHours: number | null): Promise<void> {
  const { app, connectorId } = rig
  const setId = randomUUID()
  const organisationId = app.harbour.id
  const set = { name: 'sales on db.example', kind: 'postgres', isOn: true, tieOut: 'any', incidentAfterHours } as const
  await app.store.within(organisationId, async (db) => {
    await db
      .insertInto('publicationSet')
      .values({ id: setId, organisationId, ...set, changedBy: app.idOf('admin') })
      .execute()
    await db.insertInto('publicationMember').values({ organisationId, setId, connectorId }).execute()
  })
}

async function hold(hours: number | null): Promise<void> {
  const held =
    hours === null
      ? { heldBecause: null, heldSince: null }
      : { heldBecause: because, heldSince: new Date(Date.now() - hours * hourMs) }
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db.updateTable('publicationMember').set(held).where('connectorId', '=', rig.connectorId).execute(),
  )
  await rig.watchConnectors()
}

test('[TRUST-12] a connector that holds a publication back is an incident after the chosen time, once, until it no longer does', async () => {
  await addSet(4)
  await hold(3)
  expect(await rig.incidents()).toEqual([])
  await hold(5)
  await hold(6)
  expect(await rig.incidents()).toMatchObject([
    {
      Kind: 'publication',
      Notice: `The publication of sales on db.example stays as it is. ${because}`,
      ClosedAtUtc: null,
      Deliveries: [{ Event: 'opened' }],
    },
  ])
  await hold(null)
  expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String), Deliveries: [{}, {}] }])
  expect(await rig.subjects()).toEqual(['Web shop holds a publication back', 'Web shop can be published again'])
})

test('[TRUST-12] without a chosen time there is no incident, and it opens next to that of a failed run', async () => {
  await addSet(null)
  await hold(10_000)
  expect(await rig.incidents()).toEqual([])
  await rig.fail()
  await rig.watchConnectors()
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db.updateTable('publicationSet').set({ incidentAfterHours: 1 }).execute(),
  )
  await rig.watchConnectors()
  expect((await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)).toHaveLength(2)
})
