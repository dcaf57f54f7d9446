import { organisations, type ListQuery } from '@tributary/contract/organisations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../platform/testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('[API-1 GET /organisations] everybody sees their own organisations, the provider roles all of them, by company name', async () => {
  const names = async (role: 'superadmin' | 'provideradmin' | 'admin' | 'guest' | 'otherAdmin') =>
    (await app.as[role].call(organisations.list)).body.map((one) => one.CompanyName)
  expect(await names('superadmin')).toEqual(['Harbour Trading', 'Summit Foods'])
  expect(await names('provideradmin')).toEqual(['Harbour Trading', 'Summit Foods'])
  expect(await names('admin')).toEqual(['Harbour Trading'])
  expect(await names('guest')).toEqual(['Harbour Trading'])
  expect(await names('otherAdmin')).toEqual(['Summit Foods'])
  expect((await app.as.admin.call(organisations.list)).body[0]).toEqual({
    Id: app.harbour.id,
    CompanyName: 'Harbour Trading',
    Key: 'harbour-trading',
    TimeZone: 'Europe/London',
  })
})

test('[API-1 GET /users] the members of the organisation by first name, each with role and status, and never a hash', async () => {
  const { body, headers } = await app.as.admin.call(organisations.users)
  expect(body.map((user) => [user.FirstName, user.Role.Name, user.Status.Name])).toEqual([
    ['Amara', 'admin', 'active'],
    ['Gareth', 'guest', 'active'],
    ['Peter', 'provideradmin', 'active'],
    ['Sofia', 'superadmin', 'active'],
    ['Ulla', 'user', 'active'],
  ])
  expect(headers).not.toHaveProperty('x-total-count')
  expect(Object.keys(body[0] ?? {}).toSorted()).toEqual(['EmailAddress', 'FirstName', 'Id', 'LastName', 'Role', 'Status', 'StatusId'])
})

test('[API-2] ?orgId= scopes the list for those who may work there', async () => {
  const { body } = await app.as.provideradmin.call(organisations.users, { query: { orgId: app.summit.id } })
  expect(body.map((user) => user.EmailAddress)).toEqual(['admin@other.example'])
  expect((await app.as.admin.call(organisations.users, { query: { orgId: app.summit.id } })).status).toBe(404)
})

test('[FORM-3] a list is searched, sorted and cut into pages, and then tells how many there are in all', async () => {
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

test('[API-1 GET /roles] [API-1 GET /statuses] the roles, most rights first, and the statuses', async () => {
  const roles = (await app.as.guest.call(organisations.roles)).body
  expect(roles.map((role) => [role.RoleLevel, role.Name, role.DisplayName])).toEqual([
    [0, 'superadmin', 'Superadmin'],
    [1, 'provideradmin', 'Provider admin'],
    [2, 'admin', 'Admin'],
    [3, 'user', 'User'],
    [4, 'guest', 'Guest'],
  ])
  expect((await app.as.guest.call(organisations.statuses)).body.map((status) => status.Name)).toEqual(['active', 'locked', 'archived'])
})

test('[API-3] a call carries a bearer token; the session cookie alone opens nothing', async () => {
  const cookie = [...app.as.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await app.as.visitor.send('GET', '/api/users', { headers: { cookie } })).status).toBe(401)
})
