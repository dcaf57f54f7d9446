import { randomUUID } from 'node:crypto'
import type { FaultReply } from '@tributary/contract/faults'
import { groups, type PermissionGroup } from '@tributary/contract/groups'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { structureCalls, type StructureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let make: StructureCalls
let kitchen: string
let bar: string
beforeEach(async () => {
  app = await testApp()
  make = structureCalls(app)
  ;[kitchen, bar] = [await make.area('Kitchen'), await make.subarea('Bar')]
})
afterEach(() => app[Symbol.asyncDispose]())

type GroupOrFault = PermissionGroup & FaultReply

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  return app.as.admin.send<GroupOrFault>(method, `/api/permission-groups${path}`, body === undefined ? {} : { body })
}
function grants(
  areas: readonly (readonly [string | null, string | null])[],
  versions: readonly (readonly [string | null, string | null])[] = [],
) {
  return {
    areas: areas.map(([areaId, subareaId]) => ({
      areaId,
      subareaId,
      allAreas: areaId === null,
      allSubareas: subareaId === null,
    })),
    versions: versions.map(([versionId, milestoneId]) => ({
      versionId,
      milestoneId,
      allVersions: versionId === null,
      allMilestones: milestoneId === null,
    })),
  }
}
function pairsOf({ PermissionGroupAreasSubAreas: pairs }: PermissionGroup) {
  return pairs.map(({ B2SAreaId, B2SSubareaId }) => [B2SAreaId, B2SSubareaId])
}

test('[API-6] [API-1 POST /permission-groups] creates a group without a groupId, renames one with it, and returns Id and no error', async () => {
  const created = await send('POST', '', { name: '  Planners ', comOrganisationId: app.harbour.id })
  expect([created.status, created.body]).toEqual([
    200,
    {
      Id: expect.any(String),
      Name: 'Planners',
      Status: { Id: statusIds.active, Name: 'active' },
      PermissionGroupAreasSubAreas: [],
      B2SGroupVersionMilestones: [],
      Members: 0,
      Revision: 1,
    },
  ])
  const renamed = await send('POST', '', {
    name: 'Editors',
    comOrganisationId: app.harbour.id,
    groupId: created.body.Id,
  })
  expect([renamed.status, renamed.body.Id, renamed.body.Name, 'error' in renamed.body]).toEqual([
    200,
    created.body.Id,
    'Editors',
    false,
  ])
  expect((await app.as.user.call(groups.list)).body.map(({ Name }) => Name)).toEqual(['Editors'])
})

test('[GRP-8] [API-6] a taken name is refused with a message, on creation and on renaming', async () => {
  const [, other] = [await make.group('Planners'), await make.group('Readers')]
  for (const body of [{ name: 'planners' }, { name: 'PLANNERS', groupId: other }]) {
    const { status, body: fault } = await send('POST', '', body)
    expect([status, fault.code, fault.message]).toEqual([409, 'nameTaken', expect.stringContaining(body.name)])
  }
  expect((await send('POST', '', { name: ' ' })).body.fields).toHaveProperty('name')
})

test('[GRP-1] [FORM-3] groups can be listed by name, searched, sorted and paginated; archived ones are hidden', async () => {
  for (const name of ['Week 10', 'Week 2', 'attic']) await make.group(name)
  const archivedId = await make.group('Gone')
  await send('POST', '/status', {
    comOrganisationId: app.harbour.id,
    groupId: archivedId,
    statusId: statusIds.archived,
  })
  const names = async (query: object) =>
    (await app.as.user.call(groups.list, { query: { ...query } })).body.map(({ Name }) => Name)
  expect(await names({})).toEqual(['attic', 'Week 2', 'Week 10'])
  expect(await names({ archived: true, sort: 'desc' })).toEqual(['Week 10', 'Week 2', 'Gone', 'attic'])
  expect(await names({ search: 'week' })).toEqual(['Week 2', 'Week 10'])
  const page = await app.as.user.call(groups.list, { query: { page: 2, pageSize: 2 } })
  expect([page.body.map(({ Name }) => Name), page.headers['x-total-count']]).toEqual([['Week 10'], '3'])
})

test('[GRP-2] [API-1 POST /permission-groups/status] a group can be locked, archived and restored', async () => {
  const groupId = await make.group('Planners')
  for (const name of ['locked', 'archived', 'active'] as const) {
    const { status, body } = await send('POST', '/status', {
      comOrganisationId: app.harbour.id,
      groupId,
      statusId: statusIds[name],
    })
    expect([status, body.Status]).toEqual([200, { Id: statusIds[name], Name: name }])
  }
  expect((await send('POST', '/status', { groupId, statusId: randomUUID() })).body.fields).toHaveProperty('statusId')
  expect(
    (await send('POST', '/status', { comOrganisationId: app.summit.id, groupId, statusId: statusIds.active })).status,
  ).toBe(404)
})

