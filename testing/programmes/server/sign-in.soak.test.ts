/** Concurrent sign-in calls: thirty in two rounds as a slice, a hundred in twenty rounds with `npm run soak`. */
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { generateSync } from 'otplib'
import { createRandom } from '@tributary/sims/random'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { solveCaptcha } from '../../server/identity/captcha.ts'
import { TestClient } from '../../server/app/client.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { isFull, seed } from '../extent.ts'

const rounds = isFull ? 20 : 2
const atOnce = isFull ? 100 : 30
const random = createRandom(seed)

let app: TestApp
beforeEach(async () => {
  // Every call comes from another address, because the limit of one address would hide what is tested here.
  app = await testApp({ env: { TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterEach(() => app[Symbol.asyncDispose]())

const emailAddress = 'user@demo.example'
const account = { emailAddress, password: trialPassword }

function browser(): TestClient {
  return new TestClient(app.http, null)
}
function fromAnywhere() {
  return { 'x-forwarded-for': `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}` }
}
/** Sends the calls at once and returns how many succeeded. */
async function successes(bodies: readonly unknown[], path = '/api/auth/signin'): Promise<number> {
  const replies = await Promise.all(
    bodies.map((body) => browser().send('POST', path, { body, headers: fromAnywhere() })),
  )
  for (const { status } of replies) expect([200, 401, 403, 429]).toContain(status)
  return replies.filter(({ status }) => status === 200).length
}
async function reference(): Promise<string> {
  // A day later no rate limit of the earlier round is left.
  app.clock.advance(86_400_001)
  const { body } = await browser().call(signInRoutes.withPassword, { body: account })
  return 'verificationReference' in body ? body.verificationReference : ''
}
async function triesOf(app: TestApp): Promise<readonly number[]> {
  const rows = await app.store.across((db) =>
    db.selectFrom('verification').select('tries').orderBy('createdAt', 'desc').limit(1).execute(),
  )
  return rows.map(({ tries }) => tries)
}
async function postedCode(): Promise<string> {
  return (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
async function requireMfa(): Promise<void> {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
}
const roundNumbers = Array.from({ length: rounds }, (_, index) => index + 1)
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: atOnce }, (_, index) => make(index))

test(`the right code, entered ${atOnce} times at once, signs in once`, async () => {
  await requireMfa()
  for (const _ of roundNumbers) {
    const verificationReference = await reference()
    const verificationCode = await postedCode()
    expect(await successes(many(() => ({ verificationReference, verificationCode })))).toBe(1)
  }
}, 300_000)

test(`of ${atOnce} guesses at once at most five are compared, and at most one signs in`, async () => {
  await requireMfa()
  for (const _ of roundNumbers) {
    const verificationReference = await reference()
    const right = await postedCode()
    const guesses = many((index) => String((Number(right) + index) % 1_000_000).padStart(6, '0'))
    const position = random.between(0, atOnce - 1)
    guesses.push(...guesses.splice(0, position))
    expect(
      await successes(guesses.map((verificationCode) => ({ verificationReference, verificationCode }))),
    ).toBeLessThanOrEqual(1)
    expect((await triesOf(app))[0]).toBeLessThanOrEqual(5)
    // Whether or not the correct code was among the five, it is not accepted again.
    expect(await successes([{ verificationReference, verificationCode: right }])).toBe(0)
  }
}, 300_000)

test(`a TOTP code and a recovery code that are used in nine sign-ins at once are each accepted once`, async () => {
  const client = new TestClient(app.http, account)
  const { secret } = (await client.call(profile.beginTotp, { body: { password: trialPassword } })).body
  const code = () => generateSync({ secret, epoch: Math.floor(app.clock.now() / 1_000) })
  const { recoveryCodes } = (await client.call(profile.confirmTotp, { body: { code: code() } })).body
  for (const number of roundNumbers) {
    // The limit is ten codes of one user within a quarter of an hour.
    const references = [await reference()]
    while (references.length < 9) references.push(await askAgain())
    for (const verificationCode of [code(), recoveryCodes[number % 10] ?? '']) {
      if (number > 9 && verificationCode.length > 6) continue
      expect(
        await successes(references.map((verificationReference) => ({ verificationReference, verificationCode }))),
      ).toBe(1)
    }
  }
}, 300_000)

async function askAgain(): Promise<string> {
  const { body } = await browser().send<{ verificationReference: string }>('POST', '/api/auth/signin', {
    body: account,
    headers: fromAnywhere(),
  })
  return body.verificationReference
}

test(`a sign-in link, followed ${atOnce} times at once, signs in once`, async () => {
  for (const _ of roundNumbers) {
    app.clock.advance(86_400_001)
    await browser().send('POST', '/api/auth/link', {
      body: { emailAddress, recaptchaToken: await solveCaptcha(app) },
      headers: fromAnywhere(),
    })
    const letters = await app.emailsTo(emailAddress)
    const code = new URL(
      letters.findLast(({ template }) => template === 'sign-in-link')?.action?.url ?? '',
    ).searchParams.get('code')
    expect(await successes(many(() => ({ code, isConfirmed: true })))).toBe(1)
  }
}, 300_000)

test(`${atOnce} tabs that refresh at once all get the same successor`, async () => {
  for (const _ of roundNumbers) {
    const client = new TestClient(app.http, account)
    await client.signIn()
    const cookie = `tributary_refresh=${client.cookies.get('tributary_refresh')}`
    const tabs = await Promise.all(
      many(() => browser().send('POST', '/api/auth/refresh', { body: {}, headers: { cookie, ...fromAnywhere() } })),
    )
    const successors = tabs.map(
      ({ status, headers }) => `${status} ${/tributary_refresh=[^;]+/u.exec(String(headers['set-cookie']))?.[0]}`,
    )
    expect(new Set(successors).size).toBe(1)
    expect(successors[0]).toContain('200 ')
  }
}, 300_000)

test('a session that begins while the password is being changed does not outlive the old password', async () => {
  let password = trialPassword
  for (const number of roundNumbers) {
    // A day later no rate limit of the earlier round is left.
    app.clock.advance(86_400_001)
    const client = new TestClient(app.http, { emailAddress, password })
    await client.signIn()
    const next = `another-good-one-${number}`
    const signIn = () =>
      browser().send<{ accessToken?: string }>('POST', '/api/auth/signin', {
        body: { emailAddress, password },
        headers: fromAnywhere(),
      })
    const before = [signIn(), signIn()]
    const change = client.call(profile.changePassword, { body: { currentPassword: password, password: next } })
    const replies = await Promise.all([...before, signIn(), signIn()])
    expect((await change).status).toBe(204)
    for (const { body } of replies) {
      const headers = { authorization: `Bearer ${body.accessToken ?? ''}` }
      expect((await browser().send('GET', '/api/me/security', { headers })).status).toBe(401)
    }
    password = next
  }
}, 300_000)
