import { organisations } from '@tributary/contract/organisations'
import type { ListQuery } from '@tributary/contract/paging'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function change(userId: string, body: object) {
  const reply = await app.as.admin.call(users.update, { params: { userId }, body })
  const fault = reply.body as { readonly code?: string; readonly message?: string } | null
  return { status: reply.status, user: reply.body, code: fault?.code, message: fault?.message }
}

async function listed(userId: string) {
  const { body } = await app.as.superadmin.call(organisations.users, { query: { orgId: app.harbour.id } })
  return body.find(({ Id }) => Id === userId)
}

async function actions(objectId: string): Promise<readonly string[]> {
  const rows = await app.store.across((db) =>
    db.selectFrom('auditEvent').select('action').where('objectId', '=', objectId).orderBy('id').execute(),
  )
  return rows.map(({ action }) => action)
}

test('[API-1 GET /users] lists the members by first name, with role and status but without password hashes', async () => {
  const { body, headers } = await app.as.admin.call(organisations.users)
  expect(body.map((user) => [user.FirstName, user.Role?.Name, user.Status?.Name])).toEqual([
    ['Amara', 'admin', 'active'],
    ['Gareth', 'guest', 'active'],
    ['Peter', 'provideradmin', 'active'],
    ['Sofia', 'superadmin', 'active'],
    ['Ulla', 'user', 'active'],
  ])
  expect(headers).not.toHaveProperty('x-total-count')
  expect(Object.keys(body[0] ?? {}).toSorted()).toEqual([
    'B2SEntities',
    'EmailAddress',
    'FirstName',
    'Groups',
    'HelperTables',
    'Id',
    'LastName',
    'LastSignInAtUtc',
    'MS_Oid',
    'RequireMultiFactorAuthentication',
    'Role',
    'SecondFactor',
    'Status',
    'StatusId',
    'Xero2SqlProducts',
  ])
})

test('[API-2] ?orgId= selects the organisation, for callers who may work there', async () => {
  const { body } = await app.as.provideradmin.call(organisations.users, { query: { orgId: app.summit.id } })
  expect(body.map((user) => user.EmailAddress)).toEqual(['admin@other.example'])
  expect((await app.as.admin.call(organisations.users, { query: { orgId: app.summit.id } })).status).toBe(404)
})

test('[ADMIN-4] [FORM-3] the list can be searched, sorted and paginated; a page reports the total', async () => {
  const firstNames = async (query: Readonly<Record<string, string | number>> & ListQuery) => {
    const { body, headers } = await app.as.admin.call(organisations.users, { query })
    return [body.map((user) => user.FirstName), headers['x-total-count']]
  }
  expect(await firstNames({ page: 1, pageSize: 2 })).toEqual([['Amara', 'Gareth'], '5'])
  expect(await firstNames({ page: 3, pageSize: 2 })).toEqual([['Ulla'], '5'])
  expect(await firstNames({ page: 4, pageSize: 2 })).toEqual([[], '5'])
  expect(await firstNames({ sort: 'desc', pageSize: 1 })).toEqual([['Ulla'], '5'])
  expect(await firstNames({ search: ' PIKE ' })).toEqual([['Gareth'], undefined])
  expect(await firstNames({ search: 'admin@demo', page: 1 })).toEqual([['Amara', 'Peter', 'Sofia'], '3'])
  for (const search of ['%', '_', '\\']) expect(await firstNames({ search })).toEqual([[], undefined])
})

test('[API-1 POST /users] [ADMIN-5] a new user signs in with the initial password, is notified by mail, and is in the audit log', async () => {
  const person = {
    firstName: 'Nils',
    lastName: 'Ny',
    emailAddress: 'nils@harbour.example',
    password: 'a-good-one-77',
    roleId: roleIdOf('user'),
  }
  const { status: code, body } = await app.as.admin.call(users.create, {
    body: { ...person, organisationId: app.harbour.id },
  })
  expect([code, body]).toEqual([
    201,
    expect.objectContaining({
      FirstName: 'Nils',
      Role: { Id: roleIdOf('user'), Name: 'user' },
      Status: { Name: 'active' },
      MS_Oid: null,
    }),
  ])
  expect(JSON.stringify(body)).not.toContain('argon2')
  const { emailAddress, password } = person
  expect((await new TestClient(app.http, { emailAddress, password }).signIn()).role).toBe('user')
  const [email] = await app.emailsTo(emailAddress)
  expect(email).toMatchObject({ template: 'account-made', action: { url: 'http://localhost:3000/signin' } })
  expect(JSON.stringify(email)).not.toContain(password)
  expect(await actions(body.Id)).toEqual(['user.created', 'authz.membership_added'])
})

