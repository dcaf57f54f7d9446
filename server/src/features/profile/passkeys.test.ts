import type { FaultReply } from '@tributary/contract/faults'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { Authenticator } from '@tributary/testing/server/identity/authenticator.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const account = { emailAddress: 'user@demo.example', password: trialPassword }
const password = trialPassword

function browser(): TestClient {
  return new TestClient(app.http, null)
}
async function enrol(client: TestClient, authenticator: Authenticator) {
  const { reference, options } = (await client.call(profile.passkeyOptions, { body: { password } })).body
  return client.send<FaultReply & { recoveryCodes: string[] }>('POST', '/api/me/security/passkeys', {
    body: { reference, name: 'My key', passkey: authenticator.create(options) },
  })
}
/** @param reference from the first factor; without one, the passkey is the only factor. */
async function signIn(authenticator: Authenticator, reference?: string) {
  const body = reference === undefined ? {} : { verificationReference: reference }
  const { verificationReference, options } = (await browser().call(signInRoutes.passkeyOptions, { body })).body
  return submitPasskey(verificationReference, authenticator.get(options))
}
function submitPasskey(verificationReference: string, passkey: unknown) {
  return browser().send<FaultReply>('POST', '/api/auth/signin', { body: { verificationReference, passkey } })
}

test('[API-1 POST /me/security/passkeys] a passkey is stored, listed, switches MFA on, and can be removed', async () => {
  const client = new TestClient(app.http, account)
  const authenticator = new Authenticator()
  const { status, body } = await enrol(client, authenticator)
  expect([status, body.recoveryCodes.length]).toEqual([200, 10])
  const shown = (await client.call(profile.read)).body
  expect(shown).toMatchObject({
    RequireMultiFactorAuthentication: true,
    Passkeys: [{ Name: 'My key', LastUsedAtUtc: null }],
  })
  const again = await enrol(client, authenticator)
  expect([again.status, again.body.code]).toEqual([422, 'codeNotRight'])
  expect(await findAuditEvents(app.store, 'authn.mfa_fail')).toMatchObject([
    { actorId: app.idOf('user'), outcome: 'failure' },
  ])
  const params = { passkeyId: shown.Passkeys[0]?.Id ?? '' }
  expect((await app.as.guest.call(profile.removePasskey, { params, body: { password } })).status).toBe(404)
  expect((await client.call(profile.removePasskey, { params, body: { password } })).status).toBe(204)
  expect((await client.call(profile.read)).body.Passkeys).toEqual([])
})

test('[API-1 POST /auth/passkey] a passkey is the second factor, or the only one', async () => {
  const client = new TestClient(app.http, account)
  const authenticator = new Authenticator()
  await enrol(client, authenticator)
  const { body: challenge } = await browser().call(signInRoutes.withPassword, { body: account })
  expect(challenge).toMatchObject({ verificationMethods: ['passkey', 'email', 'recovery'], verificationSentTo: null })
  const second = await signIn(
    authenticator,
    'verificationReference' in challenge ? challenge.verificationReference : '',
  )
  expect(second.body).toMatchObject({ statusCode: 200, email: account.emailAddress })
  expect((await signIn(authenticator)).body).toMatchObject({ statusCode: 200, email: account.emailAddress })
})

test('a passkey of another user or another site, a copied one and a reused response are refused', async () => {
  const client = new TestClient(app.http, account)
  const authenticator = new Authenticator()
  await enrol(client, authenticator)
  const requestReference = async (emailAddress: string) => {
    const { body } = await browser().call(signInRoutes.withPassword, { body: { ...account, emailAddress } })
    return 'verificationReference' in body ? body.verificationReference : ''
  }
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('guest')).execute(),
  )
  expect((await signIn(authenticator, await requestReference('guest@demo.example'))).status).toBe(401)
  expect((await signIn(new Authenticator())).status).toBe(401)

  const { verificationReference, options } = (await browser().call(signInRoutes.passkeyOptions, { body: {} })).body
  const passkey = authenticator.get(options)
  expect((await submitPasskey(verificationReference, passkey)).status).toBe(200)
  expect((await submitPasskey(verificationReference, passkey)).status).toBe(401)
  const other = (await browser().call(signInRoutes.passkeyOptions, { body: {} })).body
  expect((await submitPasskey(other.verificationReference, passkey)).status).toBe(401)
  expect((await submitPasskey(other.verificationReference, { id: passkey['id'], nonsense: true })).status).toBe(401)
  authenticator.forgetCounter()
  expect((await signIn(authenticator)).status).toBe(401)

  const elsewhere = await enrol(
    new TestClient(app.http, { ...account, emailAddress: 'admin@demo.example' }),
    new Authenticator('https://evil.example'),
  )
  expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'codeNotRight'])
})

test('a passkey of a locked account cannot sign in', async () => {
  const client = new TestClient(app.http, account)
  const authenticator = new Authenticator()
  await enrol(client, authenticator)
  await app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ statusId: '00000000-0000-4000-8000-000000000021' })
      .where('id', '=', app.idOf('user'))
      .execute(),
  )
  const reply = await signIn(authenticator)
  expect([reply.status, reply.body.message]).toEqual([401, 'Verification failed.'])
})

test('malformed transports in a passkey’s response are ignored', async () => {
  const client = new TestClient(app.http, account)
  const { reference, options } = (await client.call(profile.passkeyOptions, { body: { password } })).body
  const passkey = new Authenticator().create(options)
  const response = { ...(passkey['response'] as object), transports: '{usb' }
  const { status } = await client.call(profile.addPasskey, {
    body: { reference, name: 'My key', passkey: { ...passkey, response } },
  })
  expect(status).toBe(200)
})
