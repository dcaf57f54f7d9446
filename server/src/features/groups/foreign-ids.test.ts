import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertStructure, type StructureFixtures } from '@tributary/testing/server/excel/structure-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let own: StructureFixtures
let theirs: StructureFixtures
beforeAll(async () => {
  app = await testApp()
  const insert = ({ id }: { readonly id: string }) => app.store.within(id, (db) => insertStructure(db, id))
  own = await insert(app.harbour)
  theirs = await insert(app.summit)
})
afterAll(() => app[Symbol.asyncDispose]())

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) =>
  app.as.admin.send(method, `/api${path}`, { body })

test('[GRP-9] [LINK-4] an unknown or foreign id is refused even if a flag makes it irrelevant', async () => {
  const { groupId, areaId, versionId } = own
  const unknownId = randomUUID()
  const calls = (foreign: { readonly subareaId: string; readonly milestoneId: string; readonly versionId: string }) => [
    ...(['POST', 'DELETE'] as const).flatMap((method) => [
      send(method, '/permission-groups/version-milestone', { groupId, milestoneId: foreign.milestoneId, flag: true }),
      send(method, '/permission-groups/version-milestone', { groupId, versionId: foreign.versionId, flag: true }),
      send(method, '/permission-groups/area-subarea', {
        groupId,
        areaId,
        subAreaId: foreign.subareaId,
        subAreaAllCurrentAndFuture: true,
      }),
    ]),
    ...['link-to-area', 'unlink-from-area'].map((path) =>
      send('POST', `/subareas/${path}`, { areaId, subareaId: foreign.subareaId, allCurrentAndFuture: true }),
    ),
  ]
  for (const foreign of [theirs, { subareaId: unknownId, milestoneId: unknownId, versionId: unknownId }])
    expect((await Promise.all(calls(foreign))).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 404),
    )
  expect((await send('POST', '/permission-groups/version-milestone', { groupId, versionId, flag: true })).status).toBe(
    200,
  )
})

test('[SHELL-6] a group is read only with the id of its organisation, even if the caller may see both organisations', async () => {
  const read = (orgId: string) =>
    app.as.superadmin.send('GET', `/api/permission-groups/${own.groupId}?orgId=${orgId}`).then(({ status }) => status)
  expect([await read(app.harbour.id), await read(app.summit.id)]).toEqual([200, 404])
})

test('[GRP-9] a foreign id is refused in full saves and previews, too, and the field is named', async () => {
  const { groupId } = own
  const { Revision: revision } = (
    await app.as.admin.send<{ Revision: number }>('GET', `/api/permission-groups/${groupId}`)
  ).body
  const all = { areaId: null, subareaId: null, allAreas: true, allSubareas: true }
  const versions = [{ versionId: theirs.versionId, milestoneId: null, allVersions: true, allMilestones: true }]
  const wrong = { areas: [all, { ...all, areaId: theirs.areaId }], versions: [] }
  for (const [grants, field] of [
    [{ areas: [], versions }, 'grants.versions.0.versionId'],
    [wrong, 'grants.areas.1.areaId'],
  ] as const) {
    const replies = await Promise.all([
      send('POST', `/permission-groups/${groupId}/preview`, { grants }),
      send('PUT', `/permission-groups/${groupId}`, { name: 'Planners', grants, revision }),
      send('POST', '/permission-groups', { name: 'Others', grants }),
    ])
    for (const { status, body } of replies)
      expect([status, body]).toMatchObject([400, { fields: { [field]: expect.any(String) as string } }])
  }
})
