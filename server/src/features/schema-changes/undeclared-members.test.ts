/** Members of rows that no column has, of a service that a customer describes. */
import { schemaChanges } from '@tributary/contract/schema-changes'
import { type CustomerSources, openCustomerSources } from '@tributary/testing/server/connectors/customer-sources.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'

let world: CustomerSources
let worker: Worker
let driver: RunDriver
beforeAll(async () => {
  world = await openCustomerSources({ undeclared: true })
  const { app } = world
  worker = await startWorker(app.services, { pollMs: 200 })
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('SELECT 1'))
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

test('[SRC-4] a member that the metadata do not declare is listed once with the schema changes, however many rows and runs have it', async () => {
  const { app } = world
  const connectorId = await world.add('odata-service', 'Colours')
  expect(await world.decide(connectorId, 'APPROVED')).toBe(200)
  const params = { clientId: app.harbour.id, connectorId }
  const listed = async () => (await app.as.admin.call(schemaChanges.list, { params })).body
  for (let round = 0; round < 2; round += 1) {
    const run = await driver.runToEnd(connectorId)
    expect([run.Status, run.Notice]).toEqual(['COMPLETED', null])
    world.odata.trade(5)
    expect((await listed()).filter(({ Column }) => Column === 'Colour')).toEqual([
      expect.objectContaining({ Table: 'documents', Before: null, After: 'not moved', Status: 'APPLIED' }),
    ])
  }
  // It needs no decision, and no column has it.
  expect((await listed()).filter(({ Status }) => Status === 'PENDING')).toEqual([])
  const columns = await driver.inWarehouse<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'colours' AND table_name = 'documents'",
  )
  expect(columns.map(({ name }) => name)).toContain('name')
  expect(columns.map(({ name }) => name)).not.toContain('colour')
  const foreign = await app.as.otherAdmin.call(schemaChanges.list, { params })
  expect(JSON.stringify(foreign.body)).not.toContain('Colour')
})
