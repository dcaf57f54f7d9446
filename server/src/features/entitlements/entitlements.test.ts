import { assignments } from '@tributary/contract/assignments'
import { groups } from '@tributary/contract/groups'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('[GRP-9] [ASG-1] [ASG-2] [ASG-3] [API-1 GET /users/{id}/use] [API-1 GET /me/use] administrators and the user see what the user may use, with the reasons', async () => {
  const make = structureCalls(app)
  const [kitchen, bar] = [await make.area('Kitchen'), await make.subarea('Bar')]
  const cellar = await make.subarea('Cellar')
  const budget = await make.version('Budget')
  const [june] = [await make.milestone('June', budget), await make.milestone('July', budget)]
  const [rates, one] = [await make.helperTable('Rates'), await make.entity('One')]
  const [planners, readers] = [await make.group('Planners'), await make.group('Readers')]
  const userId = app.idOf('user')
  const { admin } = app.as
  await admin.call(assignments.setSubareasOfArea, { params: { areaId: kitchen }, body: { ids: [bar, cellar] } })
  await admin.call(groups.grantPair, { body: { groupId: planners, areaId: kitchen, subAreaAllCurrentAndFuture: true } })
  await admin.call(groups.grantPair, { body: { groupId: readers, areaId: kitchen, subAreaId: bar } })
  await admin.call(groups.grantMilestone, { body: { groupId: readers, versionId: budget, allCurrentAndFuture: true } })
  await admin.call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [planners, readers] } })
  await admin.call(assignments.setHelperTablesOfUser, {
    params: { userId },
    body: { ids: [], allCurrentAndFuture: true },
  })
  await admin.call(assignments.setUsersOfEntity, { params: { entityId: one }, body: { ids: [userId] } })
  await admin.call(planningStructure.changeMilestone, {
    params: { milestoneId: june },
    body: { statusId: statusIds.locked },
  })

  const { body: use } = await admin.call(assignments.useOfUser, { params: { userId } })
  const all = { Group: 'Planners', Because: 'all subareas of Kitchen, current and future' }
  const budgetOf = { Group: 'Readers', Because: 'all milestones of Budget, current and future' }
  expect(use).toEqual({
    MorePairs: false,
    Pairs: [
      {
        AreaId: kitchen,
        Area: 'Kitchen',
        SubareaId: bar,
        Subarea: 'Bar',
        Why: [all, { Group: 'Readers', Because: 'granted one by one' }],
      },
      { AreaId: kitchen, Area: 'Kitchen', SubareaId: cellar, Subarea: 'Cellar', Why: [all] },
    ],
    Milestones: [
      {
        VersionId: budget,
        Version: 'Budget',
        MilestoneId: expect.any(String),
        Milestone: 'July',
        MayWrite: true,
        Why: [budgetOf],
      },
      { VersionId: budget, Version: 'Budget', MilestoneId: june, Milestone: 'June', MayWrite: false, Why: [budgetOf] },
    ],
    HelperTables: [
      {
        Id: rates,
        Name: 'Rates',
        MayWrite: true,
        Why: [{ Group: null, Because: 'all helper tables, current and future' }],
      },
    ],
    Entities: [{ Id: one, Name: 'One', Why: [{ Group: null, Because: 'assigned' }] }],
  })
  expect((await app.as.user.call(assignments.ownUse)).body).toEqual(use)

  await admin.call(groups.setStatus, { body: { groupId: planners, statusId: statusIds.locked } })
  expect((await app.as.user.call(assignments.ownUse)).body.Pairs.map(({ Subarea }) => Subarea)).toEqual(['Bar'])
})

test('[API-1 GET /users/{id}/use] [API-2] only administrators see entitlements of others, of members of their organisation', async () => {
  const params = { userId: app.idOf('user') }
  expect((await app.as.user.call(assignments.useOfUser, { params })).status).toBe(403)
  expect((await app.as.guest.call(assignments.ownUse)).status).toBe(403)
  expect((await app.as.otherAdmin.call(assignments.useOfUser, { params })).status).toBe(404)
  expect((await app.as.admin.call(assignments.useOfUser, { params: { userId: app.idOf('otherAdmin') } })).status).toBe(
    404,
  )
  const elsewhere = await app.as.superadmin.call(assignments.ownUse, { query: { orgId: app.summit.id } })
  expect(elsewhere.body).toEqual({ Pairs: [], MorePairs: false, Milestones: [], HelperTables: [], Entities: [] })
})

test('[GRP-9] the first ten thousand pairs are returned, and a search finds the others', async () => {
  const make = structureCalls(app)
  const organisationId = app.harbour.id
  const userId = app.idOf('user')
  const name = (what: string, n: number) => `${what} ${String(n).padStart(3, '0')}`
  await app.store.within(organisationId, async (db) => {
    const statusId = statusIds.active
    const areas = Array.from({ length: 101 }, (_, n) => ({
      organisationId,
      statusId,
      name: name('Store', n),
      allSubareas: true,
    }))
    const subareas = Array.from({ length: 100 }, (_, n) => ({ organisationId, statusId, name: name('Shelf', n) }))
    await db.insertInto('area').values(areas).execute()
    await db.insertInto('subarea').values(subareas).execute()
  })
  const everything = await make.group('Everything')
  const grant = { groupId: everything, subAreaAllCurrentAndFuture: true, areaAllCurrentAndFuture: true }
  expect((await app.as.admin.call(groups.grantPair, { body: grant })).status).toBe(200)
  await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [everything] } })

  const { body: whole } = await app.as.admin.call(assignments.useOfUser, { params: { userId } })
  expect([whole.Pairs.length, whole.MorePairs]).toEqual([10_000, true])
  const { body: found } = await app.as.user.call(assignments.ownUse, { query: { search: 'store 100' } })
  expect([found.Pairs.length, found.MorePairs, found.Pairs.at(-1)?.Area]).toEqual([102, false, 'Store 100'])
})
