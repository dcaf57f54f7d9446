import { randomUUID } from 'node:crypto'
import { assignments } from '@tributary/contract/assignments'
import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { structureCalls, type StructureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let make: StructureCalls
let ulla: string
let gareth: string
beforeEach(async () => {
  app = await testApp()
  make = structureCalls(app)
  ulla = app.idOf('user')
  gareth = app.idOf('guest')
})
afterEach(() => app[Symbol.asyncDispose]())

const kinds = [
  { id: 'ASG-1', kind: 'group', link: 'link-to-group', whole: 'groups', field: 'groupId', shown: 'Groups' },
  {
    id: 'ASG-2',
    kind: 'helperTable',
    link: 'link-helperTable',
    whole: 'helperTables',
    field: 'helperTableId',
    shown: 'HelperTables',
  },
  { id: 'ASG-3', kind: 'entity', link: 'link-to-entity', whole: 'entities', field: 'entityId', shown: 'Entities' },
] as const

async function send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const query = method === 'PUT' ? '' : `?orgId=${app.harbour.id}`
  return app.as.admin.send<FaultReply & { Ids: string[]; AllCurrentAndFuture: boolean }>(
    method,
    `/api${path}${query}`,
    body === undefined ? {} : { body },
  )
}
async function assigned(shown: (typeof kinds)[number]['shown'], userId = ulla): Promise<readonly string[]> {
  const { body } = await app.as.admin.call(assignments.assignees)
  return body.find(({ Id }) => Id === userId)?.[shown].map(({ Name }) => Name) ?? []
}

describe.each(kinds)('$kind', ({ id, kind, link, whole, field, shown }) => {
  test(`[${id}] [API-1 POST /users/{id}/${link}] [API-1 DELETE /users/{id}/${link}] assigning and unassigning are idempotent; without a body, all are unassigned`, async () => {
    const [one, two] = [await make[kind]('One'), await make[kind]('Two')]
    for (const _ of [1, 2])
      expect(await send('POST', `/users/${ulla}/${link}`, { [field]: one })).toMatchObject({ status: 200, body: {} })
    await send('POST', `/users/${ulla}/${link}`, { [field]: two })
    expect(await assigned(shown)).toEqual(['One', 'Two'])
    for (const _ of [1, 2]) expect((await send('DELETE', `/users/${ulla}/${link}`, { [field]: one })).status).toBe(204)
    expect(await assigned(shown)).toEqual(['Two'])
    await send('POST', `/users/${gareth}/${link}`, { [field]: two })
    for (const _ of [1, 2]) expect((await send('DELETE', `/users/${ulla}/${link}`)).status).toBe(204)
    expect([await assigned(shown), await assigned(shown, gareth)]).toEqual([[], ['Two']])
    const events = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('auditEvent').select('detail').where('action', '=', 'assignment.changed').orderBy('id').execute(),
    )
    expect(events.map(({ detail }) => detail)).toMatchObject([
      { added: ['One'] },
      { added: ['Two'] },
      { removed: ['One'] },
      { added: ['Two'] },
      { removed: ['Two'] },
    ])
  })

  test(`[${id}] [API-1 PUT /users/{id}/${whole}] a full replacement is atomic, and a conflict reports what others have saved in the meantime`, async () => {
    const [one, two] = [await make[kind]('One'), await make[kind]('Two')]
    const saved = await send('PUT', `/users/${ulla}/${whole}`, { ids: [one], before: { ids: [] } })
    expect([saved.status, saved.body]).toEqual([200, { Ids: [one], AllCurrentAndFuture: false }])
    const late = await send('PUT', `/users/${ulla}/${whole}`, { ids: [two], before: { ids: [] } })
    expect([late.status, late.body.code, late.body.message]).toEqual([
      409,
      'changedMeanwhile',
      expect.stringContaining('(added One)'),
    ])
    expect((await send('PUT', `/users/${ulla}/${whole}`, { ids: [two], before: { ids: [one] } })).body.Ids).toEqual([
      two,
    ])
    expect((await send('PUT', `/users/${ulla}/${whole}`, { ids: [one, randomUUID()] })).status).toBe(404)
    expect(await assigned(shown)).toEqual(['Two'])
  })

  test(`[${id}] [API-2] only members and records of the organisation can be linked`, async () => {
    const own = await make[kind]('Own')
    const stranger = app.idOf('otherAdmin')
    const { body: foreign } = await app.as.otherAdmin.send<{ Id: string }>(
      'POST',
      { group: '/api/permission-groups', helperTable: '/api/helperTables', entity: '/api/entities' }[kind],
      { body: { name: 'Theirs' } },
    )
    const attempts = [
      send('POST', `/users/${stranger}/${link}`, { [field]: own }),
      send('POST', `/users/${ulla}/${link}`, { [field]: foreign.Id }),
      send('DELETE', `/users/${ulla}/${link}`, { [field]: foreign.Id }),
      send('DELETE', `/users/${stranger}/${link}`),
      send('PUT', `/users/${stranger}/${whole}`, { ids: [own] }),
      send('PUT', `/users/${ulla}/${whole}`, { ids: [foreign.Id] }),
      app.as.otherAdmin.send('POST', `/api/users/${ulla}/${link}?orgId=${app.harbour.id}`, { body: { [field]: own } }),
      app.as.otherAdmin.send('POST', `/api/users/${ulla}/${link}`, { body: { [field]: own } }),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 404))
    for (const role of ['user', 'guest'] as const)
      expect((await app.as[role].send('POST', `/api/users/${ulla}/${link}`, { body: { [field]: own } })).status).toBe(
        403,
      )
    expect(await assigned(shown)).toEqual([])
  })
})

