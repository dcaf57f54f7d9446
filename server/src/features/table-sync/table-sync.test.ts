import { assignments } from '@tributary/contract/assignments'
import { groups } from '@tributary/contract/groups'
import { planningStructure } from '@tributary/contract/planning-structure'
import { users } from '@tributary/contract/users'
import { tableSync, type DatabaseCredentials, type TableSync } from '@tributary/contract/table-sync'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { structureCalls, type StructureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { systemClock } from '../../kernel/clock.ts'
import { type CredentialsInput, planDatabases } from '@tributary/testing/server/excel/plan-databases.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../worker.ts'

let app: TestApp
let make: StructureCalls
beforeEach(async () => {
  app = await testApp()
  make = structureCalls(app)
})
afterEach(() => app[Symbol.asyncDispose]())

const [postgres] = planDatabases
const blank = { host: '', database: '', schema: '', user: '', password: '' }

const path = (call = 'database-credentials') => `/api/organisations/${app.harbour.id}/${call}`
async function save(input: CredentialsInput) {
  return app.as.admin.send<DatabaseCredentials & FaultReply>('POST', path(), { body: { ...blank, ...input } })
}
async function check(input: CredentialsInput) {
  const { body } = await app.as.admin.send<{ Name: string; Outcome: string; Notice: string | null }[]>(
    'POST',
    path('database-credentials/check'),
    { body: { ...blank, ...input } },
  )
  return body
}
async function synchronise() {
  return app.as.admin.send<TableSync & FaultReply>('GET', path('database-table-sync'))
}
function outcomes({ Tables }: TableSync): Record<string, string> {
  return Object.fromEntries(
    Tables.map(({ Table, Outcome, Notice }) => [Table, Notice === null ? Outcome : `${Outcome}: ${Notice}`]),
  )
}

/** Creates a planning structure and entitles the user to a part of it. */
async function createPlan(): Promise<void> {
  const [kitchen, bar, cellar] = [await make.area('Kitchen'), await make.subarea('Bar'), await make.subarea('Cellar')]
  const budget = await make.version('Budget 2026')
  const june = await make.milestone('June', budget)
  const [rates, one, planners] = [
    await make.helperTable('Rates & more'),
    await make.entity('One'),
    await make.group('Planners'),
  ]
  const { admin } = app.as
  const userId = app.idOf('user')
  await admin.call(assignments.setSubareasOfArea, { params: { areaId: kitchen }, body: { ids: [bar, cellar] } })
  await admin.call(groups.grantPair, { body: { groupId: planners, areaId: kitchen, subAreaId: bar } })
  await admin.call(groups.grantMilestone, { body: { groupId: planners, versionId: budget, milestoneId: june } })
  await admin.call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [planners] } })
  await admin.call(assignments.setHelperTablesOfUser, { params: { userId }, body: { ids: [rates] } })
  await admin.call(assignments.setUsersOfEntity, { params: { entityId: one }, body: { ids: [userId] } })
}

describe.each(planDatabases)('in $name', ({ open }) => {
  test('[ENG-4] [ACC-6] [API-1 GET /organisations/{id}/database-table-sync] tables of versions and helper tables are created once, and rights are rewritten each time', async () => {
    await createPlan()
    const { credentials, query, quoted } = await open(app)
    expect((await save(credentials)).status).toBe(200)
    expect((await check(credentials)).map(({ Outcome }) => Outcome)).toEqual(['passed', 'passed', 'passed', 'passed'])

    const first = await synchronise()
    expect([first.status, outcomes(first.body)]).toEqual([
      200,
      {
        B2SBudget2026: 'created',
        B2SRatesmore: 'created',
        tributary_pair_right: 'written: 1 row',
        tributary_milestone_right: 'written: 1 row',
        tributary_helper_table_right: 'written: 1 row',
        tributary_entity_right: 'written: 1 row',
        tributary_row_right: 'written',
      },
    ])
    const user = 'user@demo.example'
    expect(await query(`SELECT * FROM ${quoted('tributary_row_right')}`)).toMatchObject([
      { Email: user, TableName: 'B2SBudget2026', Entity: 'One', Area: 'Kitchen', Subarea: 'Bar', Milestone: 'June' },
    ])
    expect(await query(`SELECT * FROM ${quoted('tributary_helper_table_right')}`)).toMatchObject([
      { Email: user, TableName: 'B2SRatesmore', HelperTable: 'Rates & more' },
    ])

    await query(
      `INSERT INTO ${quoted('B2SBudget2026')} (${['Entity', 'Area'].map((name) => quoted(name).split('.')[1]).join(', ')}) VALUES ('One', 'Kitchen')`,
    )
    await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: app.idOf('user') }, body: { ids: [] } })
    const again = await synchronise()
    expect(outcomes(again.body)).toMatchObject({
      B2SBudget2026: 'unchanged',
      B2SRatesmore: 'unchanged',
      tributary_pair_right: 'written: 0 rows',
    })
    expect(await query(`SELECT * FROM ${quoted('tributary_row_right')}`)).toEqual([])
    expect(await query(`SELECT * FROM ${quoted('B2SBudget2026')}`)).toHaveLength(1)
    const latest = await app.as.admin.call(tableSync.latest, { params: { clientId: app.harbour.id } })
    expect(latest.body).toMatchObject({ Tables: again.body.Tables, By: again.body.By })
  })
})

