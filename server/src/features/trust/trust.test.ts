import { closedPeriods } from '@tributary/contract/closed-periods'
import { trust } from '@tributary/contract/trust'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { change, ClosedPeriodRig, cutOff } from '@tributary/testing/server/connectors/closed-period-rig.ts'

let app: TestApp
let rig: ClosedPeriodRig
beforeAll(async () => {
  app = await testApp()
  rig = new ClosedPeriodRig(app)
})
afterAll(() => app[Symbol.asyncDispose]())

async function read(as: TestClient = app.as.admin) {
  const { status, body } = await as.call(trust.read, { params: { clientId: app.harbour.id } })
  expect(status).toBe(200)
  return body.Sources
}

async function find(as?: TestClient) {
  return (await read(as)).find(({ ConnectorId }) => ConnectorId === rig.connectorId)
}

/** A run whose figures were compared with the source's report. */
async function compare(state: 'green' | 'amber' | 'red', checkedAt: string, differing = 0): Promise<void> {
  const { runId } = await rig.run()
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('tieOut')
      .values({
        runId,
        organisationId: app.harbour.id,
        connectorId: rig.connectorId,
        state,
        notice: state === 'green' ? null : 'Sales differs.',
        company: 'Harbour',
        basis: 'journals',
        accounts: 10,
        differing,
        checkedAt,
      })
      .execute(),
  )
}

test('[TRUST-12] the Trust page gives the verdict, last proof and open differences of a source', async () => {
  await rig.begin()
  expect(await find()).toMatchObject({ Verdict: 'unproven', ProvenAtUtc: null, ComparedAtUtc: null, Differences: 0 })
  await rig.save({})
  const [first, second] = ['2026-11-20T07:12:00.000Z', '2026-11-21T07:12:00.000Z']
  await compare('green', first)
  expect(await find()).toMatchObject({ Name: rig.name, Verdict: 'proven', ProvenAtUtc: first, ComparedAtUtc: first })
  await compare('red', second, 3)
  expect(await find()).toMatchObject({
    Verdict: 'differs',
    ProvenAtUtc: first,
    ComparedAtUtc: second,
    Differences: 3,
    Notice: 'Sales differs.',
  })
})

test('[TRUST-12] the Trust page counts the closed-period changes that are not acknowledged, with their months', async () => {
  await rig.begin()
  await rig.save({})
  await rig.run({ upTo: cutOff(1) })
  await rig.run({ upTo: cutOff(2), changes: [change(1), change(2)] })
  const changed = await find()
  expect(changed).toMatchObject({ WatchesClosedPeriods: true, ClosedThrough: '2026-06-30', ClosedPeriodChanges: 2 })
  expect(changed?.ChangedPeriods).toContain('2026-06-01')
  const { Changes } = await rig.list()
  await app.as.admin.call(closedPeriods.acknowledge, {
    params: rig.params,
    body: { changes: Changes.map(({ Id }) => Id), reason: 'Agreed' },
  })
  expect(await find()).toMatchObject({ ClosedPeriodChanges: 0, ChangedPeriods: [] })
})

test('[TRUST-12] people see the sources that are assigned to them, administrators all, and another organisation none', async () => {
  await rig.begin()
  expect(await find(app.as.user)).toBeDefined()
  expect(await find(app.as.guest)).toBeUndefined()
  expect(await find(app.as.superadmin)).toBeDefined()
  const foreign = await app.as.otherAdmin.call(trust.read, { params: { clientId: app.harbour.id } })
  expect(foreign.status).toBe(404)
})
