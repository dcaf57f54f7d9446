import type { FaultReply } from '@tributary/contract/faults'
import { planningStructure } from '@tributary/contract/planning-structure'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function create(path: string, body: object): Promise<string> {
  const reply = await app.as.admin.send<{ Id: string }>('POST', `/api${path}`, { body })
  expect(reply.status).toBe(201)
  return reply.body.Id
}
async function link(areaId: string, subareaId: string): Promise<void> {
  const organisationId = app.harbour.id
  await app.store.within(organisationId, (db) =>
    db.insertInto('areaSubarea').values({ organisationId, areaId, subareaId }).execute(),
  )
}

test('[LINK-1] [LINK-5] [LINK-6] areas list their subareas and subareas their areas, by link or flag, without duplicates', async () => {
  const [north, south, all] = [
    await create('/areas', { name: 'North' }),
    await create('/areas', { name: 'South' }),
    await create('/areas', { name: 'All' }),
  ]
  const [bar, kitchen] = [
    await create('/subareas', { name: 'Bar' }),
    await create('/subareas', { name: 'Kitchen', listOrder: 1 }),
  ]
  await link(north, kitchen)
  await link(all, kitchen)
  await app.store.within(app.harbour.id, async (db) => {
    await db.updateTable('area').set({ allSubareas: true }).where('id', '=', all).execute()
    await db.updateTable('subarea').set({ allAreas: true }).where('id', '=', bar).execute()
  })
  const later = await create('/subareas', { name: 'Attic' })

  const { body: areas } = await app.as.user.call(planningStructure.areas)
  expect(
    areas.map(({ Name, AllCurrentAndFuture, Subareas }) => [
      Name,
      AllCurrentAndFuture,
      Subareas.map((each) => each.Name),
    ]),
  ).toEqual([
    ['All', true, ['Attic', 'Bar', 'Kitchen']],
    ['North', false, ['Bar', 'Kitchen']],
    ['South', false, ['Bar']],
  ])
  const { body: subareas } = await app.as.user.call(planningStructure.subareas)
  expect(subareas.map(({ Id, AreasSubareas }) => [Id, AreasSubareas.map(({ Area }) => Area)])).toEqual([
    [later, [{ Id: all, Name: 'All' }]],
    [
      bar,
      [
        { Id: all, Name: 'All' },
        { Id: north, Name: 'North' },
        { Id: south, Name: 'South' },
      ],
    ],
    [
      kitchen,
      [
        { Id: all, Name: 'All' },
        { Id: north, Name: 'North' },
      ],
    ],
  ])

  const bare = { query: { links: false } }
  expect(
    (await app.as.user.call(planningStructure.areas, bare)).body.map(({ Subareas, LinkCount }) => [
      Subareas,
      LinkCount,
    ]),
  ).toEqual([
    [[], 3],
    [[], 2],
    [[], 1],
  ])
  expect(
    (await app.as.user.call(planningStructure.subareas, bare)).body.map(({ AreasSubareas, LinkCount }) => [
      AreasSubareas,
      LinkCount,
    ]),
  ).toEqual([
    [[], 1],
    [[], 3],
    [[], 2],
  ])

  await app.as.admin.call(planningStructure.changeSubarea, {
    params: { subareaId: kitchen },
    body: { statusId: statusIds.archived },
  })
  const namesIn = async (query: object) =>
    (await app.as.user.call(planningStructure.areas, { query: { search: 'north', ...query } })).body.flatMap(
      ({ Subareas }) => Subareas.map(({ Name }) => Name),
    )
  expect(await namesIn({})).toEqual(['Bar'])
  expect(await namesIn({ archived: true })).toEqual(['Bar', 'Kitchen'])

  expect((await app.as.superadmin.call(planningStructure.deleteArea, { params: { areaId: north } })).status).toBe(204)
  expect(
    (await app.as.user.call(planningStructure.subareas, { query: { search: 'kitchen', archived: true } })).body[0]
      ?.AreasSubareas,
  ).toHaveLength(1)
})

