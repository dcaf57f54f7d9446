/** Audit events of the second factor and of known browsers. */
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
})
afterEach(() => app[Symbol.asyncDispose]())

const account = { emailAddress: 'user@demo.example', password: trialPassword }

function browser(): TestClient {
  return new TestClient(app.http, null)
}
async function signInByPassword(client: TestClient): Promise<SignInReply> {
  return (await client.call(signInRoutes.withPassword, { body: account })).body
}
async function requestCode(client: TestClient): Promise<string> {
  const reply = await signInByPassword(client)
  return 'verificationReference' in reply ? reply.verificationReference : ''
}
/** The latest code. Advances the clock, because emails with equal timestamps have no defined order. */
async function mailedCode(): Promise<string> {
  app.clock.advance(1_000)
  return (await app.emailsTo(account.emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
async function submitCode(client: TestClient, verificationTrustDevice: boolean): Promise<number> {
  const body = {
    verificationReference: await requestCode(client),
    verificationCode: await mailedCode(),
    verificationTrustDevice,
  }
  return (await client.send('POST', '/api/auth/signin', { body })).status
}

/** Before the sign-in completes, events belong to no organisation's audit chain. */
const beforeSignIn = (outcome: string) => ({ actorId: app.idOf('user'), organisationId: null, outcome })
const afterSignIn = () => ({
  actorId: app.idOf('user'),
  organisationId: app.harbour.id,
  outcome: 'success',
  detail: { by: 'code' },
})

test('a request for a code, a wrong code and the right one are in the audit log with the account they concern', async () => {
  const client = browser()
  const verificationReference = await requestCode(client)
  expect(await findAuditEvents(app.store, 'authn.mfa_challenge')).toMatchObject([beforeSignIn('success')])
  const code = await mailedCode()
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const submit = (verificationCode: string) =>
    client.send('POST', '/api/auth/signin', { body: { verificationReference, verificationCode } })
  expect((await submit(wrong)).status).toBe(401)
  expect(await findAuditEvents(app.store, 'authn.mfa_fail')).toMatchObject([
    { ...beforeSignIn('failure'), detail: { context: 'signin' } },
  ])
  expect(await findAuditEvents(app.store, 'authn.mfa_success')).toEqual([])
  expect((await submit(code)).status).toBe(200)
  expect(await findAuditEvents(app.store, 'authn.mfa_success')).toMatchObject([afterSignIn()])
})

test('a trusted browser and a new browser are in the audit log; the first browser of an account is not reported as new', async () => {
  expect(await submitCode(browser(), true)).toBe(200)
  expect(await findAuditEvents(app.store, 'authn.device_trusted')).toMatchObject([afterSignIn()])
  expect(await findAuditEvents(app.store, 'authn.new_device')).toEqual([])
  expect(await submitCode(browser(), false)).toBe(200)
  expect(await findAuditEvents(app.store, 'authn.device_trusted')).toHaveLength(1)
  expect(await findAuditEvents(app.store, 'authn.new_device')).toMatchObject([afterSignIn()])
})

test('the use of a copied device cookie is in the audit log', async () => {
  const client = browser()
  await submitCode(client, true)
  const thief = browser()
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await signInByPassword(client)
  app.clock.advance(31_000)
  expect(await findAuditEvents(app.store, 'authn.device_reuse_detected')).toEqual([])
  expect(await signInByPassword(thief)).toMatchObject({ verificationRequired: true })
  expect(await findAuditEvents(app.store, 'authn.device_reuse_detected')).toMatchObject([beforeSignIn('refused')])
})
