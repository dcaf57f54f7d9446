import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trialPassword } from '../../trial/people.ts'
import { isoTime } from '../../kernel/clock.ts'
import { failuresMin } from './sign-in-circuit-breaker.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_MODE: 'production', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  app.clock.advance(600_000 - (app.clock.now() % 600_000))
})
afterEach(() => app[Symbol.asyncDispose]())

const right = { emailAddress: 'user@demo.example', password: trialPassword }
let guesses = 0

/** Each attempt has a separate address and account, so that no other limit applies. */
async function guess(times: number): Promise<readonly number[]> {
  const sent = Array.from({ length: times }, async () => {
    guesses += 1
    const headers = { 'x-forwarded-for': `10.${guesses >> 8}.${guesses & 255}.1` }
    const body = { emailAddress: `person${guesses}@demo.example`, password: 'wrong-1' }
    return (await app.as.visitor.send('POST', '/api/auth/signin', { body, headers })).status
  })
  return Promise.all(sent)
}

async function guessMany(times: number): Promise<void> {
  for (let left = times; left > 0; left -= 20) await guess(Math.min(left, 20))
  app.clock.advance(5_001)
}

async function signIn(client: TestClient, more: Readonly<Record<string, unknown>> = {}): Promise<unknown[]> {
  const { status, body } = await client.send<Partial<FaultReply>>('POST', '/api/auth/signin', {
    body: { ...right, ...more },
  })
  return [status, body.code]
}

test('during distributed password guessing an unknown browser must pass a captcha', async () => {
  const known = new TestClient(app.http, null)
  expect(await signIn(known)).toEqual([200, undefined])
  await guessMany(failuresMin)
  expect(await signIn(new TestClient(app.http, null))).toEqual([200, undefined])
  await guessMany(1)
  const stranger = new TestClient(app.http, null)
  expect(await signIn(stranger)).toEqual([422, 'captchaNeeded'])
  expect(app.logLines.join('')).toContain('far more sign-ins fail than usual')
  expect(await signIn(stranger, { recaptchaToken: 'nonsense' })).toEqual([422, 'captchaFailed'])
  const recaptchaToken = await solveCaptcha(app)
  expect(await signIn(stranger, { recaptchaToken })).toEqual([200, undefined])
  expect(await signIn(new TestClient(app.http, null), { recaptchaToken })).toEqual([422, 'captchaFailed'])
  expect(await signIn(known)).toEqual([200, undefined])
  // Refused attempts use up no one's attempts, and an unknown address gets the same reply.
  expect(new Set(await guess(10))).toEqual(new Set([422]))
})

test('the breaker closes when the guessing ends', async () => {
  await guessMany(failuresMin + 1)
  expect((await signIn(new TestClient(app.http, null)))[0]).toBe(422)
  app.clock.advance(20 * 60_000)
  expect((await signIn(new TestClient(app.http, null)))[0]).toBe(200)
})

test('the breaker opens at five times the usual rate', async () => {
  const now = app.clock.now()
  const week = Array.from({ length: 1_000 }, (_, number) => ({
    since: isoTime(now - (number + 2) * 600_000),
    failures: 40,
  }))
  await app.store.across((db) => db.insertInto('signInFailure').values(week).execute())
  await app.store.across((db) =>
    db
      .insertInto('signInFailure')
      .values({ since: isoTime(now), failures: 200 })
      .execute(),
  )
  app.clock.advance(5_001)
  expect((await signIn(new TestClient(app.http, null)))[0]).toBe(200)
  await guessMany(1)
  expect((await signIn(new TestClient(app.http, null)))[0]).toBe(422)
})

test('a trial never requires a captcha', async () => {
  await using trial = await testApp()
  for (let round = 0; round < 7; round += 1)
    await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        trial.as.visitor.send('POST', '/api/auth/signin', {
          body: { emailAddress: `person${round}-${number}@demo.example`, password: 'wrong-1' },
        }),
      ),
    )
  trial.clock.advance(5_001)
  expect((await signIn(new TestClient(trial.http, null)))[0]).toBe(200)
})