test('[ENG-4] [VER-2] locked versions have a table, archived ones get none, and existing tables are never dropped', async () => {
  const [kept, gone] = [await make.version('Kept'), await make.version('Gone')]
  const { credentials, query, quoted } = await postgres.open(app)
  await save(credentials)
  await synchronise()
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: gone },
    body: { statusId: statusIds.archived },
  })
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: kept },
    body: { statusId: statusIds.locked },
  })
  const { body } = await synchronise()
  expect(Object.keys(outcomes(body)).filter((name) => name.startsWith('B2S'))).toEqual(['B2SKept'])
  expect(await query(`SELECT * FROM ${quoted('B2SGone')}`)).toEqual([])
})

test('[ENG-4] rights name the table that holds the rows, even if names were exchanged or are too long', async () => {
  const { credentials, query } = await postgres.open(app)
  await createPlan()
  await save(credentials)
  await synchronise()
  const former = (await app.as.admin.call(planningStructure.versions)).body[0]?.Id ?? ''
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: former },
    body: { name: 'Forecast' },
  })
  const groupId = (await app.as.admin.call(groups.list)).body[0]?.Id ?? ''
  const long = `Budget ${'x'.repeat(100)}`
  for (const name of ['Budget 2026', long]) {
    const versionId = await make.version(name)
    const milestoneId = await make.milestone('July', versionId)
    await app.as.admin.call(groups.grantMilestone, { body: { groupId, versionId, milestoneId } })
  }
  const created = outcomes((await synchronise()).body)
  const rights = await query('SELECT "Version", "TableName" FROM plan.tributary_milestone_right')
  const tableOf = Object.fromEntries(rights.map(({ Version, TableName }) => [Version, TableName]))
  expect(tableOf).toEqual({
    Forecast: 'B2SForecast',
    'Budget 2026': 'B2SBudget2026',
    [long]: expect.stringMatching(/^B2SBudgetx+_[0-9a-f]{6}$/u),
  })
  for (const table of Object.values(tableOf)) {
    expect(created).toHaveProperty(
      String(table),
      table === 'B2SForecast' ? expect.stringContaining('renamed from B2SBudget2026') : 'created',
    )
    expect(await query(`SELECT * FROM plan."${String(table)}"`)).toEqual([])
  }
})

test('[ENG-4] synchronising an archived organisation is refused', async () => {
  await app.as.provideradmin.session()
  await app.as.superadmin.call(users.archiveOrganisation, {
    params: { clientId: app.harbour.id },
    body: { archived: true },
  })
  const refused = await app.as.provideradmin.send<FaultReply>('GET', path('database-table-sync'))
  expect([refused.status, refused.body.code]).toEqual([409, 'organisationArchived'])
})

test('[ENG-3] [ENG-4] without credentials the tables are created in the product’s own warehouse', async () => {
  await createPlan()
  const { status, body } = await synchronise()
  expect([status, body.Place, outcomes(body)['B2SBudget2026']]).toEqual([
    200,
    'Tributary’s own warehouse, schema excel',
    'created',
  ])
  const event = {
    actorId: app.idOf('admin'),
    organisationId: app.harbour.id,
    outcome: 'success',
    detail: { place: body.Place },
  }
  expect(await findAuditEvents(app.store, 'tables.synchronised')).toMatchObject([event])
})

test('of concurrent synchronisations the others are refused, and the tables are correct', async () => {
  await createPlan()
  const { credentials, query, quoted } = await postgres.open(app)
  await save(credentials)
  const replies = await Promise.all([synchronise(), synchronise(), synchronise()])
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status, body } of replies) if (status !== 200) expect([status, body.code]).toEqual([409, 'syncUnderWay'])
  expect(await query(`SELECT * FROM ${quoted('tributary_row_right')}`)).toHaveLength(1)
})

test('[ENG-3] a connector without a target writes to its own schema in the organisation’s database', async () => {
  const { credentials, query } = await postgres.open(app)
  await save({ ...credentials, schema: '' })
  const shop = await sourceDatabase(
    `CREATE TABLE item (id int PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'Crate'), (2, 'Rope')`,
  )
  const worker = await startWorker({ ...app.services, clock: systemClock }, { pollMs: 300 })
  const driver = new RunDriver(app.as.admin, app.harbour.id, shop)
  expect(await driver.runToEnd(await driver.add('Own shop'))).toMatchObject({ Status: 'COMPLETED' })
  await worker.stop()
  expect(await query('SELECT name FROM own_shop.item ORDER BY id')).toEqual([{ name: 'Crate' }, { name: 'Rope' }])
})
