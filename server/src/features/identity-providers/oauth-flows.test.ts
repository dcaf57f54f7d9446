import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { revokePendingSignIns } from '../../identity/people/revoke-sign-in-methods.ts'
import { Browser } from '@tributary/testing/server/app/browser.ts'
import { refuseAt, signInAt } from '@tributary/testing/server/identity/oidc-issuer.ts'
import { landing, openProviderApp, type ProviderApp } from '@tributary/testing/server/identity/provider-app.ts'

let acme: ProviderApp
beforeAll(async () => {
  acme = await openProviderApp()
})
afterAll(() => acme[Symbol.asyncDispose]())
beforeEach(() => acme.begin())

test('a callback URL works once', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  const jar = new Map(acme.cookies)
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual(['/signin', { code: expect.any(String) }])
  acme.cookies = jar
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'acme' },
  ])
})

test('of a hundred concurrent callbacks with the same URL one succeeds', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  const { cookie } = acme
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => fetch(callbackUrl, { redirect: 'manual', headers: { cookie } })),
  )
  expect(replies.filter((reply) => reply.headers.get('location')?.startsWith('/signin?code=') === true)).toHaveLength(1)
})

test('a callback in another browser, with another state or after the flow has expired is refused', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const refused = ['/signin', { error: 'unknown', provider: 'acme' }]
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  expect(landing((await new Browser().open(callbackUrl.href)).url)).toEqual(refused)

  const changed = new URL(callbackUrl)
  changed.searchParams.set('state', 'A'.repeat(43))
  expect(landing((await acme.browser.open(changed.href)).url)).toEqual(refused)
  const without = new URL(callbackUrl)
  without.searchParams.delete('state')
  expect(landing((await acme.browser.open(without.href)).url)).toEqual(refused)
  const twice = new URL(callbackUrl)
  twice.searchParams.append('state', 'A'.repeat(43))
  expect(landing((await acme.browser.open(twice.href)).url)).toEqual(refused)

  acme.browser = new Browser()
  const late = await acme.reachCallback('signin', 'grace')
  acme.app.clock.advance(10 * 60_000 + 1)
  expect(landing((await acme.browser.open(late.href)).url)).toEqual(refused)
})

test('a user whose session ended during the flow links nothing, even if this server’s cache does not know yet', async () => {
  await acme.signInWithPassword('user@demo.example')
  const callbackUrl = await acme.reachCallback('link', 'ada')
  await acme.app.store.across((db) =>
    db.updateTable('session').set({ endedAt: new Date(), endedBecause: 'new password' }).execute(),
  )
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/profile',
    { error: 'unknown', provider: 'acme' },
  ])
  expect(await acme.app.store.across((db) => db.selectFrom('externalIdentity').selectAll().execute())).toEqual([])
})

test('a new password cancels the user’s flows that link an identity', async () => {
  await acme.signInWithPassword('user@demo.example')
  const callbackUrl = await acme.reachCallback('link', 'ada')
  await acme.app.store.across((db) => revokePendingSignIns(db, acme.app.clock, acme.app.idOf('user')))
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'acme' },
  ])
})

test('a response from another provider is refused and does not use up the flow', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  const jar = new Map(acme.cookies)
  const elsewhere = new URL(callbackUrl.href.replace('/acme/', '/other/'))
  expect(landing((await acme.browser.open(elsewhere.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'other' },
  ])
  acme.cookies = jar
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual(['/signin', { code: expect.any(String) }])
})

test('a response that names another issuer is refused', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  callbackUrl.searchParams.set('iss', 'https://evil.example')
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'acme' },
  ])
})

test.each(['nonce', 'pkceVerifier'] as const)(
  'a response to another request, by its %s, is refused',
  async (secret) => {
    await acme.link('grace', acme.app.idOf('user'))
    const callbackUrl = await acme.reachCallback('signin', 'grace')
    await acme.app.store.across((db) =>
      db
        .updateTable('externalLogin')
        .set({ [secret]: 'B'.repeat(43) })
        .execute(),
    )
    expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
      '/signin',
      { error: 'unknown', provider: 'acme' },
    ])
    expect(await acme.latestEvent()).toEqual([
      'authn.oidc_fail',
      'failure',
      null,
      { provider: 'acme', reason: 'answer refused' },
    ])
  },
)

test('the state of a flow and the reference of its identity are stored as hashes only', async () => {
  const page = await acme.openProvider('signup')
  const state = new URL(page.trail[0] ?? '').searchParams.get('state') ?? ''
  const at = (await signInAt(acme.browser, page, { as: 'ada' })).url
  const stored = await acme.app.store.across(async (db) => [
    await db.selectFrom('externalLogin').selectAll().execute(),
    await db.selectFrom('pendingIdentity').selectAll().execute(),
  ])
  expect(state).toHaveLength(43)
  for (const secret of [state, at.searchParams.get('atid') ?? 'missing', ...acme.cookies.values()])
    expect(JSON.stringify(stored)).not.toContain(secret)
})

test('an unknown provider leads back to the sign-in page', async () => {
  for (const path of ['nobody', 'nobody/callback?code=a&state=b', 'x'.repeat(200), '__proto__'])
    expect(landing((await acme.browser.open(`${acme.home}/api/auth/external/${path}`)).url)).toEqual([
      '/signin',
      { error: 'unknown' },
    ])
})

test('the flow cookie is inaccessible to scripts and other sites’ calls, and deleted by the callback', async () => {
  const out = await fetch(`${acme.home}/api/auth/external/acme`, { redirect: 'manual' })
  expect(out.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^tributary_external=[\w-]{43}; Max-Age=600; Path=\/api\/auth\/external; HttpOnly; SameSite=Lax$/u,
    ),
  ])
  expect(out.headers.get('referrer-policy')).toBe('no-referrer')
  const url = new URL(out.headers.get('location') ?? '')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: acme.issuer.clientId,
    redirect_uri: `${acme.home}/api/auth/external/acme/callback`,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  await refuseAt(acme.browser, await acme.openProvider('signin'))
  expect(acme.cookies.has('tributary_external')).toBe(false)
})

test('more than twenty flows in ten minutes from one address are refused, unless they succeed', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  for (let flow = 0; flow < 22; flow += 1) {
    acme.browser = new Browser()
    await acme.visit('signin', 'grace')
  }
  for (const path of ['', '/callback?code=a&state=b']) {
    const replies: Response[] = []
    for (let flow = 0; flow < 21; flow += 1)
      replies.push(await fetch(`${acme.home}/api/auth/external/acme${path}`, { redirect: 'manual' }))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 302), 429])
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
