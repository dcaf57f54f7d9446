import type { FaultReply } from '@tributary/contract/faults'
import { proofFreshMs } from '@tributary/contract/limits'
import { reAuthentication } from '@tributary/contract/re-authentication'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { Authenticator } from '@tributary/testing/server/identity/authenticator.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { dumpDatabase } from '@tributary/testing/server/app/database-dump.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  type NamedRoute,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

const sensitiveRoutes = everyRoute.filter(({ route }) => route.needsFreshProof === true)
const password = trialPassword
const passwordProof = { body: { password } }

/** Signs in and lets the re-authentication expire, with the session still open. */
async function signInStale(client: TestClient): Promise<TestClient> {
  await client.signIn()
  app.clock.advance(proofFreshMs + 1_000)
  await client.refresh()
  return client
}
async function addStaleMember(): Promise<AddedPerson> {
  const person = await addPerson(app, { [app.harbour.id]: 'admin' })
  await signInStale(person.client)
  return person
}
async function faultCodeOf(client: TestClient, named: NamedRoute): Promise<string | undefined> {
  // Archiving the organisation would change the replies of the following calls.
  const body = named.route.path.endsWith('/archive') ? { body: { archived: false } } : bodyOf(named, ours)
  const reply = await client.send<FaultReply | null>(named.route.method, addressOf(named, ours), body)
  return reply.body?.code
}
const exportOwn = {
  name: 'GET /me/export',
  route: sensitiveRoutes.find(({ route }) => route.path === '/me/export')?.route as NamedRoute['route'],
}
async function isRecent(client: TestClient): Promise<boolean> {
  return (await faultCodeOf(client, exportOwn)) !== 'proofNeeded'
}
async function mailedCode(emailAddress: string): Promise<string> {
  return (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}

test('roles, exports, credentials, disconnecting, deleting and the provider’s settings require a recent re-authentication', () => {
  expect(sensitiveRoutes.map(({ name }) => name).toSorted()).toEqual(
    [
      'DELETE /clients/:clientKey/:connectorKey',
      'DELETE /tributary/clients/:clientId/connectors',
      'DELETE /tributary/clients/:clientId/connectors/:connectorId',
      'DELETE /tributary/clients/:clientId/connectors/:connectorId/properties/:name',
      'DELETE /tributary/clients/:clientId/oauth-apps/:appId',
      'DELETE /users/:userId',
      'GET /me/export',
      'GET /users/:userId/export',
      'PATCH /token/:tokenId',
      'PATCH /tributary/clients/:clientId/connectors/:connectorId',
      'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties',
      'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties/:name',
      'DELETE /admin/data-servers/:serverId',
      'POST /admin/data-servers',
      'PUT /admin/data-servers/:serverId',
      'POST /tributary/clients/:clientId/data-server/move',
      'POST /tributary/clients/:clientId/data-server/move/drop-old-copy',
      'POST /admin/globalconfiguration',
      'POST /approvals/hosts/:connectorId',
      'POST /invitations',
      'POST /me/access-tokens',
      'POST /oauth/authorisation',
      'PUT /tributary/clients/:clientId/access-tokens/policy',
      'PUT /tributary/clients/:clientId/assistants',
      'PUT /tributary/clients/:clientId/assistants/sources/:sourceType',
      'PUT /tributary/clients/:clientId/auditor-rooms/:roomId',
      'POST /tributary/clients/:clientId/access-tokens/:accessTokenId/renew',
      'POST /tributary/clients/:clientId/service-accounts',
      'POST /tributary/clients/:clientId/service-accounts/:serviceAccountId/access-tokens',
      'POST /organisations/:clientId',
      'POST /organisations/:clientId/archive',
      'POST /organisations/:clientId/database-credentials',
      'POST /tributary/clients/:clientId/auditor-rooms',
      'POST /tributary/clients/:clientId/connectors',
      'POST /tributary/clients/:clientId/connectors/:connectorId/history-erasures',
      'POST /tributary/clients/:clientId/connectors/:connectorId/properties',
      'POST /tributary/clients/:clientId/logins/me/password',
      'POST /tributary/clients/:clientId/oauth-apps',
      'POST /tributary/clients/:clientId/warehouse/password',
      'PUT /tributary/clients/:clientId/queries/targets/:connectorId/login',
      'POST /users',
      'POST /users/:userId',
      'POST /xero2sqlproducts/:connectorId/database-credentials',
    ].toSorted(),
  )
})

test.each(sensitiveRoutes)(
  '[API-1 $name] is refused a quarter of an hour after signing in, without a change, and works after a re-authentication',
  async (named) => {
    const client = await signInStale(app.as.superadmin)
    const before = await dumpDatabase(app.connection)
    expect(await faultCodeOf(client, named)).toBe('proofNeeded')
    expect((await dumpDatabase(app.connection)).rows).toEqual(before.rows)
    expect((await client.call(reAuthentication.give, passwordProof)).status).toBe(204)
    expect(await faultCodeOf(client, named)).not.toBe('proofNeeded')
  },
)

test('[API-1 POST /me/proof] after the password a role can be changed again, for a quarter of an hour, in this session only', async () => {
  const { client, emailAddress } = await addStaleMember()
  const elsewhere = await signInStale(new TestClient(app.http, { emailAddress, password }))
  await client.refresh()
  const other = await addPerson(app, { [app.harbour.id]: 'user' })
  const change = (by: TestClient) =>
    by.call(users.update, {
      params: { userId: other.id },
      query: { orgId: app.harbour.id },
      body: { roleId: roleIdOf('guest') },
    })
  expect((await change(client)).status).toBe(403)
  expect((await client.call(reAuthentication.give, passwordProof)).status).toBe(204)
  expect((await change(client)).body).toMatchObject({ Id: other.id })
  expect((await change(elsewhere)).status).toBe(403)

  app.clock.advance(proofFreshMs - 1_000)
  await client.refresh()
  expect((await change(client)).status).toBe(200)
  app.clock.advance(2_000)
  expect(await isRecent(client)).toBe(false)
})

test('a re-authentication of another user and a challenge for another user are ignored', async () => {
  const [one, two] = [await addStaleMember(), await addStaleMember()]
  await one.client.refresh()
  for (const { id } of [one, two])
    await app.store.across((db) =>
      db.updateTable('portalUser').set({ passwordHash: null }).where('id', '=', id).execute(),
    )
  const { body: challenge } = await one.client.call(reAuthentication.ask)
  const body = {
    verificationReference: challenge.verificationReference ?? '',
    verificationCode: await mailedCode(one.emailAddress),
  }
  const reply = await two.client.send<FaultReply>('POST', '/api/me/proof', { body })
  expect([reply.status, reply.body.code]).toEqual([422, 'codeNotRight'])
  expect(await isRecent(two.client)).toBe(false)
  expect((await one.client.call(reAuthentication.give, { body })).status).toBe(204)
  expect(await isRecent(one.client)).toBe(true)
  expect(await isRecent(two.client)).toBe(false)
})

test('[API-1 POST /me/proof/question] a user with a password gets no code by email and cannot use one; a code of an app works, once', async () => {
  const { client, emailAddress } = await addStaleMember()
  expect((await client.call(reAuthentication.ask)).body).toEqual({
    hasPassword: true,
    verificationReference: null,
    verificationMethods: [],
    verificationSentTo: null,
    passkeyOptions: null,
  })
  const { secret } = (await client.call(profile.beginTotp, { body: { password } })).body
  const totp = () => generateSync({ secret, epoch: Math.floor(app.clock.now() / 1_000) })
  await client.call(profile.confirmTotp, { body: { code: totp() } })
  app.clock.advance(proofFreshMs + 1_000)
  await client.refresh()
  expect(await isRecent(client)).toBe(false)

  const { body: challenge } = await client.call(reAuthentication.ask)
  expect([challenge.verificationMethods, challenge.verificationSentTo]).toEqual([['totp', 'recovery'], null])
  const reference = challenge.verificationReference ?? ''
  expect((await app.as.visitor.call(signInRoutes.resendCode, { body: { reference } })).status).toBe(401)
  expect(await app.emailsTo(emailAddress)).not.toContainEqual(expect.objectContaining({ code: expect.any(String) }))
  const body = { verificationReference: reference, verificationCode: totp() }
  expect((await client.call(reAuthentication.give, { body })).status).toBe(204)
  expect(await isRecent(client)).toBe(true)
  expect((await client.send('POST', '/api/me/proof', { body })).status).toBe(422)
})

test('a passkey re-authenticates, and its challenge cannot register another passkey', async () => {
  const { client } = await addStaleMember()
  const authenticator = new Authenticator()
  const begun = (await client.call(profile.passkeyOptions, { body: { password } })).body
  await client.call(profile.addPasskey, {
    body: { reference: begun.reference, name: 'My key', passkey: authenticator.create(begun.options) },
  })
  app.clock.advance(proofFreshMs + 1_000)
  await client.refresh()
  const { body: challenge } = await client.call(reAuthentication.ask)
  const verificationReference = challenge.verificationReference ?? ''
  const stranger = new Authenticator().create({ ...begun.options, challenge: challenge.passkeyOptions?.['challenge'] })
  const planted = await client.call(profile.addPasskey, {
    body: { reference: verificationReference, name: 'Theirs', passkey: stranger },
  })
  expect(planted.status).toBe(422)

  const passkey = authenticator.get(challenge.passkeyOptions ?? {})
  expect((await client.call(reAuthentication.give, { body: { verificationReference, passkey } })).status).toBe(204)
  expect(await isRecent(client)).toBe(true)
})

test('a user without a password re-authenticates with a code by email, also before changing sign-in methods', async () => {
  const { id, client, emailAddress } = await addStaleMember()
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash: null }).where('id', '=', id).execute(),
  )
  const begin = () => client.send<FaultReply>('POST', '/api/me/security/totp', { body: {} })
  expect((await begin()).body.code).toBe('proofNeeded')
  expect((await client.send<FaultReply>('POST', '/api/me/proof', { body: { password } })).body.code).toBe('proofNeeded')
  const { body: challenge } = await client.call(reAuthentication.ask)
  expect(challenge).toMatchObject({
    hasPassword: false,
    verificationMethods: ['email'],
    verificationSentTo: expect.stringContaining('•••'),
  })
  const body = {
    verificationReference: challenge.verificationReference ?? '',
    verificationCode: await mailedCode(emailAddress),
  }
  expect((await client.call(reAuthentication.give, { body })).status).toBe(204)
  expect((await begin()).status).toBe(200)
})

test('re-authentication is throttled: after five wrong passwords even the right one has to wait', async () => {
  const { client } = await addStaleMember()
  const give = (typed: string) => client.send<FaultReply>('POST', '/api/me/proof', { body: { password: typed } })
  const tries = await Promise.all(Array.from({ length: 8 }, (_, number) => give(`wrong-${number}`)))
  expect(tries.filter(({ body }) => body.code === 'passwordNeeded')).toHaveLength(5)
  expect(tries.filter(({ body }) => body.code === 'tooMany')).toHaveLength(3)
  expect((await give(password)).status).toBe(429)
  expect(await isRecent(client)).toBe(false)
  app.clock.advance(60_000)
  expect((await give(password)).status).toBe(204)
})