test('[GRP-9] [API-1 POST /permission-groups/area-subarea] [API-1 DELETE /permission-groups/area-subarea] pairs are granted and revoked, also with all areas or all subareas', async () => {
  const groupId = await make.group('Planners')
  const path = '/area-subarea'
  for (const _ of [1, 2])
    expect(pairsOf((await send('POST', path, { groupId, areaId: kitchen, subAreaId: bar })).body)).toEqual([
      [kitchen, bar],
    ])
  await send('POST', path, { groupId, areaId: kitchen, subAreaId: bar, subAreaAllCurrentAndFuture: true })
  await send('POST', path, { groupId, areaId: null, subAreaId: bar, areaAllCurrentAndFuture: true })
  const { body } = await send('POST', path, {
    groupId,
    areaAllCurrentAndFuture: true,
    subAreaAllCurrentAndFuture: true,
  })
  expect(body.PermissionGroupAreasSubAreas).toEqual(
    expect.arrayContaining([
      {
        B2SAreaId: kitchen,
        B2SSubareaId: null,
        B2SAreaSubarea: { AreaId: kitchen, SubareaId: null },
        B2SSubAreaAllCurrentAndFuture: true,
        B2SAreaAllCurrentAndFuture: false,
      },
    ]),
  )
  expect(pairsOf(body)).toHaveLength(4)
  for (const _ of [1, 2])
    expect(pairsOf((await send('DELETE', path, { groupId, areaId: kitchen, subAreaId: bar })).body)).toHaveLength(3)
  expect(pairsOf((await send('DELETE', path, { groupId })).body)).toEqual([])
  expect((await send('POST', path, { groupId, areaId: kitchen })).body.fields).toHaveProperty('subAreaId')
  for (const ids of [
    { areaId: randomUUID(), subAreaId: bar },
    { areaId: kitchen, subAreaId: randomUUID() },
  ])
    for (const method of ['POST', 'DELETE'] as const)
      expect((await send(method, path, { groupId, ...ids })).status).toBe(404)
})

test('[GRP-9] [API-1 POST /permission-groups/version-milestone] [API-1 DELETE /permission-groups/version-milestone] milestones are granted and revoked, also with all of one version or of all versions', async () => {
  const groupId = await make.group('Planners')
  const [budget, forecast] = [await make.version('Budget'), await make.version('Forecast')]
  const june = await make.milestone('June', budget)
  const path = '/version-milestone'
  await send('POST', path, { groupId, versionId: budget, milestoneId: june })
  await send('POST', path, { groupId, versionId: budget, allCurrentAndFuture: true })
  const { body } = await send('POST', path, { groupId, flag: true })
  expect(new Set(body.B2SGroupVersionMilestones)).toEqual(
    new Set([
      { B2SVersionId: budget, B2SMilestoneId: june, B2SMilestoneAllCurrentAndFuture: false },
      { B2SVersionId: budget, B2SMilestoneId: null, B2SMilestoneAllCurrentAndFuture: true },
      { B2SVersionId: null, B2SMilestoneId: null, B2SMilestoneAllCurrentAndFuture: true },
    ]),
  )
  expect((await send('POST', path, { groupId, versionId: forecast, milestoneId: june })).status).toBe(404)
  expect((await send('POST', path, { groupId, milestoneId: june })).body.fields).toHaveProperty('versionId')
  expect(
    (await send('DELETE', path, { groupId, versionId: budget, milestoneId: june })).body.B2SGroupVersionMilestones,
  ).toHaveLength(2)
  expect((await send('DELETE', path, { groupId })).body.B2SGroupVersionMilestones).toEqual([])
})

