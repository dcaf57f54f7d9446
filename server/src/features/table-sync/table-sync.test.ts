import { assignments } from '@tributary/contract/assignments'
import { groups } from '@tributary/contract/groups'
import { secretMask } from '@tributary/contract/limits'
import { structure } from '@tributary/contract/structure'
import { users } from '@tributary/contract/users'
import { tableSync, type DatabaseCredentials, type TableSync } from '@tributary/contract/table-sync'
import type { FaultReply } from '@tributary/contract/faults'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { audited } from '../../platform/testing/audited.ts'
import { excelCalls, type ExcelCalls } from '../../platform/testing/excel-calls.ts'
import { statusIds } from '../../platform/testing/fixed-ids.ts'
import { RunDriver } from '../../platform/testing/run-driver.ts'
import { sourceDatabase } from '../../platform/testing/source-database.ts'
import { testApp, type TestApp } from '../../platform/testing/test-app.ts'
import { startWorker } from '../../worker.ts'

let app: TestApp
let make: ExcelCalls
beforeEach(async () => {
  app = await testApp()
  make = excelCalls(app)
})
afterEach(() => app[Symbol.asyncDispose]())

type Input = Partial<
  Pick<DatabaseCredentials, 'connector' | 'host' | 'database' | 'schema' | 'user' | 'password' | 'encryption'>
>
const blank = { host: '', database: '', schema: '', user: '', password: '' }

