import { assignments } from '@tributary/contract/assignments'
import { groups } from '@tributary/contract/groups'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

function pair(areaId: string | null, subareaId: string | null) {
  return { areaId, subareaId, allAreas: areaId === null, allSubareas: subareaId === null }
}

test('[GRP-9] [API-1 POST /permission-groups/{id}/preview] shows what each member would gain and lose, except what another group grants, and saves nothing', async () => {
  const make = structureCalls(app)
  const { admin } = app.as
  const kitchen = await make.area('Kitchen')
  const [bar, cellar] = [await make.subarea('Bar'), await make.subarea('Cellar')]
  const [budget, planners, other] = [
    await make.version('Budget'),
    await make.group('Planners'),
    await make.group('Readers'),
  ]
  await make.milestone('June', budget)
  await admin.call(assignments.linkArea, { body: { areaId: kitchen, allCurrentAndFuture: true } })
  await admin.call(groups.grantPair, { body: { groupId: planners, areaId: kitchen, subAreaId: bar } })
  await admin.call(groups.grantPair, { body: { groupId: other, subAreaId: bar, areaAllCurrentAndFuture: true } })
  for (const [userId, ids] of [
    [app.idOf('user'), [planners]],
    [app.idOf('guest'), [planners, other]],
    [app.idOf('admin'), [other]],
  ] as const)
    await admin.call(assignments.setGroupsOfUser, { params: { userId }, body: { ids } })

  const grants = {
    areas: [pair(kitchen, cellar)],
    versions: [{ versionId: budget, milestoneId: null, allVersions: false, allMilestones: true }],
  }
  const preview = (grantsSent = grants) =>
    admin.call(groups.preview, { params: { groupId: planners }, body: { grants: grantsSent } })
  const Gains = ['Kitchen / Cellar', 'Budget / June']
  expect((await preview()).body).toEqual([
    { UserId: app.idOf('guest'), Name: 'Gareth Pike', Gains, Loses: [], GainCount: 2, LossCount: 0 },
    { UserId: app.idOf('user'), Name: 'Ulla Berg', Gains, Loses: ['Kitchen / Bar'], GainCount: 2, LossCount: 1 },
  ])
  expect((await preview({ areas: [pair(kitchen, bar)], versions: [] })).body).toEqual([])

  const before = (await admin.call(assignments.useOfUser, { params: { userId: app.idOf('user') } })).body
  expect(before.Pairs.map(({ Subarea }) => Subarea)).toEqual(['Bar'])
  const foreign = await preview({ areas: [pair(app.summit.id, bar)], versions: [] })
  expect([foreign.status, foreign.body]).toMatchObject([
    400,
    { fields: { 'grants.areas.0.areaId': expect.any(String) } },
  ])
  await admin.call(groups.setStatus, { body: { groupId: planners, statusId: statusIds.locked } })
  expect((await preview()).body).toEqual([])
})

test('[GRP-9] a preview lists the first fifty pairs and counts all of them', async () => {
  const make = structureCalls(app)
  const groupId = await make.group('Everything')
  const areaId = await make.area('Wide')
  for (let at = 0; at < 60; at += 1) await make.subarea(`Row ${at}`)
  await app.as.admin.call(assignments.linkArea, { body: { areaId, allCurrentAndFuture: true } })
  await app.as.admin.call(assignments.linkGroup, { params: { userId: app.idOf('superadmin') }, body: { groupId } })
  const { body } = await app.as.admin.call(groups.preview, {
    params: { groupId },
    body: { grants: { areas: [pair(areaId, null)], versions: [] } },
  })
  expect(body.map(({ Gains, GainCount }) => [Gains.length, Gains[0], GainCount])).toEqual([[50, 'Wide / Bar', 62]])
})
