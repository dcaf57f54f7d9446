import type { FaultReply } from '@tributary/contract/faults'
import { signInLinkMs } from '@tributary/contract/limits'
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
})
afterEach(() => app[Symbol.asyncDispose]())

const emailAddress = 'user@demo.example'

function browser(): TestClient {
  return new TestClient(app.http, null)
}
async function requestLink(client: TestClient, address = emailAddress) {
  const recaptchaToken = await solveCaptcha(app)
  return client.send<FaultReply>('POST', '/api/auth/link', { body: { emailAddress: address, recaptchaToken } })
}
async function mailedLinkCode(address = emailAddress): Promise<string> {
  app.clock.advance(1_000)
  const links = (await app.emailsTo(address)).filter(({ template }) => template === 'sign-in-link')
  return new URL(links.at(-1)?.action?.url ?? 'http://none').searchParams.get('code') ?? ''
}
function followLink(client: TestClient, code: string, isConfirmed?: boolean) {
  return client.send<FaultReply & SignInReply>('POST', '/api/auth/signin', {
    body: { code, ...(isConfirmed !== undefined && { isConfirmed }) },
  })
}

test('[SIGN-6] [API-1 POST /auth/link] a link signs in without confirmation in the browser that requested it, once', async () => {
  const client = browser()
  expect((await requestLink(client)).status).toBe(202)
  const code = await mailedLinkCode()
  expect((await followLink(client, code)).body).toMatchObject({ statusCode: 200, email: emailAddress })
  const again = await followLink(client, code)
  expect([again.status, again.body.code]).toEqual([403, 'linkSpent'])
  const used = { actorId: app.idOf('user'), organisationId: app.harbour.id, outcome: 'success' }
  expect(await findAuditEvents(app.store, 'authn.code_link_used')).toMatchObject([used])
})

test('[SIGN-6] another browser must confirm and sees the account first, which does not use up the link', async () => {
  await requestLink(browser())
  const code = await mailedLinkCode()
  const other = browser()
  for (let asked = 0; asked < 2; asked += 1) {
    expect((await followLink(other, code)).body).toEqual({ confirmationRequired: true, emailAddress })
    expect(other.cookies.size).toBe(0)
  }
  expect((await followLink(other, code, true)).body).toMatchObject({ statusCode: 200, email: emailAddress })
})

test('a link for another account needs a confirmation although the browser has requested a link, too', async () => {
  const victim = browser()
  await requestLink(victim)
  await requestLink(browser(), 'guest@demo.example')
  expect((await followLink(victim, await mailedLinkCode('guest@demo.example'))).body).toEqual({
    confirmationRequired: true,
    emailAddress: 'guest@demo.example',
  })
})

test('a replaced, expired or unknown link is refused alike', async () => {
  const client = browser()
  await requestLink(client)
  const replaced = await mailedLinkCode()
  await requestLink(client)
  const latest = await mailedLinkCode()
  app.clock.advance(signInLinkMs)
  for (const code of [replaced, latest, 'nonsense']) {
    for (const isConfirmed of [undefined, true]) {
      const { status, body } = await followLink(client, code, isConfirmed)
      expect([status, body.code]).toEqual([403, 'linkSpent'])
    }
  }
})

test('a link does not replace the second factor', async () => {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
  const client = browser()
  await requestLink(client)
  expect((await followLink(client, await mailedLinkCode())).body).toMatchObject({ verificationRequired: true })
  expect(client.cookies.has('tributary_refresh')).toBe(false)
})

test('requesting a link gets a byte-identical reply, whether or not the address has an account', async () => {
  await app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ statusId: '00000000-0000-4000-8000-000000000021' })
      .where('id', '=', app.idOf('guest'))
      .execute(),
  )
  const addresses = [
    emailAddress,
    'nobody@demo.example',
    'guest@demo.example',
    emailAddress,
    emailAddress,
    emailAddress,
  ]
  const replies = []
  for (const address of addresses) replies.push(await requestLink(browser(), address))
  const shapes = replies.map(({ status, body, headers }) =>
    JSON.stringify({ status, body, names: Object.keys(headers).toSorted() }),
  )
  expect(new Set(shapes).size).toBe(1)
  for (const address of ['nobody@demo.example', 'guest@demo.example']) expect(await app.emailsTo(address)).toEqual([])
  // Three in a quarter of an hour. The reply does not reveal that the fourth was not sent.
  expect(await app.emailsTo(emailAddress)).toHaveLength(3)
})

