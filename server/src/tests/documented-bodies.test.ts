/** The request bodies and replies that the specification documents. */
import { assignments } from '@tributary/contract/assignments'
import { connectors } from '@tributary/contract/connectors'
import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { planningStructure } from '@tributary/contract/planning-structure'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

const person = { firstName: 'Nora', lastName: 'New', password: 'a-good-one-77', roleId: roleIdOf('user') }

test('[API-1 POST /users] [API-1 POST /users/{id}] an empty or null msId changes nothing, and any role may send it', async () => {
  for (const [at, msId] of ['', null].entries()) {
    const created = await app.as.admin.call(users.create, {
      body: { ...person, emailAddress: `nora${at}@example.com`, organisationId: app.harbour.id, msId },
    })
    expect([msId, created.status]).toEqual([msId, 201])
    const params = { userId: created.body.Id }
    const input = { params, query: { orgId: app.harbour.id }, body: { msId: `oid-${at}` } }
    expect((await app.as.superadmin.call(users.update, input)).body.MS_Oid).toBe(`oid-${at}`)
    const { status } = await app.as.admin.call(users.update, {
      params,
      body: {
        firstName: 'Nora',
        lastName: 'Newer',
        emailAddress: `nora${at}@example.com`,
        password: '',
        roleId: roleIdOf('user'),
        statusId: statusIds.active,
        organisationId: app.harbour.id,
        msId,
      },
    })
    expect([msId, status]).toEqual([msId, 200])
    const read = await app.as.superadmin.call(users.update, {
      params,
      query: { orgId: app.harbour.id },
      body: { msId: null },
    })
    expect([msId, read.body.LastName, read.body.MS_Oid]).toEqual([msId, 'Newer', `oid-${at}`])
  }
})

test('[API-1 POST /helperTables] a helper table accepts the Excel product of the organisation’s reply, and ignores null', async () => {
  const [own] = (await app.as.admin.call(organisations.list)).body
  const body = { name: 'Rates', inputTableName: 'Rates', statusId: statusIds.active }
  for (const [name, budget2SqlProductId] of [
    ['Rates', own?.Budget2SqlProductId],
    ['Costs', null],
  ] as const) {
    const created = await app.as.admin.call(planningStructure.addHelperTable, {
      body: { ...body, name, inputTableName: name, budget2SqlProductId },
    })
    expect([name, created.status]).toEqual([name, 201])
    const changed = await app.as.admin.call(planningStructure.changeHelperTable, {
      params: { helperTableId: created.body.Id },
      body: { name, inputTableName: name, budget2SqlProductId, statusId: null, comOrganisationId: null },
    })
    expect([name, changed.status]).toEqual([name, 200])
  }
})

test('[API-1 POST /subareas/link-to-area] allCurrentAndFuture needs a subareaId of null', async () => {
  const body = { areaId: ours.areaId, subareaId: null, allCurrentAndFuture: true }
  const linked = async () =>
    (await app.as.admin.call(planningStructure.areas)).body.find(({ Id }) => Id === ours.areaId)?.AllCurrentAndFuture
  expect((await app.as.admin.call(assignments.linkArea, { body })).status).toBe(200)
  expect(await linked()).toBe(true)
  expect((await app.as.admin.call(assignments.unlinkArea, { body })).status).toBe(200)
  expect(await linked()).toBe(false)
  const { status, body: refused } = await app.as.admin.send<FaultReply>('POST', '/api/subareas/link-to-area', {
    body: { areaId: ours.areaId, subareaId: null },
  })
  expect([status, refused.message]).toEqual([400, expect.stringContaining('not right: subareaId is missing; send one')])
})

test('[API-1 POST /milestones] an archived version refuses new milestones until it is active again', async () => {
  const { body: version } = await app.as.admin.call(planningStructure.addVersion, { body: { name: 'Budget 2031' } })
  const set = (statusId: string) =>
    app.as.admin.call(planningStructure.changeVersion, { params: { versionId: version.Id }, body: { statusId } })
  const add = (name: string) =>
    app.as.admin.send<FaultReply>('POST', '/api/milestones', { body: { name, versionId: version.Id, listOrder: 1 } })
  await set(statusIds.archived)
  const { status, body } = await add('June')
  expect([status, body.code, body.message]).toEqual([
    409,
    'versionArchived',
    'The version Budget 2031 is archived. Make it active before you add a milestone to it.',
  ])
  expect((await app.as.admin.call(planningStructure.milestones, { params: { versionId: version.Id } })).body).toEqual(
    [],
  )
  await set(statusIds.locked)
  expect((await add('June')).status).toBe(201)
})

test('[API-1 GET /users] a guest sees id and name of each member, and cannot search by email address', async () => {
  const { body } = await app.as.guest.call(organisations.users)
  expect(body.length).toBeGreaterThan(3)
  expect(new Set(body.map((user) => Object.keys(user).join(' ')))).toEqual(new Set(['Id FirstName LastName']))
  const find = async (search: string) =>
    (await app.as.guest.call(organisations.users, { query: { search } })).body.length
  expect([await find('demo.example'), await find('Ulla Berg')]).toEqual([0, 1])
  expect((await app.as.user.call(organisations.users, { query: { search: 'user@demo.example' } })).body).toHaveLength(1)
})

test('[ENG-2] Excel is in the catalogue, and in an organisation’s types for those who may see it, but has no connectors', async () => {
  const { body: all } = await app.as.guest.call(connectors.allTypes)
  const excel = all.find(({ Type }) => Type === 'excel')
  expect(excel).toMatchObject({ Kind: 'spreadsheet', IsEarlyStages: false, RequiresAuthorisation: false })
  const params = { clientId: app.harbour.id }
  const typesOf = async (role: 'user' | 'guest') =>
    (await app.as[role].call(connectors.types, { params })).body.map(({ Id }) => Id)
  expect([
    (await typesOf('user')).includes(excel?.Id ?? ''),
    (await typesOf('guest')).includes(excel?.Id ?? ''),
  ]).toEqual([true, false])
  const path = `/api/tributary/clients/${app.harbour.id}/connectors`
  const { status, body } = await app.as.admin.send<FaultReply>('POST', path, {
    body: { type: 'excel', name: 'Sheet', properties: [] },
  })
  expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([400, 'badInput', ['type']])
})

test('[API-1 GET /registration/verify] an email address has at most 64 characters before the @, as RFC 5321 requires', async () => {
  const verify = (local: string) =>
    app.as.visitor.send('GET', `/api/registration/verify?emailAddress=${local}%40example.com`)
  expect([(await verify('q'.repeat(64))).status, (await verify('q'.repeat(65))).status]).toEqual([200, 400])
})

test('[API-3] the messages for all field errors have one format', async () => {
  const message = async (path: string, body: object) =>
    (await app.as.admin.send<FaultReply>('POST', `/api${path}`, { body })).body.message
  const at = 'Some of what was sent is not right:'
  expect(await message('/users', { ...person, emailAddress: 'one@example.com', password: undefined })).toBe(
    `${at} password is missing.`,
  )
  expect(await message('/users', { ...person, emailAddress: 'one@example.com', password: 'abcdef' })).toBe(
    `${at} password must contain a number or a special character.`,
  )
  expect(await message('/users', { ...person, emailAddress: 'one@example.com', roleId: ours.areaId })).toBe(
    `${at} roleId is not the id of a role.`,
  )
})
