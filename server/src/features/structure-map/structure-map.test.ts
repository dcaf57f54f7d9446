import { assignments } from '@tributary/contract/assignments'
import type { FaultReply } from '@tributary/contract/faults'
import { groups } from '@tributary/contract/groups'
import { planningStructure } from '@tributary/contract/planning-structure'
import { type StructureMap, structureMap } from '@tributary/contract/structure-map'
import { tableSync } from '@tributary/contract/table-sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { structureCalls, type StructureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { planDatabases } from '@tributary/testing/server/excel/plan-databases.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let make: StructureCalls
beforeEach(async () => {
  app = await testApp()
  make = structureCalls(app)
})
afterEach(() => app[Symbol.asyncDispose]())

async function readMap(): Promise<StructureMap> {
  const { status, body } = await app.as.admin.call(structureMap.read)
  expect(status).toBe(200)
  return body
}
/** The gaps with the names of their records, without those of people, whom every test has. */
async function gaps(): Promise<Record<string, readonly string[]>> {
  const { Gaps } = await readMap()
  return Object.fromEntries(
    Gaps.filter(({ Kind }) => !Kind.startsWith('people')).map(({ Kind, Records }) => [
      Kind,
      Records.map(({ Name }) => Name),
    ]),
  )
}
const admin = () => app.as.admin
const archive = { statusId: statusIds.archived }
async function synchronise(): Promise<void> {
  const { status } = await admin().call(tableSync.synchronise, { params: { clientId: app.harbour.id } })
  expect(status).toBe(200)
}

test('[UX-EXCEL-5] [API-1 GET /structure-map] a new organisation has nothing but people, each without group and entity', async () => {
  const { Gaps, People, ...counts } = await readMap()
  expect(counts).toEqual({
    Areas: 0,
    Subareas: 0,
    Links: 0,
    Versions: 0,
    Milestones: 0,
    HelperTables: 0,
    Tables: 0,
    Groups: 0,
    Entities: 0,
  })
  expect(People).toBeGreaterThan(3)
  expect(Gaps.map(({ Kind, Count, Records }) => [Kind, Count, Records.length])).toEqual([
    ['peopleWithoutGroup', People, 3],
    ['peopleWithoutEntity', People, 3],
  ])
})

test('[UX-EXCEL-5] every kind of gap names its records by name, in the order of the steps, and closes when it is fixed', async () => {
  const [north, south] = [await make.area('North'), await make.area('South')]
  const [bar, attic] = [await make.subarea('Bar'), await make.subarea('Attic')]
  await admin().call(assignments.linkArea, { body: { areaId: north, subareaId: bar } })
  const [budget, forecast] = [await make.version('Budget 2027'), await make.version('Forecast')]
  await make.milestone('June', budget)
  await make.helperTable('Rates')
  const [planners, idle] = [await make.group('Planners'), await make.group('Idle')]
  await admin().call(groups.grantPair, { body: { groupId: planners, areaId: north, subAreaId: bar } })
  await admin().call(groups.grantMilestone, {
    body: { groupId: planners, versionId: budget, allCurrentAndFuture: true },
  })
  const one = await make.entity('One')
  const userId = app.idOf('user')
  await admin().call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [planners] } })
  await admin().call(assignments.setUsersOfEntity, { params: { entityId: one }, body: { ids: [userId] } })

  const { Gaps, ...counts } = await readMap()
  expect(counts).toMatchObject({ Areas: 2, Subareas: 2, Links: 1, Versions: 2, Milestones: 1, HelperTables: 1 })
  expect(counts).toMatchObject({ Tables: 0, Groups: 2, Entities: 1 })
  expect(await gaps()).toEqual({
    areasWithoutSubareas: ['South'],
    subareasWithoutAreas: ['Attic'],
    versionsWithoutMilestones: ['Forecast'],
    versionsWithoutTable: ['Budget 2027', 'Forecast'],
    helperTablesWithoutTable: ['Rates'],
    groupsWithoutGrants: ['Idle'],
    groupsWithoutMembers: ['Idle'],
    areasWithoutGroup: ['South'],
    versionsWithoutGroup: ['Forecast'],
  })
  const people = Object.fromEntries(Gaps.map(({ Kind, Count }) => [Kind, Count]))
  expect([people['peopleWithoutGroup'], people['peopleWithoutEntity']]).toEqual([counts.People - 1, counts.People - 1])

  await admin().call(assignments.setSubareasOfArea, { params: { areaId: south }, body: { ids: [attic] } })
  await make.milestone('July', forecast)
  await synchronise()
  await admin().call(groups.grantPair, { body: { groupId: idle, subAreaId: attic, areaAllCurrentAndFuture: true } })
  await admin().call(groups.grantMilestone, { body: { groupId: idle, flag: true } })
  await admin().call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [planners, idle] } })
  await admin().call(assignments.setUsersOfEntity, {
    params: { entityId: one },
    body: { ids: [], allCurrentAndFuture: true },
  })
  expect(await gaps()).toEqual({})
  const fixed = await readMap()
  expect([fixed.Tables, fixed.Gaps.map(({ Kind }) => Kind)]).toEqual([3, ['peopleWithoutGroup']])
})

