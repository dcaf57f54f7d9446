import type { FaultReply } from '@tributary/contract/faults'
import { trustedDeviceMs, verificationMs } from '@tributary/contract/limits'
import { profile } from '@tributary/contract/profile'
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const emailAddress = 'user@demo.example'
const account = { emailAddress, password: trialPassword }

/** Another browser, in which nobody is signed in. */
function browser(): TestClient {
  return new TestClient(app.http, null)
}
async function requireMfa(): Promise<void> {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
}
async function password(client: TestClient): Promise<Exclude<SignInReply, { confirmationRequired: true }>> {
  const { status, body } = await client.call(signInRoutes.withPassword, { body: account })
  if (status !== 200 || 'confirmationRequired' in body) throw new Error(`The password was answered ${status}.`)
  return body
}
async function referenceOf(client: TestClient): Promise<string> {
  const reply = await password(client)
  if (!('verificationReference' in reply)) throw new Error('No code was asked for.')
  return reply.verificationReference
}
/** The latest code that was posted; letters of one moment are in no order. */
async function postedCode(): Promise<string> {
  app.clock.advance(1_000)
  return (await app.lettersTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
function enter(
  client: TestClient,
  verificationReference: string,
  verificationCode: string,
  verificationTrustDevice = false,
) {
  return client.send<FaultReply & SignInReply>('POST', '/api/auth/signin', {
    body: { verificationReference, verificationCode, verificationTrustDevice },
  })
}
const wrongCode = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

test('[SIGN-10] whoever has MFA on is sent a code by e-mail, and the right one signs them in', async () => {
  await requireMfa()
  const client = browser()
  const asked = await password(client)
  expect(asked).toEqual({
    verificationRequired: true,
    verificationReference: expect.any(String),
    verificationMethods: ['email'],
    verificationSentTo: 'u•••@demo.example',
  })
  expect(client.cookies.size).toBe(0)
  const code = await postedCode()
  const reply = await enter(client, 'verificationReference' in asked ? asked.verificationReference : '', code)
  expect(reply.body).toMatchObject({ statusCode: 200, email: emailAddress, requireMultiFactorAuthentication: true })
  expect((await client.refresh()).email).toBe(emailAddress)
})

test('[API-1 POST /verify] with the context signin the code signs in just as well', async () => {
  await requireMfa()
  const reference = await referenceOf(browser())
  const { body } = await browser().call(signInRoutes.verify, {
    body: { reference, code: await postedCode(), context: 'signin' },
  })
  expect(body).toMatchObject({
    statusCode: 200,
    accessToken: expect.any(String),
    verificationDevices: [{ IsThisDevice: true, Trusted: false }],
  })
})

test('[SIGN-12] a wrong code, one of another context and one for a reference that nobody gave are refused alike', async () => {
  await requireMfa()
  const reference = await referenceOf(browser())
  const code = await postedCode()
  const attempts = [
    { reference, code: wrongCode(code), context: 'signin' },
    { reference, code, context: 'mfa' },
    { reference, code, context: 'registration' },
    { reference: 'nonsense', code, context: 'signin' },
  ]
  for (const body of attempts) {
    const reply = await browser().send<FaultReply>('POST', '/api/verify', { body })
    expect([reply.status, reply.body.message]).toEqual([401, 'Verification failed.'])
  }
  expect((await enter(browser(), reference, code)).status).toBe(200)
})

test('a code works once, for ten minutes, and five tries are all there are', async () => {
  await requireMfa()
  const used = await referenceOf(browser())
  const code = await postedCode()
  expect((await enter(browser(), used, code)).status).toBe(200)
  expect((await enter(browser(), used, code)).status).toBe(401)

  const old = await referenceOf(browser())
  const late = await postedCode()
  app.clock.advance(verificationMs)
  expect((await enter(browser(), old, late)).status).toBe(401)

  const spent = await referenceOf(browser())
  const right = await postedCode()
  for (let tries = 0; tries < 5; tries += 1) expect((await enter(browser(), spent, wrongCode(right))).status).toBe(401)
  expect((await enter(browser(), spent, right)).status).toBe(401)
})

test('ten wrong codes within a quarter of an hour make everybody wait who holds a reference of that person', async () => {
  await requireMfa()
  for (let questions = 0; questions < 2; questions += 1) {
    const reference = await referenceOf(browser())
    const right = await postedCode()
    for (let tries = 0; tries < 5; tries += 1) await enter(browser(), reference, wrongCode(right))
  }
  const reference = await referenceOf(browser())
  const reply = await enter(browser(), reference, await postedCode())
  expect([reply.status, Number(reply.headers['retry-after']) > 800]).toEqual([429, true])
})

test('[API-1 POST /verify/resend] a new code replaces the former, three times in a quarter of an hour', async () => {
  await requireMfa()
  const reference = await referenceOf(browser())
  const first = await postedCode()
  expect((await browser().call(signInRoutes.resendCode, { body: { reference } })).body).toEqual({
    verificationSentTo: 'u•••@demo.example',
  })
  const second = await postedCode()
  await browser().call(signInRoutes.resendCode, { body: { reference } })
  const third = await postedCode()
  const fourth = await browser().send<FaultReply>('POST', '/api/verify/resend', { body: { reference } })
  expect([fourth.status, fourth.body.code]).toEqual([429, 'tooMany'])
  for (const former of [first, second])
    if (former !== third) expect((await enter(browser(), reference, former)).status).toBe(401)
  expect((await enter(browser(), reference, third)).status).toBe(200)
  const unknown = await browser().send<FaultReply>('POST', '/api/verify/resend', { body: { reference: 'nonsense' } })
  expect([unknown.status, unknown.body.code]).toEqual([401, 'verificationFailed'])
})

test('[SIGN-13] a trusted device is not asked again for thirty days, by nobody but its owner', async () => {
  await requireMfa()
  const client = browser()
  await enter(client, await referenceOf(client), await postedCode(), true)
  const again = await password(client)
  expect(again).toMatchObject({ statusCode: 200, verificationDevices: [{ Trusted: true, IsThisDevice: true }] })
  const other = await client.send('POST', '/api/auth/signin', {
    body: { ...account, emailAddress: 'guest@demo.example' },
  })
  expect(other.body).toMatchObject({ verificationDevices: [{ Trusted: false, IsThisDevice: true }] })
  expect(await password(client)).toMatchObject({ statusCode: 200 })
  expect(await password(browser())).toMatchObject({ verificationRequired: true })
  app.clock.advance(trustedDeviceMs + 1_000)
  expect(await password(client)).toMatchObject({ verificationRequired: true })
})

test('[SIGN-13] [API-1 DELETE /me/security/mfa/devices/{id}] deleting the device asks again', async () => {
  await requireMfa()
  const client = browser()
  await enter(client, await referenceOf(client), await postedCode(), true)
  const reply = await password(client)
  if (!('accessToken' in reply)) throw new Error('The device was not trusted.')
  const [device] = reply.verificationDevices
  const headers = { authorization: `Bearer ${reply.accessToken}` }
  const address = `/api/me/security/mfa/devices/${device?.Reference}`
  expect((await app.as.guest.send('DELETE', address)).status).toBe(404)
  expect((await client.send('DELETE', address, { headers })).status).toBe(204)
  expect(await password(client)).toMatchObject({ verificationRequired: true })
})

test('the cookie of a device changes with every sign-in; a former one forgets all devices and tells the owner', async () => {
  await requireMfa()
  const client = browser()
  await enter(client, await referenceOf(client), await postedCode(), true)
  const thief = browser()
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await password(client)
  expect(client.cookies.get('tributary_device')).not.toBe(thief.cookies.get('tributary_device'))
  // Two tabs that sign in at once come with the same cookie.
  expect(await password(thief)).toMatchObject({ statusCode: 200 })
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await password(client)
  app.clock.advance(31_000)
  expect(await password(thief)).toMatchObject({ verificationRequired: true })
  expect(await password(client)).toMatchObject({ verificationRequired: true })
  expect((await app.lettersTo(emailAddress)).map(({ template }) => template)).toContain('account-changed')
})

test('an organisation or the provider that asks for MFA asks all its people, those at work included', async () => {
  const client = new TestClient(app.http, account)
  await client.signIn()
  await app.store.across((db) =>
    db.updateTable('organisation').set({ requiresMfa: true }).where('id', '=', app.harbour.id).execute(),
  )
  app.clock.advance(5_000)
  expect((await client.call(profile.read)).status).toBe(401)
  const code = async () => enter(browser(), await referenceOf(browser()), await postedCode())
  expect((await code()).body).toMatchObject({ requireMultiFactorAuthentication: true })
  expect(await new TestClient(app.http, { ...account, emailAddress: 'admin@other.example' }).signIn()).toMatchObject({
    statusCode: 200,
  })

  await app.store.across(async (db) => {
    await db.updateTable('organisation').set({ requiresMfa: false }).execute()
    await db.insertInto('setting').values({ key: 'RequireMultiFactorAuthentication', value: true }).execute()
  })
  const { body } = await browser().call(signInRoutes.withPassword, {
    body: { ...account, emailAddress: 'admin@other.example' },
  })
  expect(body).toMatchObject({ verificationRequired: true })
})

test('a password under eight characters needs a code in every browser that is not known', async () => {
  const passwordHash = await app.services.passwords.hash('s3cret')
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash }).where('id', '=', app.idOf('user')).execute(),
  )
  const client = browser()
  const short = { emailAddress, password: 's3cret' }
  const { body } = await client.call(signInRoutes.withPassword, { body: short })
  expect(body).toMatchObject({ verificationRequired: true })
  await enter(client, 'verificationReference' in body ? body.verificationReference : '', await postedCode())
  expect((await client.call(signInRoutes.withPassword, { body: short })).body).toMatchObject({ statusCode: 200 })
  expect((await browser().call(signInRoutes.withPassword, { body: short })).body).toMatchObject({
    verificationRequired: true,
  })
})

