import { auditLog } from '@tributary/contract/audit-log'
import type { FaultReply } from '@tributary/contract/faults'
import { accessTokenMs, refreshGraceMs } from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
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

test('[API-1 POST /auth/refresh] each refresh issues a new refresh token; an expired access token stops working', async () => {
  const client = browser()
  const first = await client.signIn()
  const cookie = client.cookies.get(refreshCookie)
  app.clock.advance(accessTokenMs + 1_000)
  expect(await callStatus(client)).toBe(401)
  const second = await client.refresh()
  expect(second.accessToken).not.toBe(first.accessToken)
  expect(client.cookies.get(refreshCookie)).not.toBe(cookie)
  expect(await callStatus(client)).toBe(200)
})

test('tabs that refresh concurrently all get the same successor, and the session continues', async () => {
  const client = browser()
  await client.signIn()
  const tabs = Array.from({ length: 8 }, () => copyOf(client))
  await Promise.all(tabs.map((tab) => tab.refresh()))
  expect(new Set(tabs.map((tab) => tab.cookies.get(refreshCookie))).size).toBe(1)
  expect(await Promise.all(tabs.map(callStatus))).toEqual(tabs.map(() => 200))
})

test('the previous refresh token returns the same successor for half a minute; used later it ends the session', async () => {
  const client = browser()
  await client.signIn()
  const thief = copyOf(client)
  await client.refresh()
  app.clock.advance(refreshGraceMs)
  const late = copyOf(thief)
  await late.refresh()
  expect(late.cookies.get(refreshCookie)).toBe(client.cookies.get(refreshCookie))

  app.clock.advance(1)
  expect((await refresh(thief)).status).toBe(401)
  expect(await callStatus(client)).toBe(401)
  expect((await refresh(client)).status).toBe(401)
})

test('a refresh token from several refreshes ago ends the session, too', async () => {
  const client = browser()
  await client.signIn()
  const stolen = copyOf(client)
  await client.refresh()
  await client.refresh()
  await client.refresh()
  expect((await refresh(stolen)).status).toBe(401)
  expect(await callStatus(client)).toBe(401)
  expect(await findAuditEvents(app.store, 'authn.token_reuse')).toMatchObject([
    { actorId: app.idOf('user'), outcome: 'refused' },
  ])
  const { body } = await app.as.superadmin.call(auditLog.list, {
    query: { ofProvider: 'true', search: 'token_reuse' },
  })
  expect(body).toMatchObject([{ Actor: 'Ulla Berg', Address: '127.0.0.1' }])
})

test('a malformed refresh cookie is refused, and signing out clears it', async () => {
  for (const cookie of ['nonsense', `${'-'.repeat(36)}.${'A'.repeat(43)}`]) {
    const sending = { body: {}, headers: { cookie: `${refreshCookie}=${cookie}` } }
    expect((await app.as.visitor.send('POST', '/api/auth/refresh', sending)).status).toBe(401)
    const { headers } = sending
    const out = await app.as.visitor.send('POST', '/api/auth/signout', { headers })
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      204,
      expect.stringContaining(`${refreshCookie}=;`),
    ])
  }
})

test('a forged refresh token is refused and ends no session', async () => {
  const client = browser()
  await client.signIn()
  const forged = copyOf(client)
  const [id] = client.cookies.get(refreshCookie)?.split('.') ?? []
  forged.cookies.set(refreshCookie, `${id}.${'A'.repeat(43)}`)
  expect((await refresh(forged)).status).toBe(401)
  expect(await callStatus(client)).toBe(200)
})
