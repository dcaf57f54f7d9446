import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.as.admin.session()
})
afterAll(() => app[Symbol.asyncDispose]())

function change(userId: string, body: object) {
  return app.as.admin.call(users.update, { params: { userId }, body })
}

test('[UX-USERS-1] the server filters the list by role, status, second factor and whether a person ever signed in', async () => {
  const names = async (query: Readonly<Record<string, string | boolean>>) =>
    (await app.as.admin.call(organisations.users, { query })).body.map(({ FirstName }) => FirstName)
  const locked = await addPerson(app, { [app.harbour.id]: 'user' })
  await change(locked.id, { statusId: statusIds.locked })
  await change(app.idOf('guest'), { requireMultiFactorAuthentication: true })
  expect(await names({ role: 'guest' })).toEqual(['Gareth'])
  expect(await names({ role: 'provideradmin' })).toEqual(['Peter'])
  expect(await names({ status: 'locked' })).toEqual(['Added'])
  expect(await names({ status: 'archived' })).toEqual([])
  expect(await names({ secondFactor: true })).toEqual(['Gareth'])
  expect(await names({ secondFactor: false, role: 'guest' })).toEqual([])
  expect(await names({ neverSignedIn: true })).not.toContain('Amara')
  expect(await names({ neverSignedIn: false, search: 'amara' })).toEqual(['Amara'])
  const { headers } = await app.as.admin.call(organisations.users, {
    query: { status: 'active', page: 1, pageSize: 2 },
  })
  expect(headers['x-total-count']).toBe('5')
  expect(await app.as.admin.call(organisations.users, { query: { role: 'boss' } })).toMatchObject({ status: 400 })
  await change(app.idOf('guest'), { requireMultiFactorAuthentication: false })
  await app.as.admin.call(users.remove, { params: { userId: locked.id } })
})

test('[UX-USERS-1] an organisation’s rule for second factors counts as well', async () => {
  const query = { orgId: app.summit.id, secondFactor: true }
  const factors = async () =>
    (await app.as.provideradmin.call(organisations.users, { query })).body.map(({ SecondFactor }) => SecondFactor)
  expect(await factors()).toEqual([])
  await app.store.across((db) =>
    db.updateTable('organisation').set({ requiresMfa: true }).where('id', '=', app.summit.id).execute(),
  )
  try {
    expect(await factors()).toEqual([true])
  } finally {
    await app.store.across((db) =>
      db.updateTable('organisation').set({ requiresMfa: false }).where('id', '=', app.summit.id).execute(),
    )
  }
})

test.each([{ role: 'admin' }, { status: 'active' }, { secondFactor: true }, { neverSignedIn: true }] as const)(
  '[UX-USERS-1] a guest, who sees names only, cannot filter by %j',
  async (query) => {
    expect((await app.as.guest.call(organisations.users, { query })).status).toBe(403)
    expect((await app.as.user.call(organisations.users, { query })).status).toBe(200)
  },
)

test('[UX-USERS-1] in a paginated list the provider’s people without a membership come last and are counted', async () => {
  const query = { orgId: app.summit.id, withProvider: true, pageSize: 1 } as const
  const pages = await Promise.all(
    [1, 2].map((page) => app.as.superadmin.call(organisations.users, { query: { ...query, page } })),
  )
  const all = (
    await app.as.superadmin.call(organisations.users, { query: { orgId: app.summit.id, withProvider: true } })
  ).body
  expect(pages.map(({ headers }) => headers['x-total-count'])).toEqual([String(all.length), String(all.length)])
  expect(pages.flatMap(({ body }) => body.map(({ Id }) => Id))).toEqual(all.slice(0, 2).map(({ Id }) => Id))
})
