import type { FaultReply } from '@tributary/contract/faults'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
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
const password = trialPassword

function browser(): TestClient {
  return new TestClient(app.http, account)
}
async function mailedCode(): Promise<string> {
  app.clock.advance(1_000)
  return (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
async function listNotifications(): Promise<readonly string[]> {
  const letters = await app.emailsTo(emailAddress)
  return letters.filter(({ template }) => template === 'account-changed').map(({ paragraphs }) => paragraphs[0] ?? '')
}
function totp(secret: string): string {
  return generateSync({ secret, epoch: Math.floor(app.clock.now() / 1_000) })
}
async function switchMfa(client: TestClient, enable: boolean) {
  const { body } = await client.call(profile.switchMfa, { body: { enable } })
  return client.call(profile.switchMfa, {
    body: { enable, verificationReference: body.verificationReference, verificationCode: await mailedCode() },
  })
}

/** The outcomes of the user's audit events. */
async function listOutcomes(action: AuditAction): Promise<readonly string[]> {
  const own = { actorId: app.idOf('user'), organisationId: null }
  const events = await findAuditEvents(app.store, action)
  expect(events).toMatchObject(events.map(() => own))
  return events.map(({ outcome }) => outcome)
}

test('[PROF-1] [API-1 GET /me/security] lists the sign-in methods of the account', async () => {
  expect((await browser().call(profile.read)).body).toEqual({
    RequireMultiFactorAuthentication: false,
    RequiredBy: null,
    HasPassword: true,
    HasAuthenticatorApp: false,
    Passkeys: [],
    RecoveryCodesLeft: 0,
    VerificationDevices: [
      expect.objectContaining({ Trusted: false, IsThisDevice: true, Description: 'Another program' }),
    ],
    ExternalIdentities: [],
  })
})

test('[PROF-2] [API-1 POST /me/security/mfa] requires a code, then switches, and ends the other sessions', async () => {
  const client = browser()
  const elsewhere = browser()
  await elsewhere.signIn()
  const { body: challenge } = await client.call(profile.switchMfa, { body: { enable: true } })
  expect(challenge).toMatchObject({
    verificationRequired: true,
    verificationReference: expect.any(String),
    verificationSentTo: 'u•••@demo.example',
  })
  const { verificationReference } = challenge
  const code = await mailedCode()
  const wrong = await client.call(profile.switchMfa, {
    body: { enable: true, verificationReference, verificationCode: '12345x' },
  })
  expect([wrong.status, wrong.body]).toEqual([200, { errorMessage: expect.stringContaining('code') }])
  const { body: done } = await client.call(profile.switchMfa, {
    body: { enable: true, verificationReference, verificationCode: code },
  })
  expect(done.verificationDevices).toEqual(
    expect.arrayContaining([expect.objectContaining({ IsThisDevice: true, Trusted: false })]),
  )
  expect(new Set(done.recoveryCodes).size).toBe(10)
  expect(await listOutcomes('authn.recovery_codes_made')).toEqual(['success'])

  expect((await client.call(profile.read)).body.RequireMultiFactorAuthentication).toBe(true)
  expect((await elsewhere.call(profile.read)).status).toBe(401)
  expect((await client.refresh()).requireMultiFactorAuthentication).toBe(true)
  expect(await listNotifications()).toEqual(['Multi-factor authentication was switched on.'])

  expect((await switchMfa(client, false)).body).toEqual({})
  expect((await client.call(profile.read)).body.RequireMultiFactorAuthentication).toBe(false)
  // Existing recovery codes stay valid.
  expect((await switchMfa(client, true)).body).not.toHaveProperty('recoveryCodes')
  expect(await listOutcomes('authn.mfa_enabled')).toEqual(['success', 'success'])
  expect(await listOutcomes('authn.mfa_disabled')).toEqual(['success'])
  expect(await listOutcomes('authn.mfa_fail')).toEqual(['failure'])
})

test('[API-1 POST /verify] a code verified in the context mfa replaces it for the switch, once, and in one direction only', async () => {
  const client = browser()
  const requestCode = async () =>
    (await client.call(profile.switchMfa, { body: { enable: true } })).body.verificationReference ?? ''
  const reference = await requestCode()
  const code = await mailedCode()
  const unproven = await client.call(profile.switchMfa, { body: { enable: true, verificationReference: reference } })
  expect(unproven.body.errorMessage).toBeDefined()
  expect((await app.as.visitor.call(signInRoutes.verify, { body: { reference, code, context: 'mfa' } })).body).toEqual({
    statusCode: 200,
    code: null,
  })
  const foreign = await app.as.guest.call(profile.switchMfa, {
    body: { enable: true, verificationReference: reference },
  })
  expect(foreign.body.errorMessage).toBeDefined()
  expect((await app.as.guest.call(profile.read)).body.RequireMultiFactorAuthentication).toBe(false)
  // A reference without its code, and one that another user has verified.
  const attempts = ['user', 'guest'] as const
  expect(await findAuditEvents(app.store, 'authn.mfa_fail')).toMatchObject(
    attempts.map((name) => ({ actorId: app.idOf(name), outcome: 'failure' })),
  )

  const second = await requestCode()
  await app.as.visitor.call(signInRoutes.verify, {
    body: { reference: second, code: await mailedCode(), context: 'mfa' },
  })
  expect(
    (await client.call(profile.switchMfa, { body: { enable: true, verificationReference: second } })).body.errorMessage,
  ).toBeUndefined()
  expect(
    (await client.call(profile.switchMfa, { body: { enable: true, verificationReference: second } })).body.errorMessage,
  ).toBeDefined()
})

test('[PROF-2] MFA required by an organisation cannot be switched off, and the reason names the organisation', async () => {
  await app.store.across((db) =>
    db.updateTable('organisation').set({ requiresMfa: true }).where('id', '=', app.harbour.id).execute(),
  )
  const visitor = new TestClient(app.http, null)
  const { body } = await visitor.call(signInRoutes.withPassword, { body: account })
  const verificationReference = 'verificationReference' in body ? body.verificationReference : ''
  const signedIn = await visitor.call(signInRoutes.withPassword, {
    body: { verificationReference, verificationCode: await mailedCode() },
  })
  const headers = { authorization: `Bearer ${'accessToken' in signedIn.body ? signedIn.body.accessToken : ''}` }
  const reply = await visitor.send('POST', '/api/me/security/mfa', { body: { enable: false }, headers })
  expect([reply.status, reply.body]).toEqual([
    200,
    { errorMessage: 'It cannot be switched off: Harbour Trading asks for it.' },
  ])
})

test('[PROF-3] devices are listed with their names, and can be deleted', async () => {
  const agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  await new TestClient(app.http, null).send('POST', '/api/auth/signin', {
    body: account,
    headers: { 'user-agent': agent },
  })
  app.clock.advance(1_000)
  const client = browser()
  const devices = (await client.call(profile.read)).body.VerificationDevices
  expect(devices).toMatchObject([
    { IsThisDevice: true },
    { Description: 'Safari on iPhone', IsThisDevice: false, Trusted: false },
  ])
  const params = { deviceId: devices[1]?.Reference ?? '' }
  expect((await client.call(profile.forgetDevice, { params })).status).toBe(204)
  expect((await client.call(profile.forgetDevice, { params })).status).toBe(404)
  expect((await client.call(profile.read)).body.VerificationDevices).toHaveLength(1)
  expect(await listOutcomes('authn.device_removed')).toEqual(['success'])
})

test('[API-1 POST /me/security/totp] an authenticator app is active after its first code, and comes with recovery codes', async () => {
  const client = browser()
  const begun = (await client.call(profile.beginTotp, { body: { password } })).body
  expect(begun.uri).toContain(`secret=${begun.secret}`)
  expect(begun.qr).toMatch(/^data:image\/svg\+xml;base64,/u)
  const wrong = await client.send<FaultReply>('POST', '/api/me/security/totp/confirm', { body: { code: '12345x' } })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'codeNotRight'])
  expect((await client.call(profile.read)).body).toMatchObject({
    HasAuthenticatorApp: false,
    RequireMultiFactorAuthentication: false,
  })
  const { body } = await client.call(profile.confirmTotp, { body: { code: totp(begun.secret) } })
  expect(body.recoveryCodes).toHaveLength(10)
  expect((await client.call(profile.read)).body).toMatchObject({
    HasAuthenticatorApp: true,
    RequireMultiFactorAuthentication: true,
    RecoveryCodesLeft: 10,
  })
  const stored = await app.store.across((db) => db.selectFrom('totp').selectAll().execute())
  expect(JSON.stringify(stored)).not.toContain(begun.secret)
  const renewed = (await client.call(profile.newRecoveryCodes, { body: { password } })).body.recoveryCodes
  expect(new Set([...renewed, ...body.recoveryCodes]).size).toBe(20)
  expect((await client.call(profile.removeTotp, { body: { password } })).status).toBe(204)
  expect((await client.call(profile.removeTotp, { body: { password } })).status).toBe(404)
  expect(await listNotifications()).toHaveLength(3)
  for (const action of ['authn.factor_added', 'authn.factor_removed'] as const)
    expect(await listOutcomes(action)).toEqual(['success'])
  // The codes that came with the app, and the requested ones.
  expect(await listOutcomes('authn.recovery_codes_made')).toEqual(['success', 'success'])
  expect(await listOutcomes('authn.mfa_fail')).toEqual(['failure'])
})

