/** A loaded plan next to the actual figures of a company at Xero, in the warehouse. */
import { assignments } from '@tributary/contract/assignments'
import { connectors } from '@tributary/contract/connectors'
import { groups } from '@tributary/contract/groups'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectedProfit } from '@tributary/testing/engine/apis/xero-figures.ts'
import { selectAs } from '@tributary/testing/server/access/warehouse-login.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { defaultSlice, LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { keepAccess } from '../../access/logins/keep-access.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import { startWorker } from '../../worker.ts'

let world: XeroApp
beforeAll(async () => {
  world = await openXeroApp()
})
afterAll(() => world[Symbol.asyncDispose]())

test('[SEE-2] [SEE-7] a plan that was loaded in the portal is compared with the actual figures after the next run, and each person sees their rows', async () => {
  const { app, xero } = world
  const tenantId = world.tenant(0)
  const company = xero.companies.find((each) => each.tenantId === tenantId)
  if (company === undefined) throw new Error('There is a company.')
  const actual = expectedProfit(company)
  const month =
    [...actual.keys()]
      .map((key) => key.slice(0, 10))
      .toSorted()
      .at(-1) ?? ''
  const { versionId, groupId } = await planForLoads(app)
  await new LoadClient(app.as.admin).load(
    { versionId },
    { columns: ['Month', 'Amount'], rows: [[{ d: month }, { n: '120.5' }]] },
    defaultSlice,
  )
  const forecast = await structureCalls(app).version('Forecast 2026')
  const milestoneId = await structureCalls(app).milestone('June', forecast)
  await app.as.admin.call(groups.grantMilestone, { body: { groupId, versionId: forecast, milestoneId } })
  await new LoadClient(app.as.admin).load(
    { versionId: forecast },
    { columns: ['Line', 'Amount'], rows: [['one', { n: '1' }]] },
    defaultSlice,
  )
  const at = await world.authorise(await world.browserOf(), { tenantIds: [tenantId] })
  const params = { clientId: app.harbour.id, connectorId: at.searchParams.get('connected') ?? '' }
  const newest = async () => {
    // Pauses between calls are over at once.
    app.clock.advance(1_000)
    return (await app.as.admin.call(runs.list, { params })).body[0]
  }
  const worker = await startWorker(app.services, { pollMs: 200 })
  try {
    const run = await until(newest, (one) => one !== undefined && ['COMPLETED', 'FAILED'].includes(one.Status), 60_000)
    expect(run).toMatchObject({ Status: 'COMPLETED', Notice: null })
    const { body } = await app.as.admin.call(runs.read, { params: { ...params, runId: run?.Id ?? '' } })
    expect(body.Lines.map(({ Text }) => Text).filter((line) => line.includes('budget_against_actual'))).toEqual([
      '‘Forecast 2026’ is not compared with the actual figures in budget_against_actual: it needs a column Month, Period or Date with dates, and a column Amount, Budget or Value with numbers.',
    ])
  } finally {
    await worker.stop()
  }
  await withWarehouseReader(app, 'harbour_trading', async (target) => {
    const { columns, rows } = await target.read('budget_against_actual')
    const sum = (column: string): number =>
      rows.reduce((all, row) => all + Math.round(Number(row[columns.indexOf(column)]) * 100), 0)
    expect(rows.find((row) => row[columns.indexOf('area')] === 'Kitchen')?.slice(0, 9)).toEqual([
      'Budget 2026',
      'June',
      'One',
      'Kitchen',
      'Bar',
      null,
      null,
      month,
      '120.50',
    ])
    const expected = [...actual].filter(([key]) => key.startsWith(month)).reduce((all, [, cents]) => all + cents, 0)
    expect([sum('budget'), sum('actual')]).toEqual([12_050, expected])
  })
  await expectOwnRows(app, params, { versionId, groupId, month })
})

/** Of a second slice, which only some people may read, and of a connector that only some are assigned to. */
async function expectOwnRows(
  app: TestApp,
  params: { readonly clientId: string; readonly connectorId: string },
  { versionId, groupId, month }: { readonly versionId: string; readonly groupId: string; readonly month: string },
): Promise<void> {
  const organisationId = app.harbour.id
  const everything = await structureCalls(app).group('Everything')
  const all = { organisationId, groupId: everything, areaId: null, subareaId: null }
  await app.store.within(organisationId, (db) => db.insertInto('groupPair').values(all).execute())
  const admin = { params: { userId: app.idOf('admin') }, body: { ids: [groupId, everything] } }
  await app.as.admin.call(assignments.setGroupsOfUser, admin)
  const cellar = { ...defaultSlice, subarea: 'Cellar' }
  const sheet = { columns: ['Month', 'Amount'], rows: [[{ d: month }, { n: '777' }]] }
  await new LoadClient(app.as.admin).load({ versionId }, sheet, cellar)
  const budgets = 'SELECT budget::float8 FROM harbour_trading.budget_against_actual WHERE budget <> 0 ORDER BY 1'
  const person = app.idOf('user')
  // Rows of the version alone open no actual figures.
  await expect(selectAs(app, person, budgets)).rejects.toThrow('permission denied')
  for (const [userId, expected] of [
    [person, [[120.5]]],
    [app.idOf('admin'), [[120.5], [777]]],
  ] as const) {
    await app.as.admin.call(connectors.assignUsers, { params, body: { users: [person] } })
    await keepAccess(app.services)
    expect(await selectAs(app, userId, budgets)).toEqual(expected)
  }
  // Assigned to the connector, without rows of the version.
  await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: person }, body: { ids: [] } })
  await keepAccess(app.services)
  await expect(selectAs(app, person, budgets)).rejects.toThrow('permission denied')
  expect(await selectAs(app, person, 'SELECT count(*) > 0 FROM harbour_trading.profit_and_loss')).toEqual([[true]])
  const other = { organisationId, actor: { userId: app.idOf('otherAdmin') } }
  await expect(withPersonConnection(app.services, other, (client) => client.query(budgets))).rejects.toMatchObject({
    code: 'dataNotReadable',
  })
}
