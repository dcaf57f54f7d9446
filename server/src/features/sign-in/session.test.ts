import type { FaultReply } from '@tributary/contract/faults'
import { accessTokenMs, sessionAbsoluteMs, sessionCacheMs, sessionIdleMs } from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
import { signInRoutes } from '@tributary/contract/sign-in'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const account = { emailAddress: 'user@demo.example', password: trialPassword }
const refreshCookie = 'tributary_refresh'

function browser(emailAddress = account.emailAddress): TestClient {
  return new TestClient(app.http, { emailAddress, password: trialPassword })
}
async function callStatus(client: TestClient): Promise<number> {
  return (await client.call(organisations.users)).status
}
/** A second browser tab: the same cookies, its own token. */
function copyOf(client: TestClient): TestClient {
  const copy = browser()
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}
function refresh(client: TestClient, body: unknown = {}) {
  return new TestClient(app.http, null).send<FaultReply>('POST', '/api/auth/refresh', {
    body,
    headers: { cookie: `${refreshCookie}=${client.cookies.get(refreshCookie) ?? ''}` },
  })
}

test('[API-1 POST /auth/signin] the right password returns a token, the user and the role; the address is case-insensitive', async () => {
  const { status, body } = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { ...account, emailAddress: 'User@Demo.example' },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    firstName: 'Ulla',
    lastName: 'Berg',
    email: 'user@demo.example',
    role: 'user',
    roleLevel: 3,
    organisationId: app.harbour.id,
  })
})

test('[API-8] the access token carries the role, its level and the session, and lasts fifteen minutes', async () => {
  const { accessToken } = await browser('guest@demo.example').signIn()
  const claims = decodeJwt(accessToken)
  expect(claims).toMatchObject({
    sub: app.idOf('guest'),
    role: 'guest',
    roleLevel: 4,
    org: app.harbour.id,
    sid: expect.any(String),
  })
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(accessTokenMs / 1_000)
})

test('[SIGN-8] a wrong password, an unknown address and a locked account get the same reply', async () => {
  await app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ statusId: '00000000-0000-4000-8000-000000000021' })
      .where('id', '=', app.idOf('guest'))
      .execute(),
  )
  const attempts = [
    { ...account, password: 'wrong-1' },
    { ...account, emailAddress: 'nobody@demo.example' },
    { ...account, emailAddress: 'guest@demo.example' },
  ]
  for (const body of attempts) {
    const reply = await app.as.visitor.send<FaultReply>('POST', '/api/auth/signin', { body })
    expect(reply.status).toBe(401)
    expect(reply.body).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: 'Please check your email address and password.',
      code: 'wrongSecret',
      reference: expect.any(String),
    })
  }
})

test('scripts cannot read the session cookies, and the one for authorising grants nothing else', async () => {
  const reply = await app.as.visitor.send('POST', '/api/auth/signin', { body: account })
  const cookies = reply.headers['set-cookie'] as string[]
  expect(cookies).toEqual([
    expect.stringMatching(/^tributary_refresh=[^;]+; Path=\/api\/auth; HttpOnly; SameSite=Strict$/u),
    expect.stringMatching(/^tributary_authorise=[^;]+; Path=\/api; HttpOnly; SameSite=Lax$/u),
    expect.stringMatching(/^tributary_device=[^;]+; Max-Age=15552000; Path=\/api; HttpOnly; SameSite=Strict$/u),
  ])
  const authorise = /tributary_authorise=([^;]+)/u.exec(cookies[1] ?? '')?.[1] ?? ''
  const asRefresh = await app.as.visitor.send('POST', '/api/auth/refresh', {
    body: {},
    headers: { cookie: `${refreshCookie}=${authorise}` },
  })
  const asBearer = await app.as.visitor.send('GET', '/api/users', { headers: { authorization: `Bearer ${authorise}` } })
  expect([asRefresh.status, asBearer.status]).toEqual([401, 401])
})

test('over https the cookies are bound to the host and sent over https only', async () => {
  await using https = await testApp({ env: { TRIBUTARY_PUBLIC_URL: 'https://tributary.example' } })
  const reply = await https.as.visitor.send('POST', '/api/auth/signin', { body: account })
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-tributary_refresh=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/u),
    expect.stringMatching(/^__Host-tributary_authorise=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/u),
    expect.stringMatching(
      /^__Host-tributary_device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
    ),
  ])
})

