/** A plan of Excel next to the actual figures of a company at Xero, as both were when they were reported. */
import { closedPeriods } from '@tributary/contract/closed-periods'
import { reportMarks } from '@tributary/contract/report-marks'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectedProfit } from '@tributary/testing/engine/apis/xero-figures.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { defaultSlice, LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { startWorker } from '../../worker.ts'

let world: XeroApp
beforeAll(async () => {
  world = await openXeroApp()
})
afterAll(() => world[Symbol.asyncDispose]())

test('[TRUST-9] the marked view of plans against actual figures shows the plan that was loaded then, whatever is loaded later', async () => {
  const { app, xero } = world
  const tenantId = world.tenant(0)
  const company = xero.companies.find((each) => each.tenantId === tenantId)
  if (company === undefined) throw new Error('There is a company.')
  const month =
    [...expectedProfit(company).keys()]
      .map((key) => key.slice(0, 10))
      .toSorted()
      .at(-1) ?? ''
  const { versionId } = await planForLoads(app)
  const load = (amount: string) =>
    new LoadClient(app.as.admin).load(
      { versionId },
      { columns: ['Month', 'Amount'], rows: [[{ d: month }, { n: amount }]] },
      defaultSlice,
    )
  await load('120.5')
  const at = await world.authorise(await world.browserOf(), { tenantIds: [tenantId] })
  const params = { clientId: app.harbour.id, connectorId: at.searchParams.get('connected') ?? '' }
  const worker = await startWorker(app.services, { pollMs: 200 })
  const ended = (count: number) =>
    until(
      async () => {
        // Pauses between calls are over at once.
        app.clock.advance(1_000)
        return (await app.as.admin.call(runs.list, { params })).body
      },
      (list) => list.length === count && ['COMPLETED', 'FAILED'].includes(list[0]?.Status ?? ''),
      60_000,
    )
  const run = async (count: number) => {
    await app.as.admin.call(runs.process, { params, body: {} })
    expect((await ended(count))[0]).toMatchObject({ Status: 'COMPLETED' })
  }
  try {
    await ended(1)
    await app.as.admin.call(closedPeriods.save, { params, body: { isOn: true, administratorDate: null, table: null } })
    await run(2)
    const mark = { name: 'Board pack', periodEnd: '2026-06-30' }
    expect((await app.as.admin.call(reportMarks.create, { params, body: mark })).status).toBe(200)
    await load('777')
    await run(3)
    await load('888')
    await run(4)
  } finally {
    await worker.stop()
  }
  const prefix = 'reported_board_pack_'
  expect((await app.as.admin.call(reportMarks.list, { params })).body).toMatchObject([
    { Views: [`${prefix}budget_against_actual`, `${prefix}general_ledger`, `${prefix}trial_balance`], Notice: null },
  ])
  await withWarehouseReader(app, 'harbour_trading', async (target) => {
    const budgets = async (view: string) => {
      const { columns, rows } = await target.read(view)
      return rows.map((row) => Number(row[columns.indexOf('budget')])).filter((budget) => budget !== 0)
    }
    expect(await budgets(`${prefix}budget_against_actual`)).toEqual([120.5])
    expect(await budgets('budget_against_actual')).toEqual([888])
  })
})
