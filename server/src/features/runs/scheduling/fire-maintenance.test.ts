import { runs } from '@tributary/contract/runs'
import { insertConnectorWithRuns } from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fireDueMaintenance } from './fire-maintenance.ts'
import { fireDue } from './fire-schedules.ts'

let app: TestApp
let connectorCount = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const settings = { connector: 'iceberg', uri: 'https://catalog.example.com' }

async function addConnector(change: object = {}, target: object = settings): Promise<string> {
  const organisationId = app.harbour.id
  const name = `Lake ${(connectorCount += 1)}`
  const connectorId = await insertConnectorWithRuns(app, organisationId, { name, change })
  const property = { organisationId, connectorId, name: 'target.connectionString', value: JSON.stringify(target) }
  await app.store.within(organisationId, (db) => db.insertInto('connectorProperty').values(property).execute())
  return connectorId
}

const params = (connectorId: string) => ({ clientId: app.harbour.id, connectorId })
const listRuns = async (connectorId: string) =>
  (await app.as.admin.call(runs.list, { params: params(connectorId), query: {} })).body

const due = { maintainNextAt: new Date(0) }

test('[LAKE-4] maintenance that is due starts once, and only of tables that are files', async () => {
  const lake = await addConnector(due)
  const later = await addConnector({ maintainNextAt: new Date(Date.now() + 60_000) })
  const database = await addConnector(due, { connector: 'postgres' })
  const disconnected = await addConnector({ ...due, status: 'DISCONNECTED' })
  await fireDueMaintenance(app.services)
  await fireDueMaintenance(app.services)
  expect(await listRuns(lake)).toMatchObject([{ Mode: 'maintain', Trigger: 'schedule', Status: 'QUEUED' }])
  for (const other of [later, database, disconnected]) expect(await listRuns(other)).toEqual([])
})

test('[LAKE-4] maintenance waits for a run that moves rows, and gives way to one that is due', async () => {
  const busy = await addConnector(due)
  await app.as.admin.call(runs.process, { params: params(busy), body: {} })
  await fireDueMaintenance(app.services)
  expect((await listRuns(busy)).map(({ Mode }) => Mode)).toEqual(['incremental'])
  const lake = await addConnector({ ...due, schedule: '0 6 * * *', nextRunAt: new Date(0) })
  await fireDueMaintenance(app.services)
  await app.store.across((db) => fireDue(db, app.services))
  expect(await listRuns(lake)).toMatchObject([
    { Mode: 'incremental', Status: 'QUEUED' },
    { Mode: 'maintain', Status: 'CANCELLED', Notice: expect.stringContaining('maintenance gave way') },
  ])
})