test('[UX-EXCEL-5] links of all current and future records count once for each pair, and archived records never count', async () => {
  const [north, south, gone] = [await make.area('North'), await make.area('South'), await make.area('Gone')]
  const [bar, attic, old] = [await make.subarea('Bar'), await make.subarea('Attic'), await make.subarea('Old')]
  await admin().call(assignments.setSubareasOfArea, {
    params: { areaId: north },
    body: { ids: [], allCurrentAndFuture: true },
  })
  await admin().call(assignments.setAreasOfSubarea, {
    params: { subareaId: bar },
    body: { ids: [], allCurrentAndFuture: true },
  })
  await admin().call(assignments.setSubareasOfArea, { params: { areaId: gone }, body: { ids: [attic] } })
  await admin().call(assignments.linkArea, { body: { areaId: south, subareaId: old } })
  await admin().call(planningStructure.changeArea, { params: { areaId: gone }, body: archive })
  await admin().call(planningStructure.changeSubarea, { params: { subareaId: old }, body: archive })
  const version = await make.version('Past')
  await admin().call(planningStructure.changeVersion, { params: { versionId: version }, body: archive })
  // North with Bar and Attic, and South with Bar.
  expect(await readMap()).toMatchObject({ Areas: 2, Subareas: 2, Links: 3, Versions: 0 })
  expect(await gaps()).toEqual({ areasWithoutGroup: ['North', 'South'] })
})

test('[UX-EXCEL-7] a table exists once a load or a synchronisation has written it, and only in the present database', async () => {
  const plan = await planForLoads(app)
  expect((await gaps())['versionsWithoutTable']).toContain('Budget 2026')
  await new LoadClient(app.as.user).load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [[{ n: '1' }]] })
  expect(await gaps()).not.toHaveProperty('versionsWithoutTable')

  const { credentials } = await planDatabases[0].open(app)
  const params = { clientId: app.harbour.id }
  const blank = { host: '', database: '', schema: '', user: '', password: '' }
  await app.as.admin.call(tableSync.saveCredentials, { params, body: { ...blank, ...credentials } })
  expect(await gaps()).toMatchObject({ versionsWithoutTable: ['Budget 2026'], helperTablesWithoutTable: ['Rates'] })
  await synchronise()
  expect(await gaps()).not.toHaveProperty('versionsWithoutTable')
  await admin().call(planningStructure.changeVersion, {
    params: { versionId: plan.versionId },
    body: { name: 'Renamed' },
  })
  expect(await gaps()).not.toHaveProperty('versionsWithoutTable')
})

test('[UX-EXCEL-6] [ROLE-1] only those who may edit the structure read the map, each of their own organisation', async () => {
  await make.area('Ours')
  for (const role of ['superadmin', 'provideradmin', 'admin'] as const)
    expect((await app.as[role].call(structureMap.read, { query: { orgId: app.harbour.id } })).body.Areas).toBe(1)
  for (const role of ['user', 'guest'] as const)
    expect((await app.as[role].send<FaultReply>('GET', '/api/structure-map')).status).toBe(403)
  const foreign = await app.as.otherAdmin.send<FaultReply>('GET', `/api/structure-map?orgId=${app.harbour.id}`)
  expect([foreign.status, foreign.body.code]).toEqual([404, 'notFound'])
  expect((await app.as.otherAdmin.call(structureMap.read)).body.Areas).toBe(0)
})
