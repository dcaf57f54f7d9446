/** Guesses from elsewhere do not slow down the owner in a known browser. */
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
function submitCode(client: TestClient, verificationReference: string, verificationCode: string) {
  return client.send<FaultReply & SignInReply>('POST', '/api/auth/signin', {
    body: { verificationReference, verificationCode },
  })
}
const wrongCode = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

test('an attacker who knows the password and uses up codes and guesses elsewhere cannot lock out a known browser', async () => {
  const known = browser()
  await signInByPassword(known)
  await requireMfa()
  for (let requested = 0; requested < 3; requested += 1) {
    const reference = await requestCode(browser())
    const code = await mailedCode()
    for (let guess = 0; guess < 4; guess += 1) await submitCode(browser(), reference, wrongCode(code))
  }
  const elsewhere = await browser().send('POST', '/api/auth/signin', { body: account })
  expect(elsewhere.status).toBe(429)
  const reference = await requestCode(known)
  expect((await submitCode(known, reference, await mailedCode())).status).toBe(200)
  // A known browser has no more guesses than any other.
  const guessing = await requestCode(known)
  const code = await mailedCode()
  for (let guess = 0; guess < 5; guess += 1)
    expect((await submitCode(known, guessing, wrongCode(code))).status).toBe(401)
  expect((await submitCode(known, guessing, code)).status).toBe(401)
})
