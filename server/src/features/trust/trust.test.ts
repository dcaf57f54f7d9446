import { closedPeriods } from '@tributary/contract/closed-periods'
import { trust } from '@tributary/contract/trust'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StreamVerification } from '@tributary/engine/ports/verification'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import {
  insertStream,
  rowDifference,
  storeVerifications,
  streamVerification,
} from '@tributary/testing/server/connectors/verification-fixtures.ts'
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

/** Verifies the only table of the connector. */
async function verify(changes: Partial<StreamVerification> = {}): Promise<void> {
  const connector = { organisationId: app.harbour.id, connectorId: rig.connectorId }
  await app.store.within(app.harbour.id, (db) =>
    storeVerifications(db, connector, [streamVerification('invoice', changes)]),
  )
}

async function begin(): Promise<void> {
  await rig.begin()
  await rig.save({})
  const connector = { organisationId: app.harbour.id, connectorId: rig.connectorId }
  await app.store.within(app.harbour.id, (db) => insertStream(db, connector, 'invoice'))
}

test('[TRUST-12] [TRUST-5] the verdict of a source is that of its rows and of its figures, with last proof and open differences', async () => {
  await begin()
  expect(await find()).toMatchObject({ Verdict: 'unproven', ProvenAtUtc: null, ComparedAtUtc: null, Differences: 0 })
  const [earlier, later] = ['2026-11-20T07:12:00.000Z', '2026-11-21T07:12:00.000Z']
  await compare('green', earlier)
  // The report alone proves no rows.
  expect(await find()).toMatchObject({ Verdict: 'unproven', ProvenAtUtc: null, ComparedAtUtc: earlier })
  const checkedAt = new Date(Date.now() - 60_000)
  await verify({ checkedAt })
  expect(await find()).toMatchObject({ Name: rig.name, Verdict: 'proven', ProvenAtUtc: earlier })
  await compare('red', later, 3)
  expect(await find()).toMatchObject({ Verdict: 'differs', ProvenAtUtc: null, ComparedAtUtc: later, Differences: 3 })
  expect(await find()).toMatchObject({ Notice: 'Sales differs.' })
  await compare('amber', '2026-11-22T07:12:00.000Z')
  expect(await find()).toMatchObject({ Verdict: 'unknown' })
})

test('[TRUST-12] [TRUST-5] a source without a report has the verdict of its rows: proven, sampled, not provable, outdated, differs or could not be compared', async () => {
  await begin()
  const checkedAt = new Date(Date.now() - 60_000)
  await verify({ method: 'sample', checkedAt })
  const sampled = await find()
  expect(sampled).toMatchObject({ Verdict: 'sampled', Verification: { Tables: 1, Verified: 1 } })
  expect(Date.parse(sampled?.ProvenAtUtc ?? '')).toBe(checkedAt.getTime())
  await verify({ outcome: 'notProvable', method: 'sample' })
  expect(await find()).toMatchObject({ Verdict: 'notProvable', ProvenAtUtc: null })
  await verify({ checkedAt: new Date('2026-11-01T00:00:00Z') })
  expect(await find()).toMatchObject({ Verdict: 'outdated', Verification: { Overdue: 1 }, ProvenAtUtc: null })
  await verify({ outcome: 'pending', differences: [rowDifference('1')] })
  expect(await find()).toMatchObject({ Verdict: 'unproven' })
  await verify({ outcome: 'different', differences: [rowDifference('1'), rowDifference('2')] })
  expect(await find()).toMatchObject({ Verdict: 'differs', Differences: 0, Verification: { Differences: 2 } })
  await verify({ outcome: 'identical' })
  expect(await find()).toMatchObject({ Verdict: 'proven' })
  await verify({ outcome: 'failed', notice: 'The source cannot be reached.' })
  expect(await find()).toMatchObject({ Verdict: 'unknown', ProvenAtUtc: null })
})

test('[TRUST-12] a source whose runs fail says so, with the moment up to which its rows are proven', async () => {
  await begin()
  await verify()
  const failed = {
    organisationId: app.harbour.id,
    connectorId: rig.connectorId,
    trigger: 'schedule',
    mode: 'incremental',
  } as const
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('run')
      .values({ ...failed, status: 'FAILED', faultKind: 'passing', completedAt: new Date() })
      .execute(),
  )
  expect(await find()).toMatchObject({ Verdict: 'proven', ProvenAtUtc: expect.any(String), State: 'failed' })
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