test('[ADMIN-5] [FORM-2] an address in use in any organisation is refused with the text of the form, in upper or lower case', async () => {
  const person = { firstName: 'Nils', lastName: 'Ny', password: 'a-good-one-77', roleId: roleIdOf('user') }
  for (const emailAddress of ['User@Demo.example', 'ADMIN@other.example']) {
    const { status: code, body } = await app.as.admin.send('POST', '/api/users', { body: { ...person, emailAddress } })
    expect([code, body]).toEqual([
      409,
      expect.objectContaining({ statusCode: 409, message: 'This email address is already in use' }),
    ])
    const changed = await change(app.idOf('guest'), { emailAddress })
    expect([changed.code, changed.message]).toEqual(['addressTaken', 'This email address is already in use'])
  }
})

test('[ADMIN-5] a password that is too common or too short is refused, on creation and on change', async () => {
  const person = { firstName: 'Nils', lastName: 'Ny', emailAddress: 'easy@harbour.example', roleId: roleIdOf('user') }
  const { status: code, body } = await app.as.admin.send('POST', '/api/users', {
    body: { ...person, password: 'password1' },
  })
  expect([code, body]).toEqual([
    400,
    expect.objectContaining({ fields: { password: expect.stringContaining('most common') } }),
  ])
  expect(await change(app.idOf('guest'), { password: 'abc1' })).toMatchObject({ status: 400, code: 'badInput' })
})

test('[ADMIN-5] fields that the form sends back unchanged change nothing, nor does an empty password', async () => {
  const guest = await listed(app.idOf('guest'))
  const same = {
    firstName: guest?.FirstName,
    lastName: guest?.LastName,
    emailAddress: guest?.EmailAddress,
    password: '',
    roleId: guest?.Role?.Id,
    statusId: guest?.StatusId,
    requireMultiFactorAuthentication: false,
  }
  await app.as.guest.session()
  expect(await change(app.idOf('guest'), same)).toMatchObject({ status: 200, user: { Role: { Name: 'guest' } } })
  expect(await actions(app.idOf('guest'))).toEqual([])
  expect((await app.as.guest.call(organisations.list)).status).toBe(200)
})

test('[API-1 POST /users/:userId] a change of address notifies the former and the new address', async () => {
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const reply = await change(person.id, { firstName: 'Renamed', emailAddress: 'renamed@harbour.example' })
  expect(reply.user).toMatchObject({ FirstName: 'Renamed', EmailAddress: 'renamed@harbour.example' })
  for (const address of [person.emailAddress, 'renamed@harbour.example'])
    expect(await app.emailsTo(address)).toMatchObject([{ template: 'account-changed' }])
  expect(await actions(person.id)).toEqual(['user.updated'])
})