const path = (call = 'database-credentials') => `/api/organisations/${app.harbour.id}/${call}`
async function save(input: Input) {
  return app.as.admin.send<DatabaseCredentials & FaultReply>('POST', path(), { body: { ...blank, ...input } })
}
async function check(input: Input) {
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

/** Kitchen / Bar and Cellar, Budget 2026 with June, rates and one entity, of which the user may use some. */
async function plan(): Promise<void> {
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

interface Place {
  readonly name: string
  open(): Promise<{
    credentials: Input
    query(text: string): Promise<Record<string, unknown>[]>
    quoted(name: string): string
  }>
}

const places: readonly Place[] = [
  {
    name: 'PostgreSQL',
    async open() {
      const { settings, query } = await sourceDatabase('SELECT 1')
      const { host, port, user, password, database } = inject('postgres') && (settings as Record<string, string>)
      const credentials = {
        connector: 'postgres',
        host: `${host}:${port}`,
        database,
        schema: 'plan',
        user,
        password,
        encryption: 'off',
      } as Input
      return { credentials, query, quoted: (name) => `plan."${name}"` }
    },
  },
  {
    name: 'MariaDB',
    async open() {
      const { host, port, user, password } = inject('mariadb')
      const database = `plan_${Math.random().toString(36).slice(2)}`
      const around = { network: app.parts.network, clock: systemClock, signal: new AbortController().signal }
      const reach = { host, port, user, password, database: 'mysql', tls: 'off' } as const
      const query = async (text: string) => {
        await using connection = await connectMysql(reach, around, 'SELECT 1')
        if (text.startsWith('SELECT')) return [...(await connection.rows(text))]
        await connection.run(text)
        return []
      }
      await query(`CREATE DATABASE ${database}`)
      const credentials = {
        connector: 'mysql',
        host: `${host},${port}`,
        database,
        user,
        password,
        encryption: 'off',
      } as Input
      return { credentials, query, quoted: (name) => `${database}.\`${name}\`` }
    },
  },
]

describe.each(places)('in $name', ({ open }) => {
  test('[ENG-4] [ACC-6] [API-1 GET /organisations/{id}/database-table-sync] tables of versions and helper tables are made once, and who may see what is written anew each time', async () => {
    await plan()
    const { credentials, query, quoted } = await open()
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

test('[API-5] credentials that name no connector are of SQL Server', async () => {
  const named = { host: 'db.example.com', database: 'books', schema: 'plan', user: 'writer', password: 'harbour-7' }
  const { status, body } = await save(named)
  expect([status, body.connector]).toEqual([200, 'mssql'])
  const read = await app.as.admin.call(tableSync.credentials, { params: { clientId: app.harbour.id } })
  expect(read.body).toMatchObject({ connector: 'mssql', host: named.host })
})

test('[ENG-4] [VER-2] what is locked has its table, what is archived gets none, and nothing that is there is taken away', async () => {
  const [kept, gone] = [await make.version('Kept'), await make.version('Gone')]
  const { credentials, query, quoted } = await (places[0] as Place).open()
  await save(credentials)
  await synchronise()
  await app.as.admin.call(structure.changeVersion, {
    params: { versionId: gone },
    body: { statusId: statusIds.archived },
  })
  await app.as.admin.call(structure.changeVersion, {
    params: { versionId: kept },
    body: { statusId: statusIds.locked },
  })
  const { body } = await synchronise()
  expect(Object.keys(outcomes(body)).filter((name) => name.startsWith('B2S'))).toEqual(['B2SKept'])
  expect(await query(`SELECT * FROM ${quoted('B2SGone')}`)).toEqual([])
})

test('[ENG-4] whoever may see rows of a version is named beside the very table that holds them, though names were exchanged or are too long', async () => {
  const { credentials, query } = await (places[0] as Place).open()
  await plan()
  await save(credentials)
  await synchronise()
  const former = (await app.as.admin.call(structure.versions)).body[0]?.Id ?? ''
  await app.as.admin.call(structure.changeVersion, { params: { versionId: former }, body: { name: 'Forecast' } })
  const groupId = (await app.as.admin.call(groups.list)).body[0]?.Id ?? ''
  const long = `Budget ${'x'.repeat(100)}`
  for (const name of ['Budget 2026', long]) {
    const versionId = await make.version(name)
    const milestoneId = await make.milestone('July', versionId)
    await app.as.admin.call(groups.grantMilestone, { body: { groupId, versionId, milestoneId } })
  }
  const made = outcomes((await synchronise()).body)
  const rights = await query('SELECT "Version", "TableName" FROM plan.tributary_milestone_right')
  const tableOf = Object.fromEntries(rights.map(({ Version, TableName }) => [Version, TableName]))
  expect(tableOf).toEqual({
    Forecast: 'B2SForecast',
    'Budget 2026': 'B2SBudget2026',
    [long]: expect.stringMatching(/^B2SBudgetx+_[0-9a-f]{6}$/u),
  })
  for (const table of Object.values(tableOf)) {
    expect(made).toHaveProperty(
      String(table),
      table === 'B2SForecast' ? expect.stringContaining('renamed from B2SBudget2026') : 'created',
    )
    expect(await query(`SELECT * FROM plan."${String(table)}"`)).toEqual([])
  }
})

test('[ENG-4] in an archived organisation nothing is made', async () => {
  await app.as.provideradmin.session()
  await app.as.superadmin.call(users.archiveOrganisation, {
    params: { clientId: app.harbour.id },
    body: { archived: true },
  })
  const refused = await app.as.provideradmin.send<FaultReply>('GET', path('database-table-sync'))
  expect([refused.status, refused.body.code]).toEqual([409, 'organisationArchived'])
})

test('[ACC-6] of several who save at once each is answered, and the last one holds', async () => {
  const { credentials } = await (places[0] as Place).open()
  const replies = await Promise.all(['one', 'two', 'three', 'four'].map((schema) => save({ ...credentials, schema })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { schema } = (await app.as.admin.send<DatabaseCredentials>('GET', path())).body
  expect(['one', 'two', 'three', 'four']).toContain(schema)
})

test('[ENG-3] [ENG-4] without credentials the tables are made in the product’s own warehouse', async () => {
  await plan()
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
  expect(await audited(app.store, 'tables.synchronised')).toMatchObject([event])
})

test('of two who synchronise at once neither leaves anything behind: the tables are right, and who was too early is told', async () => {
  await plan()
  const { credentials, query, quoted } = await (places[0] as Place).open()
  await save(credentials)
  const replies = await Promise.all([synchronise(), synchronise(), synchronise()])
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status, body } of replies) if (status !== 200) expect([status, body.code]).toEqual([409, 'syncUnderWay'])
  expect(await query(`SELECT * FROM ${quoted('tributary_row_right')}`)).toHaveLength(1)
})

test('[ACC-6] [API-1 POST /organisations/{id}/database-credentials] the password is kept and masked, and goes to no other address or user', async () => {
  const { credentials } = await (places[0] as Place).open()
  const saved = await save(credentials)
  expect(saved.body).toMatchObject({
    ...credentials,
    password: secretMask,
    savedBy: expect.any(String),
    savedAtUtc: expect.any(String),
  })
  expect((await app.as.admin.send<DatabaseCredentials>('GET', path())).body).toEqual(saved.body)
  const masked = { ...credentials, password: secretMask }
  expect((await save({ ...masked, schema: 'other' })).body.schema).toBe('other')
  expect((await check(masked)).every(({ Outcome }) => Outcome === 'passed')).toBe(true)
  for (const change of [
    { host: '127.0.0.1:1' },
    { user: 'somebody' },
    { encryption: 'verify' },
    { connector: 'mysql' },
  ] as const) {
    const refused = await save({ ...masked, ...change })
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      422,
      'secretNeeded',
      { password: 'required' },
    ])
    const tested = await app.as.admin.send<FaultReply>('POST', path('database-credentials/check'), {
      body: { ...masked, ...change },
    })
    expect(tested.body.code).toBe('secretNeeded')
  }
  expect(app.logLines.join('\n')).not.toContain(credentials.password)
  expect((await save(blank)).body).toMatchObject({ host: '', password: '', savedBy: null })
  const event = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success', objectId: null }
  expect(await audited(app.store, 'database.credentials_changed')).toMatchObject([event, event, event])
  expect(await audited(app.store, 'database.credentials_tested')).toMatchObject([event])
})

test('[ACC-6] [API-1 POST /organisations/{id}/database-credentials] what is missing or not right is refused by its field', async () => {
  const partly = await save({ connector: 'postgres', host: 'db.example.com' })
  expect([partly.status, partly.body.fields]).toEqual([
    400,
    { database: 'required', user: 'required', password: 'required' },
  ])
  const wrong = await save({
    connector: 'postgres',
    host: 'db.example.com',
    database: 'a',
    user: 'b',
    password: 'c',
    schema: '1; DROP',
  })
  expect([wrong.status, wrong.body.code, Object.keys(wrong.body.fields ?? {})]).toEqual([
    422,
    'settingsWrong',
    ['schema'],
  ])
  const named = await save({ host: String.raw`sql01\sales`, database: 'a', user: 'b', password: 'c' })
  expect([named.status, Object.keys(named.body.fields ?? {})]).toEqual([422, ['host']])
})

test('[ACC-6] a test names the first check that fails; a database that cannot be reached is told as such by Synchronise, too', async () => {
  const { credentials } = await (places[0] as Place).open()
  expect((await check({ ...credentials, password: 'wrong' })).map(({ Outcome }) => Outcome)).toEqual([
    'passed',
    'failed',
    'skipped',
    'skipped',
  ])
  const closed = { ...credentials, host: '127.0.0.1:1' }
  expect((await check(closed))[0]?.Outcome).toBe('failed')
  await save(closed)
  const refused = await synchronise()
  expect([refused.status, refused.body.code]).toEqual([422, 'settingsWrong'])
})

test('[ENG-3] a connector without a target of its own writes into the organisation’s database, in a schema of its own', async () => {
  const { credentials, query } = await (places[0] as Place).open()
  await save({ ...credentials, schema: '' })
  const shop = await sourceDatabase(
    `CREATE TABLE item (id int PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'Crate'), (2, 'Rope')`,
  )
  const worker = await startWorker({ ...app.parts, clock: systemClock }, { lookMs: 300 })
  const driver = new RunDriver(app.as.admin, app.harbour.id, shop)
  expect(await driver.runToEnd(await driver.add('Own shop'))).toMatchObject({ Status: 'COMPLETED' })
  await worker.stop()
  expect(await query('SELECT name FROM own_shop.item ORDER BY id')).toEqual([{ name: 'Crate' }, { name: 'Rope' }])
})