/** Signed in, with an authenticator app. */
async function withApp(): Promise<{ client: TestClient; secret: string; recoveryCodes: readonly string[] }> {
  const client = new TestClient(app.http, account)
  const { secret } = (await client.call(profile.beginTotp, { body: { password: trialPassword } })).body
  const { body } = await client.call(profile.confirmTotp, { body: { code: totp(secret) } })
  app.clock.advance(90_000)
  return { client, secret, recoveryCodes: body.recoveryCodes }
}
function totp(secret: string, atMs = app.clock.now()): string {
  return generateSync({ secret, epoch: Math.floor(atMs / 1_000) })
}

test('a code of the app is taken one step early or late, and none twice', async () => {
  const { secret } = await withApp()
  const asked = await password(browser())
  expect(asked).toMatchObject({ verificationMethods: ['totp', 'email', 'recovery'], verificationSentTo: null })
  const early = totp(secret, app.clock.now() + 30_000)
  expect((await enter(browser(), await referenceOf(browser()), totp(secret, app.clock.now() - 60_000))).status).toBe(
    401,
  )
  expect((await enter(browser(), await referenceOf(browser()), totp(secret, app.clock.now() - 30_000))).status).toBe(
    200,
  )
  expect((await enter(browser(), await referenceOf(browser()), early)).status).toBe(200)
  expect((await enter(browser(), await referenceOf(browser()), early)).status).toBe(401)
  expect((await enter(browser(), await referenceOf(browser()), totp(secret))).status).toBe(401)
})