test('[ASG-1] a group may be sent with its organisation, and all current and future groups cannot be chosen', async () => {
  const groupId = await make.group('One')
  expect(
    (await send('POST', `/users/${ulla}/link-to-group`, { comOrganisationId: app.harbour.id, groupId })).status,
  ).toBe(200)
  expect(
    (await send('POST', `/users/${ulla}/link-to-group`, { comOrganisationId: app.summit.id, groupId })).status,
  ).toBe(404)
  const all = await send('PUT', `/users/${ulla}/groups`, { ids: [], allCurrentAndFuture: true })
  expect([all.status, Object.keys(all.body.fields ?? {})]).toEqual([400, ['allCurrentAndFuture']])
})

test.each([
  { id: 'ASG-2', kind: 'helperTable', path: 'helperTables', shown: 'HelperTables', all: 'AllHelperTables' },
  { id: 'ASG-3', kind: 'entity', path: 'entities', shown: 'Entities', all: 'AllEntities' },
] as const)(
  '[$id] [API-1 PUT /$path/{id}/users] $path can be assigned from their own side, also to all current and future users',
  async ({ kind, path, shown, all }) => {
    const [one, two] = [await make[kind]('One'), await make[kind]('Two')]
    const saved = await send('PUT', `/${path}/${one}/users`, { ids: [ulla, gareth], before: { ids: [] } })
    expect([saved.status, new Set(saved.body.Ids)]).toEqual([200, new Set([ulla, gareth])])
    expect([await assigned(shown), await assigned(shown, gareth)]).toEqual([['One'], ['One']])
    expect((await send('PUT', `/${path}/${one}/users`, { ids: [app.idOf('otherAdmin')] })).status).toBe(404)
    const late = await send('PUT', `/${path}/${one}/users`, { ids: [ulla], before: { ids: [ulla] } })
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('(added Gareth Pike)')])

    expect(
      (await send('PUT', `/${path}/${two}/users`, { ids: [], allCurrentAndFuture: true })).body.AllCurrentAndFuture,
    ).toBe(true)
    expect(await assigned(shown)).toEqual(['One', 'Two'])
    const { body: tables } = await app.as.admin.send<{ Name: string; AllUsers: boolean }[]>('GET', `/api/${path}`)
    expect(tables.map(({ Name, AllUsers }) => [Name, AllUsers])).toEqual([
      ['One', false],
      ['Two', true],
    ])
    const held = await send('PUT', `/users/${ulla}/${path}`, { ids: [one] })
    expect([held.status, held.body.message]).toEqual([
      400,
      expect.stringContaining('Two, which belongs to all users, current and future'),
    ])

    await send('PUT', `/users/${gareth}/${path}`, { ids: [], allCurrentAndFuture: true })
    await make[kind]('Three')
    expect(await assigned(shown, gareth)).toEqual(['One', 'Three', 'Two'])
    const { body: people } = await app.as.admin.call(assignments.assignees)
    expect(people.filter((person) => person[all]).map(({ Id }) => Id)).toEqual([gareth])
    await send('DELETE', `/users/${gareth}/${kind === 'entity' ? 'link-to-entity' : 'link-helperTable'}`)
    expect(await assigned(shown, gareth)).toEqual(['Two'])
  },
)

test('[ASG-1] [ASG-2] [ASG-3] [FORM-3] [API-1 GET /assignments] lists the members by first name, without archived assignments', async () => {
  const [group, table] = [await make.group('Planners'), await make.helperTable('Rates')]
  await send('PUT', `/users/${ulla}/groups`, { ids: [group] })
  await send('PUT', `/users/${ulla}/helperTables`, { ids: [table] })
  const { body } = await app.as.admin.call(assignments.assignees)
  expect(body.map(({ FirstName }) => FirstName)).toEqual(['Amara', 'Gareth', 'Peter', 'Sofia', 'Ulla'])
  expect(body.at(-1)).toEqual({
    Id: ulla,
    FirstName: 'Ulla',
    LastName: 'Berg',
    EmailAddress: 'user@demo.example',
    Status: { Name: 'active' },
    Groups: [{ Id: group, Name: 'Planners' }],
    HelperTables: [{ Id: table, Name: 'Rates' }],
    AllHelperTables: false,
    Entities: [],
    AllEntities: false,
  })
  await app.as.admin.call(planningStructure.changeHelperTable, {
    params: { helperTableId: table },
    body: { statusId: statusIds.archived },
  })
  expect(await assigned('HelperTables')).toEqual([])
  expect((await app.as.user.call(assignments.assignees)).status).toBe(403)
  expect((await app.as.otherAdmin.call(assignments.assignees, { query: { orgId: app.harbour.id } })).status).toBe(404)
})

test('[API-1 GET /users] the list of users shows what is assigned to each, but not to guests', async () => {
  const [group, table, one] = [await make.group('Planners'), await make.helperTable('Rates'), await make.entity('One')]
  await send('PUT', `/users/${ulla}/groups`, { ids: [group] })
  await send('PUT', `/users/${ulla}/helperTables`, { ids: [table] })
  await send('PUT', `/entities/${one}/users`, { ids: [], allCurrentAndFuture: true })
  const listed = async (caller: 'user' | 'guest') =>
    (await app.as[caller].call(organisations.users)).body.find(({ Id }) => Id === ulla)
  expect(await listed('user')).toMatchObject({
    Groups: [{ Id: group, Name: 'Planners' }],
    HelperTables: [{ Id: table, Name: 'Rates' }],
    B2SEntities: [{ Id: one, Name: 'One' }],
    Xero2SqlProducts: [],
  })
  expect(await listed('guest')).not.toHaveProperty('Groups')
})
