import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { Browser } from '@tributary/testing/server/app/browser.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { refuseAt, signInAt } from '@tributary/testing/server/identity/oidc-issuer.ts'
import { trialPassword } from '../../trial/people.ts'
import {
  graceOid,
  landing,
  openProviderApp,
  type ProviderApp,
} from '@tributary/testing/server/identity/provider-app.ts'
let acme: ProviderApp
beforeAll(async () => {
  acme = await openProviderApp()
})
afterAll(() => acme[Symbol.asyncDispose]())
beforeEach(() => acme.begin())

const unauthorised = ['/signin', { error: 'unauthorised', provider: 'acme' }]

test('[SIGN-4] a linked identity signs in to its account', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const at = await acme.visit('signin', 'grace')
  expect(landing(at)).toEqual(['/signin', { code: expect.any(String) }])
  expect(await acme.latestEvent()).toEqual([
    'authn.oidc_success',
    'success',
    acme.app.idOf('user'),
    { provider: 'acme' },
  ])
  const { status, session } = await acme.exchange(at)
  expect([status, session.email]).toEqual([200, 'user@demo.example'])
})

test('[SIGN-4] the code in the landing page’s URL signs in once, in the same browser only', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const at = await acme.visit('signin', 'grace')
  const own = acme.browser
  acme.browser = new Browser()
  expect((await acme.exchange(at)).session).not.toHaveProperty('accessToken')
  acme.browser = own
  expect((await acme.exchange(at)).status).toBe(200)
  expect((await acme.exchange(at)).status).not.toBe(200)
})

test('[SIGN-4] an account with a second factor needs it with an identity provider, too', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  await acme.app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', acme.app.idOf('user')).execute(),
  )
  const { session } = await acme.exchange(await acme.visit('signin', 'grace'))
  expect(session).toMatchObject({ verificationRequired: true, verificationReference: expect.any(String) })
  expect(session).not.toHaveProperty('accessToken')
  await acme.app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: false }).where('id', '=', acme.app.idOf('user')).execute(),
  )
})

test('[SIGN-7] a return address within the portal is preserved, any other is dropped', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const within = await acme.visit('signin', 'grace', '/connectors/cin7/refresh?search=a')
  expect(within.searchParams.get('returnUrl')).toBe('/connectors/cin7/refresh?search=a')
  for (const foreign of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/home/..//evil.example',
    '/signin?code=x',
  ]) {
    acme.browser = new Browser()
    expect(landing(await acme.visit('signin', 'grace', foreign))).toEqual(['/signin', { code: expect.any(String) }])
  }
})

test('[SIGN-9] an unknown identity is unauthorised, even if an account has its address', async () => {
  expect(landing(await acme.visit('signin', 'owner'))).toEqual(unauthorised)
  expect(await acme.latestEvent()).toEqual([
    'authn.oidc_fail',
    'failure',
    null,
    { provider: 'acme', reason: 'unknown or locked' },
  ])
  expect([...acme.cookies.keys()]).toEqual([])
})

test('a Microsoft account that an administrator entered signs in, and is linked from then on', async () => {
  await using microsoft = await openProviderApp({ hasMicrosoftId: true })
  const { app } = microsoft
  const enterMsOid = (msOid: string | null) =>
    app.store.across((db) => db.updateTable('portalUser').set({ msOid }).where('id', '=', app.idOf('user')).execute())
  expect(landing(await microsoft.visit('signin', 'grace'))).toEqual(unauthorised)
  await enterMsOid(graceOid)
  expect((await microsoft.exchange(await microsoft.visit('signin', 'grace'))).session.email).toBe('user@demo.example')
  await enterMsOid(null)
  expect((await microsoft.exchange(await microsoft.visit('signin', 'grace'))).session.email).toBe('user@demo.example')
})

