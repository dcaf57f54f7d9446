import { signUpRoutes } from '@tributary/contract/sign-up'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newEmailAddress, newPassword, trySignUp } from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
})
afterEach(() => app[Symbol.asyncDispose]())

const taken = 'user@demo.example'

test('[REG-3] [API-1 GET /registration/verify] reports whether an address is free, twenty times an hour', async () => {
  const checkAddress = (emailAddress: string) => app.as.visitor.call(signUpRoutes.verify, { query: { emailAddress } })
  expect((await checkAddress(newEmailAddress())).body).toEqual({ data: true })
  expect((await checkAddress('USER@demo.example')).body).toEqual({ data: false })
  for (let times = 2; times < 20; times += 1) await checkAddress(newEmailAddress())
  const refused = await checkAddress(taken)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
  app.clock.advance(3_600_000)
  expect((await checkAddress(taken)).body).toEqual({ data: false })
})

test('[REG-3] after 300 questions in an hour, from any addresses, every address is reported as free', async () => {
  await using proxied = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  const checkAddressFrom = (from: number) =>
    proxied.as.visitor.send('GET', `/api/registration/verify?emailAddress=${taken}`, {
      headers: { 'x-forwarded-for': `198.51.${Math.floor(from / 20)}.1` },
    })
  for (let asked = 0; asked < 300; asked += 1) expect((await checkAddressFrom(asked)).body).toEqual({ data: false })
  expect((await checkAddressFrom(400)).body).toEqual({ data: true })
})

test('sign-ups cannot flood a mailbox: the fourth within a quarter of an hour is refused', async () => {
  const newcomer = { emailAddress: newEmailAddress(), companyName: 'Newcomers' }
  for (let times = 0; times < 3; times += 1) expect((await trySignUp(app, newcomer)).status).toBe(201)
  expect((await trySignUp(app, newcomer)).status).toBe(429)
  expect(await app.emailsTo(newcomer.emailAddress)).toHaveLength(3)
})

test('five people an hour can sign up from one computer', async () => {
  const statuses = []
  for (let times = 0; times < 6; times += 1)
    statuses.push((await trySignUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' })).status)
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
})

test('a sign-up without the captcha does not count towards the total limit', async () => {
  const account = { firstName: 'Nora', lastName: 'Newcomer', emailAddress: newEmailAddress(), password: newPassword }
  const body = { account, organisation: { companyName: 'Newcomers' }, recaptchaToken: 'nonsense' }
  expect((await app.as.visitor.call(signUpRoutes.begin, { body })).status).toBe(422)
  // Only the computer's own limit was counted.
  expect(await app.store.across((db) => db.selectFrom('throttle').select('attempts').execute())).toEqual([
    { attempts: 1 },
  ])
})
