import { connectors } from '@tributary/contract/connectors'
import { organisations } from '@tributary/contract/organisations'
import { profile } from '@tributary/contract/profile'
import { runs } from '@tributary/contract/runs'
import { signInRoutes } from '@tributary/contract/sign-in'
import { tokens } from '@tributary/contract/tokens'
import { users } from '@tributary/contract/users'
import { globalConfiguration } from '@tributary/contract/global-configuration'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { type MadeToken, makeToken } from '@tributary/testing/server/identity/make-token.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { authenticateToken, requireTokenScope } from '../../identity/tokens/authenticate-token.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'

let app: TestApp
let person: AddedPerson
let made: MadeToken
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await addPerson(app, { [app.harbour.id]: 'user' })
  made = await makeToken(app, person)
  await app.as.admin.signIn()
})

const statusOf = async (token: MadeToken = made) => (await token.call(organisations.list)).status
const ofPerson = () => ({ params: { userId: person.id }, query: { orgId: app.harbour.id } })
const change = (body: object) => app.as.admin.call(users.update, { ...ofPerson(), body })

test('[SEE-12] a token works after its owner has signed out everywhere', async () => {
  expect((await person.client.call(signInRoutes.signOut)).status).toBe(204)
  await person.client.signIn()
  expect((await person.client.call(profile.endAllSessions)).status).toBe(204)
  app.clock.advance(60_000)
  expect(await statusOf()).toBe(200)
})

test.each(['locked', 'archived'] as const)(
  '[SEE-12] a token ends at once when its owner is %s, and works again after',
  async (status) => {
    expect(await statusOf()).toBe(200)
    expect((await change({ statusId: statusIds[status] })).status).toBe(200)
    expect(await statusOf()).toBe(401)
    await change({ statusId: statusIds.active })
    expect(await statusOf()).toBe(200)
  },
)

test('[SEE-12] a token ends when its owner leaves the organisation, and does not return with them', async () => {
  const both = await addPerson(app, { [app.harbour.id]: 'user', [app.summit.id]: 'user' })
  const [here, there] = [await makeToken(app, both), await makeToken(app, both, { organisationId: app.summit.id })]
  expect(
    (await app.as.admin.call(users.remove, { params: { userId: both.id }, query: { orgId: app.harbour.id } })).status,
  ).toBe(204)
  expect([await statusOf(here), await statusOf(there)]).toEqual([401, 200])
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('membership')
      .values({ organisationId: app.harbour.id, userId: both.id, roleId: roleIdOf('user') })
      .execute(),
  )
  expect(await statusOf(here)).toBe(401)
})

test('[SEE-12] a token ends when its organisation is archived', async () => {
  const { body: organisation } = await app.as.superadmin.call(users.createOrganisation, {
    body: { companyName: 'Short-lived' },
  })
  const member = await addPerson(app, { [organisation.Id]: 'admin' })
  const token = await makeToken(app, member, { organisationId: organisation.Id })
  expect(await statusOf(token)).toBe(200)
  const params = { clientId: organisation.Id }
  await app.as.superadmin.call(users.archiveOrganisation, { params, body: { archived: true } })
  expect(await statusOf(token)).toBe(401)
})

test('[SEE-12] each call has the present role of the owner: an administrator who becomes a user loses what tokens could do', async () => {
  const listMembers = () => made.call(users.invitations, { query: { orgId: app.harbour.id } })
  expect(await listMembers()).toMatchObject({ status: 403, body: { code: 'notAllowed' } })
  await change({ roleId: roleIdOf('admin') })
  expect((await listMembers()).status).toBe(200)
  await change({ roleId: roleIdOf('guest') })
  expect(await listMembers()).toMatchObject({ status: 403, body: { code: 'notAllowed' } })
})

test('[SEE-12] a person who is assigned to a connector starts and reads its runs with a token of that scope', async () => {
  const { connectorId } = await insertFixtures(app, app.harbour, person.id)
  const params = { clientId: app.harbour.id, connectorId }
  const listed = await made.call(connectors.list, { params })
  expect((listed.body as unknown as readonly { readonly Id: string }[]).map(({ Id }) => Id)).toEqual([connectorId])
  expect((await made.call(runs.process, { params, body: {} })).status).toBe(202)
  expect((await made.call(runs.list, { params })).status).toBe(200)
  const reader = await makeToken(app, person, { scopes: ['status.read'] })
  expect(await reader.call(runs.process, { params, body: {} })).toMatchObject({
    status: 403,
    body: { code: 'tokenScope' },
  })
})

