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

/** A new browser that is not signed in. */
function browser(): TestClient {
  return new TestClient(app.http, null)
}
async function requireMfa(): Promise<void> {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
}
async function signInByPassword(client: TestClient): Promise<Exclude<SignInReply, { confirmationRequired: true }>> {
  const { status, body } = await client.call(signInRoutes.withPassword, { body: account })
  if (status !== 200 || 'confirmationRequired' in body) throw new Error(`The sign-in returned ${status}.`)
  return body
}
async function requestCode(client: TestClient): Promise<string> {
  const reply = await signInByPassword(client)
  if (!('verificationReference' in reply)) throw new Error('The sign-in did not require a code.')
  return reply.verificationReference
}
/** The latest code. Advances the clock, because emails with equal timestamps have no defined order. */
async function mailedCode(): Promise<string> {
  app.clock.advance(1_000)
  return (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
function submitCode(
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

test('[SIGN-10] a user with MFA on gets a code by e-mail, and the right one signs them in', async () => {
  await requireMfa()
  const client = browser()
  const challenge = await signInByPassword(client)
  expect(challenge).toEqual({
    verificationRequired: true,
    verificationReference: expect.any(String),
    verificationMethods: ['email'],
    verificationSentTo: 'u•••@demo.example',
  })
  expect(client.cookies.size).toBe(0)
  const code = await mailedCode()
  const reference = 'verificationReference' in challenge ? challenge.verificationReference : ''
  const reply = await submitCode(client, reference, code)
  expect(reply.body).toMatchObject({ statusCode: 200, email: emailAddress, requireMultiFactorAuthentication: true })
  expect((await client.refresh()).email).toBe(emailAddress)
})

test('[API-1 POST /verify] with the context signin the code signs in, too', async () => {
  await requireMfa()
  const reference = await requestCode(browser())
  const { body } = await browser().call(signInRoutes.verify, {
    body: { reference, code: await mailedCode(), context: 'signin' },
  })
  expect(body).toMatchObject({
    statusCode: 200,
    accessToken: expect.any(String),
    verificationDevices: [{ IsThisDevice: true, Trusted: false }],
  })
})

test('[SIGN-12] a wrong code, one for another context and one for an unknown reference are refused alike', async () => {
  await requireMfa()
  const reference = await requestCode(browser())
  const code = await mailedCode()
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
  expect((await submitCode(browser(), reference, code)).status).toBe(200)
})

test('a code works once, for ten minutes and for at most five attempts', async () => {
  await requireMfa()
  const used = await requestCode(browser())
  const code = await mailedCode()
  expect((await submitCode(browser(), used, code)).status).toBe(200)
  expect((await submitCode(browser(), used, code)).status).toBe(401)

  const old = await requestCode(browser())
  const late = await mailedCode()
  app.clock.advance(verificationMs)
  expect((await submitCode(browser(), old, late)).status).toBe(401)

  const spent = await requestCode(browser())
  const right = await mailedCode()
  for (let tries = 0; tries < 5; tries += 1)
    expect((await submitCode(browser(), spent, wrongCode(right))).status).toBe(401)
  expect((await submitCode(browser(), spent, right)).status).toBe(401)
})

test('ten wrong codes within a quarter of an hour block every reference of that account', async () => {
  await requireMfa()
  for (let questions = 0; questions < 2; questions += 1) {
    const reference = await requestCode(browser())
    const right = await mailedCode()
    for (let tries = 0; tries < 5; tries += 1) await submitCode(browser(), reference, wrongCode(right))
  }
  const reference = await requestCode(browser())
  const reply = await submitCode(browser(), reference, await mailedCode())
  expect([reply.status, Number(reply.headers['retry-after']) > 800]).toEqual([429, true])
})

test('[API-1 POST /verify/resend] a new code replaces the previous one, three times in a quarter of an hour', async () => {
  await requireMfa()
  const reference = await requestCode(browser())
  const first = await mailedCode()
  expect((await browser().call(signInRoutes.resendCode, { body: { reference } })).body).toEqual({
    verificationSentTo: 'u•••@demo.example',
  })
  const second = await mailedCode()
  await browser().call(signInRoutes.resendCode, { body: { reference } })
  const third = await mailedCode()
  const fourth = await browser().send<FaultReply>('POST', '/api/verify/resend', { body: { reference } })
  expect([fourth.status, fourth.body.code]).toEqual([429, 'tooMany'])
  for (const former of [first, second])
    if (former !== third) expect((await submitCode(browser(), reference, former)).status).toBe(401)
  expect((await submitCode(browser(), reference, third)).status).toBe(200)
  const unknown = await browser().send<FaultReply>('POST', '/api/verify/resend', { body: { reference: 'nonsense' } })
  expect([unknown.status, unknown.body.code]).toEqual([401, 'verificationFailed'])
})

test('[SIGN-13] a trusted device needs no code for thirty days, for its owner only', async () => {
  await requireMfa()
  const client = browser()
  await submitCode(client, await requestCode(client), await mailedCode(), true)
  const again = await signInByPassword(client)
  expect(again).toMatchObject({ statusCode: 200, verificationDevices: [{ Trusted: true, IsThisDevice: true }] })
  const other = await client.send('POST', '/api/auth/signin', {
    body: { ...account, emailAddress: 'guest@demo.example' },
  })
  expect(other.body).toMatchObject({ verificationDevices: [{ Trusted: false, IsThisDevice: true }] })
  expect(await signInByPassword(client)).toMatchObject({ statusCode: 200 })
  expect(await signInByPassword(browser())).toMatchObject({ verificationRequired: true })
  app.clock.advance(trustedDeviceMs + 1_000)
  expect(await signInByPassword(client)).toMatchObject({ verificationRequired: true })
})

test('[SIGN-13] [API-1 DELETE /me/security/mfa/devices/{id}] after deleting the device its browser needs a code again', async () => {
  await requireMfa()
  const client = browser()
  await submitCode(client, await requestCode(client), await mailedCode(), true)
  const reply = await signInByPassword(client)
  if (!('accessToken' in reply)) throw new Error('The device was not trusted.')
  const [device] = reply.verificationDevices
  const headers = { authorization: `Bearer ${reply.accessToken}` }
  const address = `/api/me/security/mfa/devices/${device?.Reference}`
  expect((await app.as.guest.send('DELETE', address)).status).toBe(404)
  expect((await client.send('DELETE', address, { headers })).status).toBe(204)
  expect(await signInByPassword(client)).toMatchObject({ verificationRequired: true })
})

test('the device cookie changes with every sign-in; a previous one removes all devices and notifies the owner', async () => {
  await requireMfa()
  const client = browser()
  await submitCode(client, await requestCode(client), await mailedCode(), true)
  const thief = browser()
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await signInByPassword(client)
  expect(client.cookies.get('tributary_device')).not.toBe(thief.cookies.get('tributary_device'))
  // Two tabs that sign in concurrently send the same cookie.
  expect(await signInByPassword(thief)).toMatchObject({ statusCode: 200 })
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await signInByPassword(client)
  app.clock.advance(31_000)
  expect(await signInByPassword(thief)).toMatchObject({ verificationRequired: true })
  expect(await signInByPassword(client)).toMatchObject({ verificationRequired: true })
  expect((await app.emailsTo(emailAddress)).map(({ template }) => template)).toContain('account-changed')
})

test('MFA required by an organisation or the provider applies to all its users, those with a session included', async () => {
  const client = new TestClient(app.http, account)
  await client.signIn()
  await app.store.across((db) =>
    db.updateTable('organisation').set({ requiresMfa: true }).where('id', '=', app.harbour.id).execute(),
  )
  app.clock.advance(5_000)
  expect((await client.call(profile.read)).status).toBe(401)
  const code = async () => submitCode(browser(), await requestCode(browser()), await mailedCode())
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
  await submitCode(client, 'verificationReference' in body ? body.verificationReference : '', await mailedCode())
  expect((await client.call(signInRoutes.withPassword, { body: short })).body).toMatchObject({ statusCode: 200 })
  expect((await browser().call(signInRoutes.withPassword, { body: short })).body).toMatchObject({
    verificationRequired: true,
  })
})

/** Signs in and sets up an authenticator app. */
async function setUpAuthenticatorApp(): Promise<{
  client: TestClient
  secret: string
  recoveryCodes: readonly string[]
}> {
  const client = new TestClient(app.http, account)
  const { secret } = (await client.call(profile.beginTotp, { body: { password: trialPassword } })).body
  const { body } = await client.call(profile.confirmTotp, { body: { code: totp(secret) } })
  app.clock.advance(90_000)
  return { client, secret, recoveryCodes: body.recoveryCodes }
}
function totp(secret: string, atMs = app.clock.now()): string {
  return generateSync({ secret, epoch: Math.floor(atMs / 1_000) })
}

/** @returns the status of a sign-in in a new browser. */
const signInByCode = async (code: string) => (await submitCode(browser(), await requestCode(browser()), code)).status

test('a code of the app is accepted one step early or late, and none twice', async () => {
  const { secret } = await setUpAuthenticatorApp()
  const challenge = await signInByPassword(browser())
  expect(challenge).toMatchObject({ verificationMethods: ['totp', 'email', 'recovery'], verificationSentTo: null })
  const early = totp(secret, app.clock.now() + 30_000)
  expect(await signInByCode(totp(secret, app.clock.now() - 60_000))).toBe(401)
  expect(await signInByCode(totp(secret, app.clock.now() - 30_000))).toBe(200)
  expect(await signInByCode(early)).toBe(200)
  expect(await signInByCode(early)).toBe(401)
  expect(await signInByCode(totp(secret))).toBe(401)
})

test('a recovery code signs in once, in any case and with any separators', async () => {
  const { recoveryCodes } = await setUpAuthenticatorApp()
  expect(recoveryCodes).toHaveLength(10)
  const [first = '', second = ''] = recoveryCodes
  expect(first).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/u)
  expect(await signInByCode(first)).toBe(200)
  expect(await signInByCode(first)).toBe(401)
  expect(await signInByCode(second.toLowerCase().replaceAll('-', ' '))).toBe(200)
})

test('a user with an app may still request a code by e-mail', async () => {
  await setUpAuthenticatorApp()
  const reference = await requestCode(browser())
  await browser().call(signInRoutes.resendCode, { body: { reference } })
  expect((await submitCode(browser(), reference, await mailedCode())).status).toBe(200)
})

test('the owner is notified of a new browser by email, but not of the very first one', async () => {
  const client = browser()
  await signInByPassword(client)
  await signInByPassword(client)
  expect(await app.emailsTo(emailAddress)).toEqual([])
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await browser().send('POST', '/api/auth/signin', { body: account, headers: { 'user-agent': agent } })
  expect(await app.emailsTo(emailAddress)).toMatchObject([
    { template: 'new-device', paragraphs: [expect.stringContaining('Firefox on Windows'), expect.any(String)] },
  ])
})