test('an unconfirmed new app does not affect the active one', async () => {
  const client = browser()
  const { secret } = (await client.call(profile.beginTotp, { body: { password } })).body
  await client.call(profile.confirmTotp, { body: { code: totp(secret) } })
  await client.call(profile.beginTotp, { body: { password } })
  app.clock.advance(60_000)
  const { body } = await client.call(profile.switchMfa, { body: { enable: true } })
  const done = await client.call(profile.switchMfa, {
    body: { enable: true, verificationReference: body.verificationReference, verificationCode: totp(secret) },
  })
  expect(done.body.errorMessage).toBeUndefined()
})

test('a person at an unlocked browser cannot change its owner’s sign-in methods', async () => {
  const client = browser()
  const calls = [
    ['POST', '/api/me/security/totp'],
    ['DELETE', '/api/me/security/totp'],
    ['POST', '/api/me/security/passkeys/options'],
    ['POST', '/api/me/security/recovery-codes'],
    ['DELETE', '/api/me/external/acme'],
  ] as const
  for (const [method, path] of calls) {
    const reply = await client.send<FaultReply>(method, path, { body: {} })
    expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'passwordNeeded'])
    app.clock.advance(60_000)
  }
  const guess = () =>
    client.send<FaultReply>('POST', '/api/me/password', {
      body: { currentPassword: 'wrong-1', password: 'a-good-one-77' },
    })
  expect([(await guess()).status, (await guess()).status]).toEqual([403, 429])
})