test('[GRP-9] [API-1 PUT /permission-groups/{id}] a group is read with its revision and replaced; a conflict reports what changed', async () => {
  const groupId = await make.group('Planners')
  const { body: read } = await send('GET', `/${groupId}`)
  const saved = await send('PUT', `/${groupId}`, {
    name: 'Editors',
    grants: grants([
      [kitchen, bar],
      [kitchen, bar],
      [null, bar],
    ]),
    revision: read.Revision,
  })
  expect([saved.status, saved.body.Name, new Set(pairsOf(saved.body)), saved.body.Revision]).toEqual([
    200,
    'Editors',
    new Set([
      [kitchen, bar],
      [null, bar],
    ]),
    read.Revision + 1,
  ])
  const late = await send('PUT', `/${groupId}`, { name: 'Planners', grants: grants([]), revision: read.Revision })
  expect([late.status, late.body.code]).toEqual([409, 'changedMeanwhile'])
  expect(late.body.message).toContain('Amara Okafor: added Kitchen / Bar, all areas / Bar; named it Editors')
  const again = await send('PUT', `/${groupId}`, {
    name: 'Editors',
    grants: grants([[null, null]], [[null, null]]),
    revision: saved.body.Revision,
  })
  expect(pairsOf(again.body)).toEqual([[null, null]])
  const same = await send('PUT', `/${groupId}`, {
    name: 'Editors',
    grants: grants([[null, null]], [[null, null]]),
    revision: again.body.Revision,
  })
  expect(same.body.Revision).toBe(again.body.Revision)
  const events = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('auditEvent').select(['action', 'detail']).where('objectId', '=', groupId).orderBy('id').execute(),
  )
  expect(events).toMatchObject([
    { action: 'permission_group.created', detail: { after: { name: 'Planners' } } },
    {
      action: 'permission_group.changed',
      detail: { before: { name: 'Planners' }, after: { name: 'Editors' }, addedCount: 2 },
    },
    {
      action: 'permission_group.changed',
      detail: { added: ['all areas / all subareas', 'all versions / all milestones'], removedCount: 2 },
    },
  ])
})

test('[GRP-8] [API-1 PUT /permission-groups/{id}] a grant with a foreign or unknown record is refused with its field, and nothing is saved', async () => {
  const { body: foreign } = await app.as.otherAdmin.send<{ Id: string }>('POST', '/api/areas', {
    body: { name: 'Theirs' },
  })
  const [budget, forecast] = [await make.version('Budget'), await make.version('Forecast')]
  const june = await make.milestone('June', budget)
  const refused: readonly [field: string, grantsSent: object][] = [
    [
      'grants.areas.1.areaId',
      grants([
        [kitchen, bar],
        [foreign.Id, bar],
      ]),
    ],
    ['grants.areas.0.subareaId', grants([[kitchen, randomUUID()]])],
    ['grants.versions.0.milestoneId', grants([], [[forecast, june]])],
    [
      'grants.areas.0.subareaId',
      { areas: [{ areaId: kitchen, subareaId: null, allAreas: false, allSubareas: false }], versions: [] },
    ],
  ]
  for (const [field, grantsSent] of refused) {
    const { status, body } = await send('POST', '', { name: 'Planners', grants: grantsSent })
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
  }
  expect((await app.as.admin.call(groups.list)).body).toEqual([])
  const created = await send('POST', '', { name: 'Planners', grants: grants([[kitchen, bar]], [[budget, june]]) })
  await app.as.superadmin.call(planningStructure.deleteArea, { params: { areaId: kitchen } })
  expect(pairsOf((await send('GET', `/${created.body.Id}`)).body)).toEqual([])
})

test('[GRP-1] [ROLE-3] only superadmins delete groups and only administrators write them; groups of another organisation are not found', async () => {
  const groupId = await make.group('Planners')
  const body = { groupId }
  for (const role of ['provideradmin', 'admin', 'user', 'guest'] as const)
    expect((await app.as[role].call(groups.remove, { body })).status).toBe(403)
  for (const role of ['user', 'guest'] as const)
    expect((await app.as[role].call(groups.save, { body: { name: 'x', groupId } })).status).toBe(403)
  expect((await app.as.guest.call(groups.list)).status).toBe(403)
  expect((await app.as.otherAdmin.call(groups.save, { body: { name: 'x', groupId } })).status).toBe(404)
  expect((await app.as.otherAdmin.call(groups.list)).body).toEqual([])
  expect((await app.as.otherAdmin.call(groups.list, { query: { orgId: app.harbour.id } })).status).toBe(404)
  expect((await app.as.otherAdmin.call(groups.read, { params: { groupId } })).status).toBe(404)
  expect((await app.as.superadmin.call(groups.remove, { body })).status).toBe(204)
  expect((await app.as.superadmin.call(groups.remove, { body })).status).toBe(404)
  const event = {
    actorId: app.idOf('superadmin'),
    organisationId: app.harbour.id,
    outcome: 'success',
    objectId: groupId,
  }
  expect(await findAuditEvents(app.store, 'permission_group.deleted')).toMatchObject([
    { ...event, detail: { before: { name: 'Planners' } } },
  ])
})

test('an impossible revision is refused as bad input, not as a server error', async () => {
  const groupId = await make.group('Bounded')
  for (const revision of [-1, 2_147_483_648, -9_007_199_254_740_991]) {
    const { status, body } = await send('PUT', `/${groupId}`, { name: 'Bounded', grants: grants([]), revision })
    expect([revision, status, body.code]).toEqual([revision, 400, 'badInput'])
  }
})
