import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

type RightsTestCaller = 'superadmin' | 'provideradmin' | 'admin' | 'otherAdmin'

async function change(
  caller: RightsTestCaller | TestClient,
  userId: string,
  body: object,
  orgId: string = app.harbour.id,
) {
  const client = caller instanceof TestClient ? caller : app.as[caller]
  const reply = await client.call(users.update, { params: { userId }, query: { orgId }, body })
  const fault = reply.body as { readonly code?: string; readonly message?: string } | null
  return { status: reply.status, user: reply.body, code: fault?.code, message: fault?.message }
}

async function listed(userId: string) {
  const { body } = await app.as.superadmin.call(organisations.users, { query: { orgId: app.harbour.id } })
  return body.find(({ Id }) => Id === userId)
}

test('[ROLE-1] callers cannot grant more rights than they have, nor change, sign out or remove people with more rights', async () => {
  const { id } = await addPerson(app, { [app.harbour.id]: 'user' })
  expect((await change('admin', id, { roleId: roleIdOf('provideradmin') })).code).toBe('roleTooHigh')
  expect((await change('admin', id, { roleId: roleIdOf('superadmin') })).code).toBe('roleTooHigh')
  expect((await change('provideradmin', id, { roleId: roleIdOf('superadmin') })).code).toBe('roleTooHigh')
  const query = { orgId: app.harbour.id }
  for (const [caller, above] of [
    ['admin', 'provideradmin'],
    ['admin', 'superadmin'],
    ['provideradmin', 'superadmin'],
  ] as const) {
    const params = { userId: app.idOf(above) }
    expect((await change(caller, app.idOf(above), { firstName: 'Mine' })).code).toBe('roleTooHigh')
    expect((await app.as[caller].call(users.remove, { params, query })).body).toMatchObject({ code: 'roleTooHigh' })
    expect((await app.as[caller].call(users.signOutEverywhere, { params, query })).body).toMatchObject({
      code: 'roleTooHigh',
    })
  }
  const person = { firstName: 'N', lastName: 'N', emailAddress: 'n@harbour.example', password: 'a-good-one-77' }
  const { body } = await app.as.admin.send('POST', '/api/users', {
    body: { ...person, roleId: roleIdOf('provideradmin') },
  })
  expect(body).toMatchObject({ code: 'roleTooHigh' })
})

test('[ROLE-1] a provider role applies in every organisation, and assigning a lower role removes it', async () => {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  expect((await change('superadmin', id, { roleId: roleIdOf('provideradmin') })).user).toMatchObject({
    Role: { Name: 'provideradmin' },
  })
  await client.signIn()
  expect((await client.call(organisations.users, { query: { orgId: app.summit.id } })).status).toBe(200)
  expect((await change('provideradmin', id, { roleId: roleIdOf('guest') })).user).toMatchObject({
    Role: { Name: 'guest' },
  })
  await client.signIn()
  expect((await client.call(organisations.users, { query: { orgId: app.summit.id } })).status).toBe(404)
})

test('[ROLE-1] users cannot delete themselves or change their own role, status, address, password and second factor here', async () => {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  expect((await change(client, id, { roleId: roleIdOf('user') })).code).toBe('ownRole')
  expect((await change(client, id, { statusId: statusIds.locked })).code).toBe('ownRole')
  expect((await client.call(users.remove, { params: { userId: id } })).body).toMatchObject({ code: 'ownRole' })
  expect((await change(client, id, { emailAddress: 'mine@elsewhere.example' })).message).toContain(
    'another administrator',
  )
  expect((await change(client, id, { password: 'a-good-one-77' })).message).toContain('profile')
  expect((await change(client, id, { requireMultiFactorAuthentication: true })).message).toContain('profile')
  expect((await change(client, id, { firstName: 'Myself', roleId: roleIdOf('admin') })).user).toMatchObject({
    FirstName: 'Myself',
  })
})