test('requesting a link needs the captcha, and one computer has a limit', async () => {
  const refused = await browser().send<FaultReply>('POST', '/api/auth/link', {
    body: { emailAddress, recaptchaToken: 'nonsense' },
  })
  expect([refused.status, refused.body.code]).toEqual([422, 'captchaFailed'])
  for (let asked = 1; asked < 10; asked += 1)
    expect((await requestLink(browser(), `somebody${asked}@demo.example`)).status).toBe(202)
  expect((await requestLink(browser(), 'another@demo.example')).status).toBe(429)
})

test('at most a thousand codes and links an hour are sent in total', async () => {
  await using proxied = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  const tokens: string[] = []
  for (let made = 0; made < 4; made += 1) tokens.push(await solveCaptcha(proxied))
  const requestLinkFrom = async (number: number, address: string) => {
    const body = { emailAddress: address, recaptchaToken: tokens.pop() }
    await proxied.as.visitor.send('POST', '/api/auth/link', {
      body,
      headers: { 'x-forwarded-for': `10.0.${number}.1` },
    })
    return (await proxied.emailsTo(address)).length
  }
  expect(await requestLinkFrom(1, 'guest@demo.example')).toBe(1)
  expect(await requestLinkFrom(2, 'user@demo.example')).toBe(1)
  // The total is the only count of two attempts.
  await proxied.store.across((db) =>
    db.updateTable('throttle').set({ attempts: 1_000 }).where('attempts', '=', 2).execute(),
  )
  expect(await requestLinkFrom(3, 'admin@demo.example')).toBe(1)
  expect(await requestLinkFrom(4, 'provideradmin@demo.example')).toBe(0)
})

test('after a hundred consecutive wrong passwords, passwords are refused until the owner has used a link', async () => {
  const right = { emailAddress, password: trialPassword }
  for (let failed = 0; failed < 100; failed += 1) {
    app.clock.advance(3_600_001)
    expect(
      (await browser().send('POST', '/api/auth/signin', { body: { ...right, password: `wrong-${failed}` } })).status,
    ).toBe(401)
  }
  app.clock.advance(3_600_001)
  const refused = await browser().send<FaultReply>('POST', '/api/auth/signin', { body: right })
  expect([refused.status, refused.body.code]).toEqual([401, 'wrongSecret'])
  const letters = await app.emailsTo(emailAddress)
  expect(letters.filter(({ template }) => template === 'shut-out')).toHaveLength(1)
  const accountLocked = {
    actorId: app.idOf('user'),
    organisationId: null,
    outcome: 'refused',
    objectId: app.idOf('user'),
  }
  expect(await findAuditEvents(app.store, 'authn.login_lock')).toMatchObject([accountLocked])
  const client = browser()
  await requestLink(client)
  expect((await followLink(client, await mailedLinkCode())).status).toBe(200)
  expect((await browser().call(signInRoutes.withPassword, { body: right })).status).toBe(200)
}, 60_000)

test('guesses from elsewhere cannot lock the owner out of a known browser', async () => {
  const known = browser()
  const right = { emailAddress, password: trialPassword }
  await known.call(signInRoutes.withPassword, { body: right })
  for (let failed = 0; failed < 6; failed += 1)
    await browser().send('POST', '/api/auth/signin', { body: { ...right, password: 'wrong-1' } })
  expect((await browser().send('POST', '/api/auth/signin', { body: right })).status).toBe(429)
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ failedSignIns: 100 }).where('id', '=', app.idOf('user')).execute(),
  )
  expect((await known.call(signInRoutes.withPassword, { body: right })).status).toBe(200)
})

test('[API-1 GET /auth/options] a visitor can read the sign-in settings', async () => {
  const { status, body } = await app.as.visitor.call(signInRoutes.options)
  expect([status, body]).toEqual([
    200,
    {
      allowSignUp: true,
      providers: [],
      captcha: { provider: 'altcha', siteKey: null },
      passwordMin: 6,
      isMaintained: false,
    },
  ])
})

test('links requested by others do not use up the codes for the owner’s sign-in', async () => {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
  for (let asked = 0; asked < 4; asked += 1) await requestLink(browser())
  const { status, body } = await browser().call(signInRoutes.withPassword, {
    body: { emailAddress, password: trialPassword },
  })
  expect([status, body]).toMatchObject([200, { verificationRequired: true, verificationSentTo: 'u•••@demo.example' }])
})