test('a recovery code signs in once, however it is typed', async () => {
  const { recoveryCodes } = await withApp()
  expect(recoveryCodes).toHaveLength(10)
  const [first = '', second = ''] = recoveryCodes
  expect(first).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/u)
  expect((await enter(browser(), await referenceOf(browser()), first)).status).toBe(200)
  expect((await enter(browser(), await referenceOf(browser()), first)).status).toBe(401)
  expect((await enter(browser(), await referenceOf(browser()), second.toLowerCase().replaceAll('-', ' '))).status).toBe(
    200,
  )
})

test('whoever has an app may still ask for a code by e-mail', async () => {
  await withApp()
  const reference = await referenceOf(browser())
  await browser().call(signInRoutes.resendCode, { body: { reference } })
  expect((await enter(browser(), reference, await postedCode())).status).toBe(200)
})

test('a browser that was not seen before is told to the owner by mail, but not the very first one', async () => {
  const client = browser()
  await password(client)
  await password(client)
  expect(await app.lettersTo(emailAddress)).toEqual([])
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await browser().send('POST', '/api/auth/signin', { body: account, headers: { 'user-agent': agent } })
  expect(await app.lettersTo(emailAddress)).toMatchObject([
    { template: 'new-device', paragraphs: [expect.stringContaining('Firefox on Windows'), expect.any(String)] },
  ])
})