test('[API-1 GET /me/sessions] lists the user’s sessions; one of them, or all, can be ended', async () => {
  const client = browser()
  await client.signIn()
  app.clock.advance(1_000)
  const other = browser()
  await other.signIn()
  const { body: sessions } = await other.call(profile.sessions)
  expect(sessions).toMatchObject([
    { IsThisSession: true, DeviceName: 'Another program', Address: '127.0.0.1' },
    { IsThisSession: false, StartedAtUtc: expect.any(String) },
  ])
  const params = { sessionId: sessions[1]?.Id ?? '' }
  expect((await app.as.guest.call(profile.endSession, { params })).status).toBe(404)
  expect((await other.call(profile.endSession, { params })).status).toBe(204)
  expect((await client.call(profile.read)).status).toBe(401)
  expect((await other.call(profile.endAllSessions)).status).toBe(204)
  expect([...other.cookies.keys()]).toEqual(['tributary_device'])
  expect((await other.call(profile.read)).status).toBe(401)
  expect(await listOutcomes('session.revoked_by_user')).toEqual(['success', 'success'])
})

test('[API-1 DELETE /me/external/{provider}] an external identity can be unlinked, unless it is the only sign-in method', async () => {
  const identity = {
    issuer: 'https://acme.example',
    subject: '1',
    provider: 'acme',
    userId: app.idOf('user'),
    emailAddress,
  }
  await app.store.across((db) => db.insertInto('externalIdentity').values(identity).execute())
  const client = browser()
  const params = { provider: 'acme' }
  expect((await client.call(profile.read)).body.ExternalIdentities).toMatchObject([
    { Provider: 'acme', EmailAddress: emailAddress },
  ])
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash: null }).where('id', '=', app.idOf('user')).execute(),
  )
  expect((await client.send<FaultReply>('DELETE', '/api/me/external/acme', { body: {} })).body.code).toBe('onlyWayIn')
  const passwordHash = await app.services.passwords.hash(password)
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash }).where('id', '=', app.idOf('user')).execute(),
  )
  expect((await client.call(profile.unlinkProvider, { params, body: { password } })).status).toBe(204)
  expect((await client.call(profile.unlinkProvider, { params, body: { password } })).status).toBe(404)
  expect(await listOutcomes('authn.oidc_unlinked')).toEqual(['success'])
})
