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

test('an answer is taken once', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const door = await acme.travelToDoor('signin', 'grace')
  const jar = new Map(acme.cookies)
  expect(landing((await acme.browser.open(door.href)).url)).toEqual(['/signin', { code: expect.any(String) }])
  acme.cookies = jar
  expect(landing((await acme.browser.open(door.href)).url)).toEqual(['/signin', { error: 'unknown', provider: 'acme' }])
})

test('of a hundred that bring the same answer at once one is taken', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const door = await acme.travelToDoor('signin', 'grace')
  const { cookie } = acme
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => fetch(door, { redirect: 'manual', headers: { cookie } })),
  )
  expect(replies.filter((reply) => reply.headers.get('location')?.startsWith('/signin?code=') === true)).toHaveLength(1)
})

test('an answer in another browser, with another state, or too late is refused', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const refused = ['/signin', { error: 'unknown', provider: 'acme' }]
  const door = await acme.travelToDoor('signin', 'grace')
  expect(landing((await new Browser().open(door.href)).url)).toEqual(refused)

  const changed = new URL(door)
  changed.searchParams.set('state', 'A'.repeat(43))
  expect(landing((await acme.browser.open(changed.href)).url)).toEqual(refused)
  const without = new URL(door)
  without.searchParams.delete('state')
  expect(landing((await acme.browser.open(without.href)).url)).toEqual(refused)
  const twice = new URL(door)
  twice.searchParams.append('state', 'A'.repeat(43))
  expect(landing((await acme.browser.open(twice.href)).url)).toEqual(refused)

  acme.browser = new Browser()
  const late = await acme.travelToDoor('signin', 'grace')
  acme.app.clock.advance(10 * 60_000 + 1)
  expect(landing((await acme.browser.open(late.href)).url)).toEqual(refused)
})

test('whose session was ended while they were at the provider links nothing, though this server has yet to hear of it', async () => {
  await acme.signInWithPassword('user@demo.example')
  const door = await acme.travelToDoor('link', 'ada')
  await acme.app.store.across((db) =>
    db.updateTable('session').set({ endedAt: new Date(), endedBecause: 'new password' }).execute(),
  )
  expect(landing((await acme.browser.open(door.href)).url)).toEqual([
    '/profile',
    { error: 'unknown', provider: 'acme' },
  ])
  expect(await acme.app.store.across((db) => db.selectFrom('externalIdentity').selectAll().execute())).toEqual([])
})

test('a new password ends the trips of its owner to link an account', async () => {
  await acme.signInWithPassword('user@demo.example')
  const door = await acme.travelToDoor('link', 'ada')
  await acme.app.store.across((db) => revokePendingSignIns(db, acme.app.clock, acme.app.idOf('user')))
  expect(landing((await acme.browser.open(door.href)).url)).toEqual(['/signin', { error: 'unknown', provider: 'acme' }])
})

test('another provider’s answer is refused, and spends nothing', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const door = await acme.travelToDoor('signin', 'grace')
  const jar = new Map(acme.cookies)
  const elsewhere = new URL(door.href.replace('/acme/', '/other/'))
  expect(landing((await acme.browser.open(elsewhere.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'other' },
  ])
  acme.cookies = jar
  expect(landing((await acme.browser.open(door.href)).url)).toEqual(['/signin', { code: expect.any(String) }])
})

test('an answer in another issuer’s name is refused', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const door = await acme.travelToDoor('signin', 'grace')
  door.searchParams.set('iss', 'https://evil.example')
  expect(landing((await acme.browser.open(door.href)).url)).toEqual(['/signin', { error: 'unknown', provider: 'acme' }])
})

test.each(['nonce', 'pkceVerifier'] as const)(
  'an answer to another question, by its %s, is refused',
  async (secret) => {
    await acme.link('grace', acme.app.idOf('user'))
    const door = await acme.travelToDoor('signin', 'grace')
    await acme.app.store.across((db) =>
      db
        .updateTable('externalLogin')
        .set({ [secret]: 'B'.repeat(43) })
        .execute(),
    )
    expect(landing((await acme.browser.open(door.href)).url)).toEqual([
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

test('the state that goes out and the reference that comes back are kept as hashes only', async () => {
  const page = await acme.leave('signup')
  const state = new URL(page.trail[0] ?? '').searchParams.get('state') ?? ''
  const at = (await signInAt(acme.browser, page, { as: 'ada' })).url
  const kept = await acme.app.store.across(async (db) => [
    await db.selectFrom('externalLogin').selectAll().execute(),
    await db.selectFrom('pendingIdentity').selectAll().execute(),
  ])
  expect(state).toHaveLength(43)
  for (const secret of [state, at.searchParams.get('atid') ?? 'missing', ...acme.cookies.values()])
    expect(JSON.stringify(kept)).not.toContain(secret)
})

test('a provider that nobody set up leads back to the sign-in page', async () => {
  for (const path of ['nobody', 'nobody/callback?code=a&state=b', 'x'.repeat(200), '__proto__'])
    expect(landing((await acme.browser.open(`${acme.home}/api/auth/external/${path}`)).url)).toEqual([
      '/signin',
      { error: 'unknown' },
    ])
})

test('the cookie of a trip is out of reach of scripts and other sites’ calls, and gone when the browser is back', async () => {
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
  await refuseAt(acme.browser, await acme.leave('signin'))
  expect(acme.cookies.has('tributary_external')).toBe(false)
})

test('more than twenty trips in ten minutes from one address have to wait, unless they end well', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  for (let trip = 0; trip < 22; trip += 1) {
    acme.browser = new Browser()
    await acme.travel('signin', 'grace')
  }
  for (const path of ['', '/callback?code=a&state=b']) {
    const replies: Response[] = []
    for (let trip = 0; trip < 21; trip += 1)
      replies.push(await fetch(`${acme.home}/api/auth/external/acme${path}`, { redirect: 'manual' }))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 302), 429])
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
