/** A company at Xero into the organisation's warehouse, by signing in there as an administrator does, every cell compared through the reader's login. */
import { licences } from '@tributary/contract/licences'
import { runs } from '@tributary/contract/runs'
import { xeroDifferences } from '@tributary/testing/engine/apis/xero-connector.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBundles } from '../../connections/connectors/connector-licences.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { startWorker } from '../../worker.ts'

let world: XeroApp
beforeAll(async () => {
  world = await openXeroApp()
})
afterAll(() => world[Symbol.asyncDispose]())

const dayMs = 86_400_000

test('[ENG-1] [ENG-3] a xero source stands in the warehouse cell for cell and ties out, and so do its changes', async () => {
  const { app, xero } = world
  const tenantId = world.tenant(0)
  const at = await world.authorise(await world.browserOf(), { tenantIds: [tenantId] })
  const params = { clientId: app.harbour.id, connectorId: at.searchParams.get('connected') ?? '' }
  const sold = listBundles('xero').flatMap(({ id, base }) => (base ? [] : [id]))
  expect((await app.as.superadmin.call(licences.save, { params, body: { licences: sold } })).status).toBe(200)
  const newest = async () => {
    // Pauses between calls are over at once.
    app.clock.advance(1_000)
    return (await app.as.admin.call(runs.list, { params })).body[0]
  }
  const expectTiedOut = async () => {
    const run = await until(newest, (one) => one !== undefined && ['COMPLETED', 'FAILED'].includes(one.Status), 60_000)
    expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0, Notice: null, TieOut: 'green' })
  }
  const expectEqual = () =>
    withWarehouseReader(app, 'harbour_trading', async (target) => {
      const asked = { now: app.clock.now(), withJournals: false }
      expect(await xeroDifferences(xero, tenantId, asked, { target })).toEqual([])
    })
  const liveOn = async () => {
    for (let steps = 0; steps < 5; steps += 1) xero.tick(tenantId)
    expect((await app.as.admin.call(runs.process, { params, body: {} })).status).toBe(202)
    await expectTiedOut()
  }
  const worker = await startWorker(app.services, { pollMs: 200 })
  try {
    await expectTiedOut()
    await expectEqual()
    await liveOn()
    // Within a week what changed unannounced is read again, too.
    app.clock.advance(8 * dayMs)
    await app.as.admin.signIn()
    await liveOn()
    await expectEqual()
  } finally {
    await worker.stop()
  }
})