test('[ROLE-1] an administrator changes only the role of a member who also belongs to an organisation they do not administer', async () => {
  const both = { [app.harbour.id]: 'user', [app.summit.id]: 'guest' } as const
  const { id, emailAddress } = await addPerson(app, both)
  for (const body of [
    { firstName: 'Mine' },
    { emailAddress: 'mine@harbour.example' },
    { password: 'a-good-one-77' },
    { statusId: statusIds.locked },
    { requireMultiFactorAuthentication: true },
  ]) {
    expect(await change('admin', id, body)).toMatchObject({ status: 403, code: 'memberElsewhere' })
  }
  const { body } = await app.as.admin.call(users.signOutEverywhere, { params: { userId: id } })
  expect(body).toMatchObject({ code: 'memberElsewhere' })
  expect((await change('admin', id, { roleId: roleIdOf('guest') })).user).toMatchObject({ Role: { Name: 'guest' } })
  // An administrator of both organisations may, and so may the provider.
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin', [app.summit.id]: 'admin' })
  expect((await change(client, id, { firstName: 'Both' })).user).toMatchObject({
    FirstName: 'Both',
    EmailAddress: emailAddress,
  })
  expect((await change('provideradmin', id, { firstName: 'All' })).user).toMatchObject({ FirstName: 'All' })
})

test('[API-1 POST /users/:userId] [API-1 DELETE /users/:userId] a user of another organisation is not found', async () => {
  const params = { userId: app.idOf('user') }
  const query = { orgId: app.summit.id }
  expect(await change('otherAdmin', app.idOf('user'), { firstName: 'Mine' }, app.summit.id)).toMatchObject({
    status: 404,
    code: 'notFound',
  })
  for (const route of [users.remove, users.signOutEverywhere])
    expect((await app.as.otherAdmin.call(route, { params, query })).body).toMatchObject({ code: 'notFound' })
})

test('[ADMIN-5] only superadmins see and set the Microsoft id, which is unique; an empty one removes it', async () => {
  const [one, other] = [
    await addPerson(app, { [app.harbour.id]: 'user' }),
    await addPerson(app, { [app.harbour.id]: 'user' }),
  ]
  expect((await change('superadmin', one.id, { msId: 'oid-1' })).user).toMatchObject({ MS_Oid: 'oid-1' })
  expect(await listed(one.id)).toMatchObject({ MS_Oid: 'oid-1' })
  for (const caller of ['provideradmin', 'admin'] as const) {
    expect((await change(caller, one.id, { msId: 'oid-2' })).code).toBe('notAllowed')
    expect((await change(caller, one.id, { lastName: 'Seen' })).user).toMatchObject({ MS_Oid: null })
    const { body } = await app.as[caller].call(organisations.users, { query: { orgId: app.harbour.id } })
    expect(body.every(({ MS_Oid }) => MS_Oid === null)).toBe(true)
  }
  expect(await change('superadmin', other.id, { msId: 'oid-1' })).toMatchObject({
    status: 400,
    message: expect.stringContaining('msId'),
  })
  expect((await change('superadmin', one.id, { msId: '' })).user).toMatchObject({ MS_Oid: null })
})

test('[ADMIN-4] the last administrator cannot be demoted, locked, archived or removed; people with a provider role do not count', async () => {
  const { body: created } = await app.as.superadmin.call(users.createOrganisation, {
    body: { companyName: 'Lonely Ltd' },
  })
  const { id: only } = await addPerson(app, { [created.Id]: 'admin' })
  await addPerson(app, { [created.Id]: 'superadmin' })
  const lastAdmin = { status: 409, code: 'lastAdmin' }
  expect(await change('superadmin', only, { roleId: roleIdOf('user') }, created.Id)).toMatchObject(lastAdmin)
  expect(await change('superadmin', only, { statusId: statusIds.locked }, created.Id)).toMatchObject(lastAdmin)
  expect(await change('superadmin', only, { statusId: statusIds.archived }, created.Id)).toMatchObject(lastAdmin)
  const removal = { params: { userId: only }, query: { orgId: created.Id } }
  expect((await app.as.superadmin.call(users.remove, removal)).body).toMatchObject({ code: 'lastAdmin' })
  // A person with a provider role no longer counts as an administrator of the organisation.
  expect(await change('superadmin', only, { roleId: roleIdOf('provideradmin') }, created.Id)).toMatchObject(lastAdmin)
  // A locked administrator does not count.
  const { id } = await addPerson(app, { [created.Id]: 'admin' })
  expect((await change('superadmin', id, { statusId: statusIds.locked }, created.Id)).status).toBe(200)
  expect(await change('superadmin', only, { roleId: roleIdOf('user') }, created.Id)).toMatchObject(lastAdmin)
})