test('[ADMIN-5] a password set by an administrator ends every session, forgets every browser and notifies the user by mail', async () => {
  const { id, emailAddress, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  await client.signIn()
  await app.store.across((db) =>
    db
      .insertInto('device')
      .values({
        userId: id,
        tokenHash: Buffer.from(id),
        description: 'Firefox',
        trustedUntil: new Date(Date.now() + 86_400_000),
      })
      .execute(),
  )
  expect((await change(id, { password: 'another-good-1' })).status).toBe(200)
  expect((await client.call(organisations.list)).status).toBe(401)
  await expect(client.signIn()).rejects.toThrow('401')
  expect((await new TestClient(app.http, { emailAddress, password: 'another-good-1' }).signIn()).email).toBe(
    emailAddress,
  )
  const known = await app.store.across((db) =>
    db.selectFrom('device').select('tokenHash').where('userId', '=', id).execute(),
  )
  expect(known.some(({ tokenHash }) => tokenHash.equals(Buffer.from(id)))).toBe(false)
  expect((await app.emailsTo(emailAddress)).map(({ template }) => template)).toContain('account-changed')
  expect(await actions(id)).toEqual(['user.updated', 'authn.password_changed'])
})

test.each([
  ['locked', 'user.locked'],
  ['archived', 'user.archived'],
] as const)(
  '[ADMIN-7] a %s user loses their sessions at once and cannot sign in until they are active again',
  async (name, action) => {
    const { id, client } = await addPerson(app, { [app.harbour.id]: 'user' })
    await client.signIn()
    expect((await change(id, { statusId: statusIds[name] })).user).toMatchObject({ Status: { Name: name } })
    expect((await client.call(organisations.list)).body).toMatchObject({ statusCode: 401, message: 'Unauthorized' })
    await expect(client.signIn()).rejects.toThrow('401')
    expect((await change(id, { statusId: statusIds.active })).status).toBe(200)
    expect((await client.signIn()).role).toBe('user')
    expect(await actions(id)).toEqual([action, 'user.activated'])
  },
)

test('[ADMIN-4] a new role ends the sessions that had the former one', async () => {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  await client.signIn()
  expect((await change(id, { roleId: roleIdOf('guest') })).user).toMatchObject({ Role: { Name: 'guest' } })
  expect((await client.call(organisations.list)).status).toBe(401)
  expect((await client.signIn()).roleLevel).toBe(4)
  expect(await actions(id)).toEqual(['authz.role_changed'])
})

test('[API-1 DELETE /users/:userId/sessions] every session of a member is ended at once', async () => {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  await client.signIn()
  expect((await app.as.admin.call(users.signOutEverywhere, { params: { userId: id } })).status).toBe(204)
  expect((await client.call(organisations.list)).status).toBe(401)
  await expect(client.refresh()).rejects.toThrow('401')
  expect(await actions(id)).toEqual(['session.revoked_by_admin'])
})

test('[API-1 DELETE /users/:userId] a user removed from one of two organisations keeps the other, and is signed out', async () => {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'user', [app.summit.id]: 'user' })
  await client.signIn()
  expect((await app.as.admin.call(users.remove, { params: { userId: id } })).status).toBe(204)
  expect(await listed(id)).toBeUndefined()
  expect((await client.call(organisations.list)).status).toBe(401)
  await client.signIn()
  expect((await client.call(organisations.list)).body.map(({ CompanyName }) => CompanyName)).toEqual(['Summit Foods'])
  expect(await actions(id)).toEqual(['authz.membership_removed'])
})

test('[API-1 DELETE /users/:userId] a user without another organisation is erased: no name, no address, no sign-in method, only an id in the log', async () => {
  const { id, emailAddress, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  await client.signIn()
  await app.store.across(async (db) => {
    await db
      .insertInto('device')
      .values({ userId: id, tokenHash: Buffer.from(id), description: 'Firefox' })
      .execute()
    await db
      .insertInto('externalIdentity')
      .values({ issuer: 'https://issuer.example', subject: id, provider: 'microsoft', userId: id })
      .execute()
  })
  expect((await app.as.admin.call(users.remove, { params: { userId: id } })).status).toBe(204)
  await expect(client.signIn()).rejects.toThrow('401')
  const kept = await app.store.across(async (db) => [
    await db.selectFrom('portalUser').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    await db.selectFrom('device').selectAll().where('userId', '=', id).execute(),
    await db.selectFrom('externalIdentity').selectAll().where('userId', '=', id).execute(),
  ])
  expect(kept).toMatchObject([
    {
      firstName: 'Deleted',
      lastName: 'user #1',
      erasedNumber: 1,
      emailAddress: `deleted-${id}@deleted.invalid`,
      passwordHash: null,
    },
    [],
    [],
  ])
  expect(await actions(id)).toEqual(['authz.membership_removed', 'user.deleted'])
  // The address is free again.
  const again = {
    firstName: 'New',
    lastName: 'Start',
    emailAddress,
    password: trialPassword,
    roleId: roleIdOf('guest'),
  }
  expect((await app.as.admin.call(users.create, { body: again })).status).toBe(201)
})
