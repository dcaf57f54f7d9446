import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import type { RoleName } from '@tributary/contract/capabilities'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

/** Adds a provider's person without a membership, like the first superadmin. */
async function addUnattached(role: RoleName): Promise<string> {
  const { id } = await addPerson(app, {})
  await app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ providerRoleId: roleIdOf(role) })
      .where('id', '=', id)
      .execute(),
  )
  return id
}

const list = (caller: 'superadmin' | 'provideradmin' | 'admin' | 'user') => async (withProvider: boolean) =>
  (await app.as[caller].call(organisations.users, { query: withProvider ? { withProvider } : {} })).body.map(
    ({ Id }) => Id,
  )

test('a superadmin without a membership is listed only to the provider, and only on request', async () => {
  const id = await addUnattached('superadmin')
  for (const caller of ['superadmin', 'provideradmin'] as const) {
    expect(await list(caller)(true)).toContain(id)
    expect(await list(caller)(false)).not.toContain(id)
  }
  for (const caller of ['admin', 'user'] as const) expect(await list(caller)(true)).not.toContain(id)
})

test('a superadmin without a membership is changed by superadmins only', async () => {
  const id = await addUnattached('superadmin')
  const to = { params: { userId: id }, body: { firstName: 'Renamed' } }
  expect((await app.as.admin.call(users.update, to)).status).toBe(404)
  expect((await app.as.provideradmin.call(users.update, to)).status).toBe(403)
  const { status, body } = await app.as.superadmin.call(users.update, to)
  expect([status, body.FirstName, body.Role.Name]).toEqual([200, 'Renamed', 'superadmin'])
  // Without the provider role, the person becomes a member of the caller's organisation.
  expect(
    (await app.as.superadmin.call(users.update, { ...to, body: { roleId: roleIdOf('user') } })).body.Role.Name,
  ).toBe('user')
  expect(await list('admin')(false)).toContain(id)
})

test('deleting a superadmin without a membership erases them', async () => {
  const id = await addUnattached('superadmin')
  const { client } = await addPerson(app, { [app.harbour.id]: 'superadmin' })
  await client.session()
  expect((await app.as.provideradmin.call(users.remove, { params: { userId: id } })).status).toBe(403)
  expect((await client.call(users.remove, { params: { userId: id } })).status).toBe(204)
  expect(await list('superadmin')(true)).not.toContain(id)
  const erased = await app.store.across((db) =>
    db.selectFrom('portalUser').select(['firstName', 'providerRoleId']).where('id', '=', id).executeTakeFirstOrThrow(),
  )
  expect(erased).toEqual({ firstName: 'Deleted', providerRoleId: null })
})

test('when superadmins without a membership remove each other at the same moment, at least one stays', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => addPerson(app, {})))
  await app.store.across(async (db) => {
    await db.updateTable('portalUser').set({ providerRoleId: null }).where('id', '=', app.idOf('superadmin')).execute()
    const ids = people.map(({ id }) => id)
    await db
      .updateTable('portalUser')
      .set({ providerRoleId: roleIdOf('superadmin') })
      .where('id', 'in', ids)
      .execute()
  })
  for (const { client } of people) await client.signIn()
  const replies = people.map(({ client }, at) => {
    const to = { params: { userId: people[(at + 1) % people.length]?.id ?? '' }, query: { orgId: app.harbour.id } }
    return at % 2 === 0
      ? client.call(users.remove, to)
      : client.call(users.update, { ...to, body: { statusId: statusIds.locked } })
  })
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 204, 401, 403, 404, 409].includes(status))).toEqual([])
  const left = await app.store.across((db) =>
    db
      .selectFrom('portalUser')
      .select('id')
      .where('providerRoleId', '=', roleIdOf('superadmin'))
      .where('statusId', '=', statusIds.active)
      .execute(),
  )
  expect(left.length).toBeGreaterThan(0)
})

test('an administrator learns at most twenty times an hour that an address is in use; free addresses do not count', async () => {
  await using strict = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
  const person = { firstName: 'Nina', lastName: 'Newby', password: 'a-good-one-77', roleId: roleIdOf('user') }
  const add = async (emailAddress: string) =>
    (await strict.as.admin.call(users.create, { body: { ...person, emailAddress } })).status
  for (let count = 0; count < 3; count += 1) expect(await add(`free-${count}@harbour.example`)).toBe(201)
  // A user of another organisation.
  const statuses = await Promise.all(Array.from({ length: 24 }, () => add('admin@other.example')))
  expect(statuses.filter((status) => status === 409)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  const { body } = await strict.as.admin.call(organisations.users)
  const userId = body.find(({ EmailAddress }) => EmailAddress === 'free-0@harbour.example')?.Id ?? ''
  const moved = await strict.as.admin.call(users.update, {
    params: { userId },
    body: { emailAddress: 'admin@other.example' },
  })
  expect([moved.status, Number(moved.headers['retry-after']) > 0]).toEqual([429, true])
  strict.clock.advance(3_600_001)
  await strict.as.admin.signIn()
  expect(await add('later@harbour.example')).toBe(201)
})
