import { groups } from '@tributary/contract/groups'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { planningStructure } from '@tributary/contract/planning-structure'
import { tableSync } from '@tributary/contract/table-sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../kernel/migrations/migrate.ts'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import {
  LoadClient,
  loadDatabases,
  type OpenLoadDatabase,
  planForLoads,
  type PlanFixture,
  selectRows,
  defaultSlice,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
let user: LoadClient
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
})
afterEach(() => app[Symbol.asyncDispose]())

const sheet = (...amounts: readonly string[]) => ({
  columns: ['Line', 'Amount'],
  rows: amounts.map((amount, at): SheetCell[] => [`line ${at}`, { n: amount }]),
})

/** The outcome of each table of a version or helper table. */
async function synchronise(): Promise<Readonly<Record<string, string>>> {
  const { status, body } = await app.as.admin.call(tableSync.synchronise, { params: { clientId: app.harbour.id } })
  expect(status).toBe(200)
  const tables = body.Tables.filter(({ Kind }) => Kind === 'version' || Kind === 'helperTable')
  return Object.fromEntries(
    tables.map(({ Table, Outcome, Notice }) => [Table, Notice === null ? Outcome : `${Outcome}: ${Notice}`]),
  )
}

const callVersion = (name: string, versionId = plan.versionId) =>
  app.as.admin.call(planningStructure.changeVersion, { params: { versionId }, body: { name } })

/** The error of a missing table or column. */
const missingTable = /not exist|was changed while/u

const listRows = async ({ rowsOf }: OpenLoadDatabase, table: string) =>
  (await rowsOf(table, ['Milestone', 'Entity', 'Amount']))
    .map(([milestone, entity, amount]) => `${milestone} ${entity} ${Number(amount)}`)
    .toSorted()

describe.each(loadDatabases.slice(0, 2))('in $name', ({ open }) => {
  test('[ENG-4] renaming a version, a helper table and a milestone keeps tables, rows, slices and receipts under the new name', async () => {
    const place = await open(app)
    await synchronise()
    await user.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['full']] })
    await user.load({ versionId: plan.versionId }, sheet('1', '2'))
    await user.load({ versionId: plan.versionId }, sheet('7'), { ...defaultSlice, milestone: 'July' })
    await callVersion('Forecast')
    await app.as.admin.call(planningStructure.changeMilestone, {
      params: { milestoneId: plan.juneId },
      body: { name: 'Half-year' },
    })
    await app.as.admin.call(planningStructure.changeHelperTable, {
      params: { helperTableId: plan.ratesId },
      body: { name: 'Prices' },
    })

    // Until the next synchronisation the table keeps its former name.
    const between = await user.load({ versionId: plan.versionId }, sheet('1', '3'), {
      ...defaultSlice,
      milestone: 'Half-year',
    })
    expect(between).toMatchObject({ TableName: 'B2SBudget2026', RowsBefore: 2, Changes: 1 })

    const done = await synchronise()
    expect(done).toEqual({
      B2SForecast: expect.stringMatching(/^changed: renamed from B2SBudget2026; .*reports/u),
      B2SPrices: expect.stringMatching(/^changed: renamed from B2SRates; /u),
    })
    expect(await listRows(place, 'B2SForecast')).toEqual(['Half-year One 1', 'Half-year One 3', 'July One 7'])
    expect(await place.rowsOf('B2SPrices', ['Code'])).toEqual([['full']])
    await expect(place.rowsOf('B2SBudget2026', ['Amount'])).rejects.toThrow(missingTable)
    expect(await synchronise()).toEqual({ B2SForecast: 'unchanged', B2SPrices: 'unchanged' })

    expect((await user.undo(between.Id)).status).toBe(200)
    expect(await listRows(place, 'B2SForecast')).toEqual(['Half-year One 1', 'Half-year One 2', 'July One 7'])
    expect((await app.as.user.call(loads.list, { query: { versionId: plan.versionId } })).body).toHaveLength(4)
  })

  test('[ENG-4] rows get the current names of milestone, entity, area and subarea, and a new milestone with the former name is a different one', async () => {
    const place = await open(app)
    const first = await user.load({ versionId: plan.versionId }, sheet('1'))
    await app.as.admin.call(planningStructure.changeMilestone, {
      params: { milestoneId: plan.juneId },
      body: { name: 'Half-year' },
    })
    const [entity] = (await app.as.admin.call(planningStructure.entities)).body
    await app.as.admin.call(planningStructure.changeEntity, {
      params: { entityId: entity?.Id ?? '' },
      body: { name: 'Uno' },
    })
    expect(await synchronise()).toMatchObject({ B2SBudget2026: 'changed: 1 slice under new names' })
    expect(await listRows(place, 'B2SBudget2026')).toEqual(['Half-year Uno 1'])
    expect(await place.rowsOf('B2SBudget2026', ['LoadedBy', 'LoadId'])).toEqual([
      ['user@demo.example', expect.stringMatching(new RegExp(first.Id, 'iu'))],
    ])

    const milestoneId = await structureCalls(app).milestone('June', plan.versionId)
    await app.as.admin.call(groups.grantMilestone, {
      body: { groupId: plan.groupId, versionId: plan.versionId, milestoneId },
    })
    await user.load({ versionId: plan.versionId }, sheet('5'), { ...defaultSlice, entity: 'Uno' })
    expect(await listRows(place, 'B2SBudget2026')).toEqual(['Half-year Uno 1', 'June Uno 5'])
    expect((await user.undo(first.Id)).status).toBe(200)
    expect(await listRows(place, 'B2SBudget2026')).toEqual(['June Uno 5'])
  })

  test('[ENG-4] versions that exchange their names exchange their tables’ names; a name that another table has is reported and not taken', async () => {
    const place = await open(app)
    const make = structureCalls(app)
    const other = await make.version('Other')
    await synchronise()
    await user.load({ versionId: plan.versionId }, sheet('1'))
    await callVersion('In between')
    await callVersion('Budget 2026', other)
    await callVersion('Other')
    const exchanged = await synchronise()
    expect(Object.keys(exchanged).toSorted()).toEqual(['B2SBudget2026', 'B2SOther', 'B2SRates'])
    expect(await listRows(place, 'B2SOther')).toEqual(['June One 1'])
    expect(await place.rowsOf('B2SBudget2026', ['Milestone'])).toEqual([])

    await place.run((table) => `CREATE TABLE ${table('B2STaken')} (note int)`)
    await callVersion('Taken')
    expect(await synchronise()).toMatchObject({ B2SOther: expect.stringMatching(/still called B2SOther.* B2STaken/u) })
    expect(await user.load({ versionId: plan.versionId }, sheet('2'))).toMatchObject({
      TableName: 'B2SOther',
      RowsBefore: 1,
    })
    await place.run((table) => `DROP TABLE ${table('B2STaken')}`)
    expect(await synchronise()).toMatchObject({ B2STaken: expect.stringContaining('renamed from B2SOther') })
    expect(await listRows(place, 'B2STaken')).toEqual(['June One 2'])
  })
})

test('[ENG-4] a migration records the slices that were loaded before it', async () => {
  await user.load({ versionId: plan.versionId }, sheet('1'))
  await user.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['full']] })
  const known = () => app.store.across((db) => db.selectFrom('slice').selectAll().execute())
  const before = await known()
  expect(before).toHaveLength(1)
  await selectRows(app.connection, `DROP TABLE slice; DELETE FROM migration WHERE name = '0013_slices'`)
  expect(await migrate(app.connection)).toEqual(['0013_slices'])
  expect(await known()).toEqual(before)
})
