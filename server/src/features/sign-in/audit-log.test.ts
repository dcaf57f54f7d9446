/** What the audit log says of the second step of signing in, and of the browsers that it makes known. */
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audited } from '@tributary/testing/server/app/audit-log.ts'
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
async function password(client: TestClient): Promise<SignInReply> {
  return (await client.call(signInRoutes.withPassword, { body: account })).body
}
async function referenceOf(client: TestClient): Promise<string> {
  const reply = await password(client)
  return 'verificationReference' in reply ? reply.verificationReference : ''
}
/** The latest code that was posted; letters of one moment are in no order. */
async function postedCode(): Promise<string> {
  app.clock.advance(1_000)
  return (await app.lettersTo(account.emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
async function enter(client: TestClient, verificationTrustDevice: boolean): Promise<number> {
  const body = {
    verificationReference: await referenceOf(client),
    verificationCode: await postedCode(),
    verificationTrustDevice,
  }
  return (await client.send('POST', '/api/auth/signin', { body })).status
}

/** By whom, and in the chain of no organisation: nobody is let in yet. */
const atTheDoor = (outcome: string) => ({ actorId: app.idOf('user'), organisationId: null, outcome })
const letIn = () => ({
  actorId: app.idOf('user'),
  organisationId: app.harbour.id,
  outcome: 'success',
  detail: { by: 'code' },
})

test('a question for a code, a wrong answer and the right one are in the audit log, each under the name of the person asked', async () => {
  const client = browser()
  const verificationReference = await referenceOf(client)
  expect(await audited(app.store, 'authn.mfa_challenge')).toMatchObject([atTheDoor('success')])
  const code = await postedCode()
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const type = (verificationCode: string) =>
    client.send('POST', '/api/auth/signin', { body: { verificationReference, verificationCode } })
  expect((await type(wrong)).status).toBe(401)
  expect(await audited(app.store, 'authn.mfa_fail')).toMatchObject([
    { ...atTheDoor('failure'), detail: { context: 'signin' } },
  ])
  expect(await audited(app.store, 'authn.mfa_success')).toEqual([])
  expect((await type(code)).status).toBe(200)
  expect(await audited(app.store, 'authn.mfa_success')).toMatchObject([letIn()])
})

test('a browser that is trusted, or that was not seen before, is in the audit log; the first one is news to nobody', async () => {
  expect(await enter(browser(), true)).toBe(200)
  expect(await audited(app.store, 'authn.device_trusted')).toMatchObject([letIn()])
  expect(await audited(app.store, 'authn.new_device')).toEqual([])
  expect(await enter(browser(), false)).toBe(200)
  expect(await audited(app.store, 'authn.device_trusted')).toHaveLength(1)
  expect(await audited(app.store, 'authn.new_device')).toMatchObject([letIn()])
})

test('a copy of what makes a browser known is in the audit log once it is used', async () => {
  const client = browser()
  await enter(client, true)
  const thief = browser()
  thief.cookies.set('tributary_device', client.cookies.get('tributary_device') ?? '')
  await password(client)
  app.clock.advance(31_000)
  expect(await audited(app.store, 'authn.device_reuse_detected')).toEqual([])
  expect(await password(thief)).toMatchObject({ verificationRequired: true })
  expect(await audited(app.store, 'authn.device_reuse_detected')).toMatchObject([atTheDoor('refused')])
})
