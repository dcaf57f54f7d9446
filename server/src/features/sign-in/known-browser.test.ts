/** What guesses from elsewhere cost the owner in a browser that is known: nothing. */
import type { FaultReply } from '@tributary/contract/faults'
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
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
function enter(client: TestClient, verificationReference: string, verificationCode: string) {
  return client.send<FaultReply & SignInReply>('POST', '/api/auth/signin', {
    body: { verificationReference, verificationCode },
  })
}
const wrongCode = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

test('who knows the password and uses up codes and guesses elsewhere keeps nobody out of a known browser', async () => {
  const known = browser()
  await password(known)
  await requireMfa()
  for (let asked = 0; asked < 3; asked += 1) {
    const reference = await referenceOf(browser())
    const code = await postedCode()
    for (let guess = 0; guess < 4; guess += 1) await enter(browser(), reference, wrongCode(code))
  }
  const elsewhere = await browser().send('POST', '/api/auth/signin', { body: account })
  expect(elsewhere.status).toBe(429)
  const reference = await referenceOf(known)
  expect((await enter(known, reference, await postedCode())).status).toBe(200)
  // A known browser has no more guesses than any other.
  const guessing = await referenceOf(known)
  const code = await postedCode()
  for (let guess = 0; guess < 5; guess += 1) expect((await enter(known, guessing, wrongCode(code))).status).toBe(401)
  expect((await enter(known, guessing, code)).status).toBe(401)
})
