import { runs } from '@tributary/contract/runs'
import { verifications } from '@tributary/contract/verifications'
import { insertConnectorWithRuns } from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { insertStream } from '@tributary/testing/server/connectors/verification-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fireDue } from './fire-schedules.ts'
import { fireDueVerifications } from './fire-verifications.ts'

let app: TestApp
let connectorCount = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function addConnector(change: object = {}): Promise<string> {
  const name = `Shop ${(connectorCount += 1)}`
  const connectorId = await insertConnectorWithRuns(app, app.harbour.id, { name, change })
  await app.store.within(app.harbour.id, (db) =>
    insertStream(db, { organisationId: app.harbour.id, connectorId }, 'sale'),
  )
  return connectorId
}

const params = (connectorId: string) => ({ clientId: app.harbour.id, connectorId })
const listRuns = async (connectorId: string) =>
  (await app.as.admin.call(runs.list, { params: params(connectorId), query: {} })).body
const nextTime = async (connectorId: string) =>
  (await app.as.admin.call(verifications.read, { params: params(connectorId) })).body.Settings?.NextAtUtc

const due = { verifyNextAt: new Date(0) }

test('[TRUST-2] by default every connector is verified once a week, at night on the clock of the organisation', async () => {
  const connectorId = await addConnector()
  await fireDueVerifications(app.services)
  expect(await listRuns(connectorId)).toEqual([])
  const next = new Date((await nextTime(connectorId)) ?? '')
  const at = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', weekday: 'short', hour: 'numeric' })
  expect(at.format(next)).toBe('Sun, 02')
})

test('[TRUST-2] a schedule that is due starts one verification, and one without a schedule none', async () => {
  const connectorId = await addConnector(due)
  const off = await addConnector({ ...due, verifySchedule: null })
  await fireDueVerifications(app.services)
  await fireDueVerifications(app.services)
  expect(await listRuns(connectorId)).toMatchObject([{ Mode: 'verify', Trigger: 'schedule', Status: 'QUEUED' }])
  expect(new Date((await nextTime(connectorId)) ?? '').getTime()).toBeGreaterThan(Date.now())
  expect(await listRuns(off)).toEqual([])
})

test('[TRUST-2] a verification waits for a run that moves rows, and gives way to one that is due', async () => {
  const connectorId = await addConnector(due)
  await app.as.admin.call(runs.process, { params: params(connectorId), body: {} })
  await fireDueVerifications(app.services)
  expect((await listRuns(connectorId)).map(({ Mode }) => Mode)).toEqual(['incremental'])
  const other = await addConnector({ ...due, schedule: '0 6 * * *', nextRunAt: new Date(0) })
  await fireDueVerifications(app.services)
  await app.store.across((db) => fireDue(db, app.services))
  const started = await listRuns(other)
  expect(started.map(({ Mode, Status }) => [Mode, Status]).toSorted()).toEqual([
    ['incremental', 'QUEUED'],
    ['verify', 'CANCELLED'],
  ])
})