test('a Microsoft account that the provider removes, or assigns to another account, no longer signs in to the first', async () => {
  await using microsoft = await openProviderApp({ hasMicrosoftId: true })
  const { app, http } = microsoft
  const superadmin = new TestClient(http, { emailAddress: 'superadmin@demo.example', password: trialPassword })
  const assignMicrosoftId = async (who: 'user' | 'guest', msId: string) => {
    const change = { params: { userId: app.idOf(who) }, query: { orgId: app.harbour.id }, body: { msId } }
    expect((await superadmin.call(users.update, change)).status).toBe(200)
  }
  const enter = async () => (await microsoft.exchange(await microsoft.visit('signin', 'grace'))).session
  await assignMicrosoftId('user', graceOid)
  expect((await enter()).email).toBe('user@demo.example')
  await assignMicrosoftId('user', '')
  expect(landing(await microsoft.visit('signin', 'grace'))).toEqual(unauthorised)
  const open = await app.store.across((db) =>
    db.selectFrom('session').select('id').where('userId', '=', app.idOf('user')).where('endedAt', 'is', null).execute(),
  )
  expect(open).toEqual([])
  expect(JSON.stringify(await app.emailsTo('user@demo.example'))).toContain('removed the Microsoft account')
  await assignMicrosoftId('guest', graceOid)
  expect((await enter()).email).toBe('guest@demo.example')
})

test('a Microsoft account that its owner unlinks no longer signs in, even if a sign-up or an administrator had entered it', async () => {
  await using microsoft = await openProviderApp({ hasMicrosoftId: true })
  const { app } = microsoft
  const msOid = { msOid: graceOid }
  await app.store.across((db) => db.updateTable('portalUser').set(msOid).where('id', '=', app.idOf('user')).execute())
  expect((await microsoft.exchange(await microsoft.visit('signin', 'grace'))).session.email).toBe('user@demo.example')
  await microsoft.signInWithPassword('user@demo.example')
  expect(await microsoft.unlink(trialPassword)).toBe(204)
  expect(landing(await microsoft.visit('signin', 'grace'))).toEqual(unauthorised)
})

test('an object id from any other provider is ignored', async () => {
  const { app } = acme
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ msOid: graceOid }).where('id', '=', app.idOf('user')).execute(),
  )
  expect(landing(await acme.visit('signin', 'grace'))).toEqual(unauthorised)
})

test('[SIGN-9] a locked account cannot sign in with a provider either', async () => {
  await acme.link('grace', acme.app.idOf('guest'))
  const setStatus = (name: string) =>
    acme.app.store.across((db) =>
      db
        .updateTable('portalUser')
        .set((row) => ({ statusId: row.selectFrom('status').select('id').where('name', '=', name) }))
        .where('id', '=', acme.app.idOf('guest'))
        .execute(),
    )
  await setStatus('locked')
  expect(landing(await acme.visit('signin', 'grace'))).toEqual(unauthorised)
  await setStatus('active')
})

test('[SIGN-9] a denied consent and a provider that does not respond lead to the retry message', async () => {
  const refused = await refuseAt(acme.browser, await acme.openProvider('signin'))
  expect(landing(refused.url)).toEqual(['/signin', { error: 'unknown', provider: 'acme' }])
  const down = await acme.browser.open(`${acme.home}/api/auth/external/other?purpose=signin`)
  expect(landing(down.url)).toEqual(['/signin', { error: 'unknown', provider: 'other' }])
})

test('[SIGN-9] a provider that fails during the flow causes a temporary error', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  const callbackUrl = await acme.reachCallback('signin', 'grace')
  await acme.stopIssuer()
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/signin',
    { error: 'unknown', provider: 'acme' },
  ])
  await acme.startIssuer()
  acme.browser = new Browser()
  acme.app.clock.advance(3_600_000)
  expect(landing(await acme.visit('signin', 'grace'))).toEqual(['/signin', { code: expect.any(String) }])
})

test('[REG-5] a sign-up begins with the provider’s claims, under a reference that only the browser has', async () => {
  const at = await acme.visit('signup', 'ada')
  expect(landing(at)).toEqual(['/signup', { provider: 'acme', atid: expect.stringMatching(/^[\w-]{43}$/u) }])
  const stored = await acme.app.store.across((db) =>
    db
      .selectFrom('pendingIdentity')
      .selectAll()
      .where('atidHash', '=', hashOf(at.searchParams.get('atid') ?? ''))
      .executeTakeFirstOrThrow(),
  )
  expect(stored).toMatchObject({
    issuer: acme.issuer.issuer,
    subject: 'ada',
    provider: 'acme',
    emailAddress: 'ada@idp.example',
    isEmailVerified: true,
    firstName: 'Ada',
    lastName: 'Lovelace',
    msOid: null,
    usedAt: null,
  })
})