test('[VER-1] [VER-2] milestones of a version can be added, renamed, locked and archived but not moved, and are deleted with it', async () => {
  const [versionId, other] = [
    await create('/versions', { name: 'Forecast' }),
    await create('/versions', { name: 'Actual' }),
  ]
  const june = await create('/milestones', { name: 'June', versionId, listOrder: 1 })
  const draft = await create('/milestones', { name: 'Draft', versionId })
  await create('/milestones', { name: 'June', versionId: other })
  const change = (milestoneId: string, body: object) =>
    app.as.admin.call(planningStructure.changeMilestone, { params: { milestoneId }, body })
  const { body: locked } = await change(june, { name: 'Juni', statusId: statusIds.locked, versionId, listOrder: 1 })
  const shown = {
    Id: june,
    Name: 'Juni',
    VersionId: versionId,
    ListOrder: 1,
    Status: { Id: statusIds.locked, Name: 'locked' },
    GroupCount: 0,
  }
  expect(locked).toEqual(shown)
  expect((await change(june, { versionId: other })).status).toBe(404)
  const taken = await app.as.admin.send<FaultReply>('POST', '/api/milestones', { body: { name: 'juni', versionId } })
  expect([taken.status, taken.body.code]).toEqual([409, 'nameTaken'])
  await change(draft, { statusId: statusIds.archived })

  expect((await app.as.user.call(planningStructure.milestones, { params: { versionId } })).body).toEqual([shown])
  const of = async (query: object) =>
    (await app.as.user.call(planningStructure.versions, { query: { search: 'forecast', ...query } })).body[0]
      ?.Milestones
  expect(await of({})).toEqual([shown])
  expect((await of({ archived: true }))?.map(({ Name }) => Name)).toEqual(['Draft', 'Juni'])

  const unknown = await app.as.admin.send<FaultReply>('POST', '/api/milestones', {
    body: { name: 'July', versionId: june },
  })
  expect(unknown.status).toBe(404)
  for (const body of [{ name: 'July' }, { name: 'July', versionId: 'nonsense' }])
    expect((await app.as.admin.send<FaultReply>('POST', '/api/milestones', { body })).body.fields).toHaveProperty(
      'versionId',
    )
  expect((await app.as.otherAdmin.send('GET', `/api/milestones/${versionId}`)).status).toBe(404)
  expect((await app.as.admin.send('DELETE', `/api/milestones/${june}`)).status).toBe(403)
  expect((await app.as.superadmin.send('DELETE', `/api/milestones/${june}`)).status).toBe(204)
  expect((await app.as.superadmin.send('DELETE', `/api/versions/${versionId}`, { body: { name: 'del' } })).status).toBe(
    204,
  )
  expect((await app.as.user.send('GET', `/api/milestones/${versionId}`)).status).toBe(404)
  expect(
    (
      await app.as.admin.call(planningStructure.changeMilestone, {
        params: { milestoneId: draft },
        body: { name: 'x' },
      })
    ).status,
  ).toBe(404)
})

test('[API-5] a version is deleted with the body {name: ‘del’} or without a body; listOrder must be 1', async () => {
  const [one, two] = [await create('/versions', { name: 'First' }), await create('/versions', { name: 'Second' })]
  const remove = (id: string, sending: object) =>
    app.as.superadmin.send<FaultReply>('DELETE', `/api/versions/${id}`, sending)
  expect((await remove(one, { body: { name: 'delete' } })).body.fields).toHaveProperty('name')
  expect((await remove(one, { body: { name: 'del' } })).status).toBe(204)
  expect((await remove(two, {})).status).toBe(204)
  for (const listOrder of [0, 2, '1'])
    expect(
      (await app.as.admin.send<FaultReply>('POST', '/api/subareas', { body: { name: 'Ordered', listOrder } })).body
        .fields,
    ).toHaveProperty('listOrder')
})

test('a list with too many links is refused with advice, and a smaller page is returned', async () => {
  await app.store.within(app.summit.id, async (db) => {
    await sql`INSERT INTO area (organisationId, name, allSubareas) SELECT ${app.summit.id}, 'Area ' || n, true FROM generate_series(1, 800) n`.execute(
      db,
    )
    await sql`INSERT INTO subarea (organisationId, name) SELECT ${app.summit.id}, 'Subarea ' || n FROM generate_series(1, 700) n`.execute(
      db,
    )
  })
  const { status, body } = await app.as.otherAdmin.send<FaultReply>('GET', '/api/areas')
  expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['pageSize']])
  const page = await app.as.otherAdmin.call(planningStructure.areas, { query: { page: 80, pageSize: 10 } })
  expect(page.body.map(({ Subareas }) => Subareas.length)).toEqual(Array.from({ length: 10 }, () => 700))
  expect(page.body.at(-1)?.Name).toBe('Area 800')
})

test('[AREA-4] [GRP-9] a record shows the number of security groups that a deletion would change', async () => {
  const [areaId, subAreaId] = [
    await create('/areas', { name: 'Named' }),
    await create('/subareas', { name: 'Named, too', listOrder: 1 }),
  ]
  const versionId = await create('/versions', { name: 'Named version' })
  const milestoneId = await create('/milestones', { name: 'Named milestone', versionId })
  for (const name of ['One', 'Two']) {
    const { body } = await app.as.admin.send<{ Id: string }>('POST', '/api/permission-groups', { body: { name } })
    const grant = (path: string, to: object) =>
      app.as.admin.send('POST', `/api/permission-groups/${path}`, { body: { groupId: body.Id, ...to } })
    expect((await grant('area-subarea', { areaId, subAreaId })).status).toBe(200)
    expect((await grant('area-subarea', { areaId, subAreaAllCurrentAndFuture: true })).status).toBe(200)
    expect((await grant('version-milestone', { versionId, milestoneId })).status).toBe(200)
  }
  const query = { search: 'named' }
  const counts = await Promise.all([
    app.as.user.call(planningStructure.areas, { query }),
    app.as.user.call(planningStructure.subareas, { query }),
    app.as.user.call(planningStructure.versions, { query }),
  ])
  expect(counts.map(({ body }) => body.map(({ GroupCount }) => GroupCount))).toEqual([[2], [2], [2]])
  expect(counts[2].body[0]?.Milestones.map(({ GroupCount }) => GroupCount)).toEqual([2])
})