test('[SEE-12] a token cannot make, list or revoke tokens, nor re-authenticate or change how its owner signs in', async () => {
  for (const route of [
    tokens.create,
    tokens.list,
    tokens.revoke,
    tokens.revokeAll,
    profile.read,
    profile.changePassword,
    profile.sessions,
  ]) {
    const { status, body } = await made.call(route, { params: { accessTokenId: made.token.Id } })
    expect([route.summary, status, body.code]).toEqual([route.summary, 403, 'tokenRefused'])
  }
  expect(await statusOf()).toBe(200)
})

test('[SEE-12] a token in an address, a cookie, a body or another header is not accepted', async () => {
  const { secret } = made
  for (const parameter of ['access_token', 'token', 'accessToken', 'key'])
    expect((await app.as.visitor.send('GET', `/api/organisations?${parameter}=${secret}`)).status).toBe(401)
  for (const headers of [
    { cookie: `access_token=${secret}` },
    { 'x-api-key': secret },
    { authorization: secret },
    { authorization: `Token ${secret}` },
    // Only feeds take a token as the password of Basic.
    { authorization: `Basic ${Buffer.from(`a@b.example:${secret}`).toString('base64')}` },
  ])
    expect((await app.as.visitor.send('GET', '/api/organisations', { headers })).status).toBe(401)
})

test('[SEE-12] the log never contains a token, whether it worked, was expired or stood in an address', async () => {
  await made.call(organisations.list)
  await app.as.visitor.send('GET', `/api/organisations?access_token=${made.secret}`)
  await app.as.visitor.send('GET', `/${made.secret}`)
  const expired = await makeToken(app, person, { days: 1 })
  app.clock.advance(86_400_000)
  await expired.call(organisations.list)
  const log = app.logLines.join('')
  for (const { secret } of [made, expired]) expect(log.includes(secret.slice(9))).toBe(false)
})

test('[SEE-12] the calls of a token are limited per minute, independently of its owner’s session and other tokens', async () => {
  await using limited = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_READ: '12' } })
  limited.clock.advance(60_000 - (limited.clock.now() % 60_000))
  const owner = await addPerson(limited, { [limited.harbour.id]: 'user' })
  const [one, other] = [await makeToken(limited, owner), await makeToken(limited, owner)]
  const statuses = []
  for (let call = 0; call < 14; call += 1) statuses.push(await statusOf(one))
  expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429, 429])
  expect([await statusOf(other), (await owner.client.call(organisations.list)).status]).toEqual([200, 200])
})

test('[SEE-12] during maintenance tokens are refused, also those of the provider', async () => {
  const provider = await makeToken(app, { client: app.as.superadmin, emailAddress: 'superadmin@demo.example' })
  const set = (value: string) =>
    app.as.superadmin.call(globalConfiguration.save, { body: { key: 'MaintenanceMode', value } })
  await set('true')
  expect([await statusOf(), await statusOf(provider)]).toEqual([503, 503])
  await set('false')
})

test('[SEE-12] a feed authenticates a token by Bearer and as the password of Basic, whatever the user name, and gets role, organisation and scopes', async () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const authenticate = (authorization: string | undefined) =>
    authenticateToken(app.services, { headers: { authorization, 'user-agent': 'Excel' }, ip: '192.0.2.7' }, [
      'bearer',
      'basic',
    ])
  for (const authorization of [
    `Bearer ${made.secret}`,
    `bearer ${made.secret}`,
    basic(`${person.emailAddress}:${made.secret}`),
    basic(`:${made.secret}`),
  ]) {
    const caller = await authenticate(authorization)
    expect(caller).toMatchObject({ organisationId: app.harbour.id, scopes: made.token.Scopes })
    expect(caller.actor).toMatchObject({ userId: person.id, role: 'user', roleLevel: 3, providerRole: null })
    expect(caller.actor.memberships).toEqual({ [app.harbour.id]: 'user' })
  }
  for (const authorization of [
    undefined,
    '',
    'Basic',
    basic('a:b'),
    basic(made.secret.slice(0, -1)),
    `Digest ${made.secret}`,
  ])
    await expect(authenticate(authorization)).rejects.toMatchObject({ code: 'notSignedIn' })
  const [listed] = (await person.client.call(tokens.list)).body
  expect(listed).toMatchObject({ LastUsedAddress: '192.0.2.7', LastUsedProgram: 'Excel', RecentCalls: 4 })
  expect(() => requireTokenScope(['status.read'], ['data.read'])).toThrow(ApiFault)
})