test('a session ends an hour after the last activity; polling and refreshing do not count as activity', async () => {
  const client = browser()
  await client.signIn()
  const poll = `/api/tributary/clients/${app.harbour.id}/connectors`
  for (let minutes = 0; minutes < 60; minutes += 10) {
    expect((await client.send('GET', poll)).status).toBe(200)
    app.clock.advance(10 * 60_000)
    if (minutes < 50) await client.refresh()
  }
  app.clock.advance(1_000)
  expect((await client.send<FaultReply>('GET', poll)).body.message).toBe('Unauthorized')
  expect((await refresh(client)).status).toBe(401)
})

test('a session ends after twelve hours of continuous activity', async () => {
  const client = browser()
  await client.signIn()
  for (let passed = 0; passed < sessionAbsoluteMs; passed += sessionIdleMs / 2) {
    await client.refresh()
    expect(await callStatus(client)).toBe(200)
    app.clock.advance(sessionIdleMs / 2)
  }
  app.clock.advance(1_000)
  expect((await refresh(client)).status).toBe(401)
  expect(await callStatus(client)).toBe(401)
})

test('[API-1 POST /auth/signout] signing out ends the session at once, in the browser and on the server, and clears its cookies', async () => {
  const client = browser()
  await client.signIn()
  const copy = copyOf(client)
  const reply = await client.call(signInRoutes.signOut)
  expect([reply.status, reply.headers['clear-site-data']]).toEqual([204, '"storage"'])
  // The browser stays known, so that guesses from elsewhere cannot lock its owner out.
  expect([...client.cookies.keys()]).toEqual(['tributary_device'])
  expect(await callStatus(client)).toBe(401)
  expect((await refresh(copy)).status).toBe(401)
  expect((await app.as.visitor.call(signInRoutes.signOut)).status).toBe(204)
  expect(await findAuditEvents(app.store, 'session.logout')).toMatchObject([
    { actorId: app.idOf('user'), organisationId: null, outcome: 'success' },
  ])
})

test('[ADMIN-7] locking a user ends all their sessions in the same transaction, and they cannot sign in again', async () => {
  const clients = [browser(), browser()]
  for (const client of clients) await client.signIn()
  await app.store.across(async (db) => {
    await db
      .updateTable('portalUser')
      .set({ statusId: '00000000-0000-4000-8000-000000000021' })
      .where('id', '=', app.idOf('user'))
      .execute()
    await app.services.sessions.endAll(db, app.idOf('user'), 'locked')
  })
  expect(await Promise.all(clients.map(callStatus))).toEqual([401, 401])
  expect((await app.as.visitor.send('POST', '/api/auth/signin', { body: account })).status).toBe(401)
})

test('a session that another process ends is refused within five seconds', async () => {
  const client = browser()
  await client.signIn()
  expect(await callStatus(client)).toBe(200)
  await app.store.across((db) =>
    db.updateTable('session').set({ endedAt: new Date(), endedBecause: 'signed out' }).execute(),
  )
  app.clock.advance(sessionCacheMs)
  expect(await callStatus(client)).toBe(401)
})

test('choosing another organisation re-issues the session for it, only for one the user belongs to', async () => {
  const provider = browser('provideradmin@demo.example')
  await provider.signIn()
  const moved = await provider.refresh(app.summit.id)
  expect(moved).toMatchObject({ organisationId: app.summit.id, role: 'provideradmin' })
  expect((await provider.call(organisations.users)).body).toMatchObject([{ EmailAddress: 'admin@other.example' }])

  const member = browser()
  await member.signIn()
  for (const organisationId of [app.summit.id, '00000000-0000-4000-8000-00000000dead']) {
    expect((await refresh(member, { organisationId })).status).toBe(404)
  }
  expect((await member.refresh()).organisationId).toBe(app.harbour.id)
})

test('a token that was changed, or signed with another key, is refused', async () => {
  const { accessToken } = await browser().signIn()
  const [head, claims, signature] = accessToken.split('.')
  const raised = Buffer.from(JSON.stringify({ ...decodeJwt(accessToken), roleLevel: 0 })).toString('base64url')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  for (const token of [
    `${head}.${raised}.${signature}`,
    `${none}.${claims}.`,
    `${head}.${claims}.${'A'.repeat(43)}`,
    'nonsense',
    '',
  ]) {
    const reply = await app.as.visitor.send<FaultReply>('GET', '/api/users', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([reply.status, reply.body.message]).toEqual([401, 'Unauthorized'])
  }
})