test('[REG-5] a sign-up with a linked identity signs in instead', async () => {
  await acme.link('grace', acme.app.idOf('user'))
  expect(landing(await acme.visit('signup', 'grace'))).toEqual(['/signin', { code: expect.any(String) }])
})

test('[REG-6] a sign-up cancelled at the provider has another error than one that failed', async () => {
  const refused = await refuseAt(acme.browser, await acme.openProvider('signup'))
  expect(landing(refused.url)).toEqual(['/signup', { error: 'unauthorised', provider: 'acme' }])
  const down = await acme.browser.open(`${acme.home}/api/auth/external/other?purpose=signup`)
  expect(landing(down.url)).toEqual(['/signup', { error: 'unknown', provider: 'other' }])
})

test('a signed-in user links an identity, gets an email, and can sign in with it from then on', async () => {
  await acme.signInWithPassword('user@demo.example')
  expect(landing(await acme.visit('link', 'ada'))).toEqual(['/profile', { linked: 'acme' }])
  expect(await acme.latestEvent()).toEqual([
    'authn.oidc_linked',
    'success',
    acme.app.idOf('user'),
    { provider: 'acme' },
  ])
  expect((await acme.app.emailsTo('user@demo.example')).at(-1)?.paragraphs.join(' ')).toContain(
    'Your account at Acme ID was linked',
  )
  acme.browser = new Browser()
  expect((await acme.exchange(await acme.visit('signin', 'ada'))).session.email).toBe('user@demo.example')
})

test('an identity of another account cannot be linked twice', async () => {
  await acme.link('grace', acme.app.idOf('admin'))
  await acme.signInWithPassword('user@demo.example')
  expect(landing(await acme.visit('link', 'grace'))).toEqual(['/profile', { error: 'unauthorised', provider: 'acme' }])
})

test('linking needs a session and the password, with a limited number of attempts', async () => {
  expect((await acme.requestLink(trialPassword)).status).toBe(401)
  await acme.signInWithPassword('user@demo.example')
  const statuses = []
  for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await acme.requestLink('wrong-1')).status)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
  acme.app.clock.advance(11 * 60_000)
  await acme.signInWithPassword('user@demo.example')
  expect(await acme.requestLink(trialPassword)).toMatchObject({
    status: 200,
    address: expect.stringContaining(acme.issuer.issuer),
  })
})

test('linking begins with a call of the portal by a signed-in user, and completes for the same user only', async () => {
  await acme.signInWithPassword('user@demo.example')
  const callbackUrl = await acme.reachCallback('link', 'ada')
  await acme.signInWithPassword('guest@demo.example')
  expect(landing((await acme.browser.open(callbackUrl.href)).url)).toEqual([
    '/profile',
    { error: 'unknown', provider: 'acme' },
  ])

  // A URL alone, which another site could open, cannot begin it.
  await acme.begin()
  await acme.signInWithPassword('user@demo.example')
  const opened = await acme.browser.open(`${acme.home}/api/auth/external/acme?purpose=link`)
  expect((await signInAt(acme.browser, opened, { as: 'ada' })).url.pathname).toBe('/signin')
})

test('[SIGN-4] while external providers are switched off no flow begins, and without sign-up none for a sign-up', async () => {
  const set = (key: string, value: boolean) =>
    acme.app.store.across((db) =>
      db
        .insertInto('setting')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute(),
    )
  await set('ExternalProviders', false)
  acme.app.clock.advance(5_001)
  for (const [purpose, page] of [
    ['signin', '/signin'],
    ['signup', '/signup'],
  ] as const)
    expect(landing((await acme.openProvider(purpose)).url)).toEqual([page, { error: 'unknown', provider: 'acme' }])
  await set('ExternalProviders', true)
  await set('AllowSignUp', false)
  acme.app.clock.advance(5_001)
  expect(landing((await acme.openProvider('signup')).url)).toEqual(['/signup', { error: 'unknown', provider: 'acme' }])
  expect((await acme.openProvider('signin')).url.origin).toBe(acme.issuer.issuer)
  await set('AllowSignUp', true)
  acme.app.clock.advance(5_001)
})
