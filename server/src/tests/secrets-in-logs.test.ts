import { signUpRoutes } from '@tributary/contract/sign-up'
import { resetPassword } from '@tributary/contract/reset-password'
import type { Route } from '@tributary/contract/route'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '@tributary/testing/server/app/browser.ts'
import { containsSecret, readStore } from '@tributary/testing/server/app/find-secrets.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import type { RouteInput } from '@tributary/testing/server/app/client.ts'
import { refuseAt, signInAt, startIssuer, type TestIssuer } from '@tributary/testing/server/identity/oidc-issuer.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../trial/people.ts'

const newcomer = {
  firstName: 'Canarina',
  lastName: 'Kanarek',
  emailAddress: 'canary@newcomer.example',
  password: 'canary-password-1',
}
const wrongPassword = 'canary-wrong-password-2'
const passwordAfterReset = 'canary-reset-password-3'
const strangers = {
  canary: { email: 'canary@idp.example', email_verified: true, given_name: 'Canarino', family_name: 'Kanariya' },
}

let app: TestApp
let issuer: TestIssuer
let home: string
/** Every body that the API has answered. */
const replies: string[] = []
/** What must be in no line of the log. */
const secrets = new Set<string>([
  wrongPassword,
  passwordAfterReset,
  trialPassword,
  ...Object.values(newcomer),
  'canary@idp.example',
  'Canarino',
  'Kanariya',
])
const nonces = new Set<string>()
/** What, beyond that, must be in no reply, for it has gone to somebody by mail or is nobody's but ours. */
const untold = new Set<string>([wrongPassword, passwordAfterReset, trialPassword, newcomer.password])

beforeAll(async () => {
  const port = await findFreePort()
  home = `http://127.0.0.1:${port}`
  issuer = await startIssuer({
    port: await findFreePort(),
    redirectUri: `${home}/api/auth/external/acme/callback`,
    people: strangers,
  })
  app = await testApp({
    env: {
      TRIBUTARY_PUBLIC_URL: home,
      TRIBUTARY_OIDC_ACME_ISSUER: issuer.issuer,
      TRIBUTARY_OIDC_ACME_CLIENT_ID: issuer.clientId,
      TRIBUTARY_OIDC_ACME_CLIENT_SECRET: issuer.clientSecret,
    },
  })
  secrets.add(issuer.clientSecret)
  untold.add(issuer.clientSecret)
  await app.http.listen({ host: '127.0.0.1', port })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

async function ask<R extends Route>(
  route: R,
  input: RouteInput,
): Promise<{ status: number; body: Record<string, string> }> {
  const { status, body } = await app.as.visitor.call(route, input)
  replies.push(JSON.stringify(body))
  for (const value of app.as.visitor.cookies.values()) secrets.add(value)
  return { status, body: body ?? {} }
}

function keep(secret: string | null | undefined, where: readonly Set<string>[]): string {
  if (secret === null || secret === undefined || secret === '') throw new Error('There is no secret to look for.')
  for (const set of where) set.add(secret)
  return secret
}

async function letterTo(emailAddress: string) {
  const letter = (await app.emailsTo(emailAddress)).at(-1)
  if (letter === undefined) throw new Error(`Nothing was written to ${emailAddress}.`)
  return letter
}

function lastOf(url: string | undefined): string {
  const { searchParams, pathname } = new URL(url ?? 'missing:')
  return searchParams.get('code') ?? pathname.split('/').at(-1) ?? ''
}

async function signIn(): Promise<void> {
  await ask(signInRoutes.withPassword, { body: { emailAddress: newcomer.emailAddress, password: wrongPassword } })
  const { body } = await ask(signInRoutes.withPassword, {
    body: { emailAddress: 'user@demo.example', password: trialPassword },
  })
  keep(body['accessToken'], [secrets])
  keep((await ask(signInRoutes.refresh, { body: {} })).body['accessToken'], [secrets])
  await ask(signInRoutes.signOut, {})

  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('guest')).execute(),
  )
  const asked = await ask(signInRoutes.withPassword, {
    body: { emailAddress: 'guest@demo.example', password: trialPassword },
  })
  const verificationReference = keep(asked.body['verificationReference'], [secrets])
  const verificationCode = keep((await letterTo('guest@demo.example')).code, [secrets, untold])
  await ask(signInRoutes.withPassword, { body: { verificationReference, verificationCode: 'x'.repeat(39) } })
  expect((await ask(signInRoutes.withPassword, { body: { verificationReference, verificationCode } })).status).toBe(200)

  await ask(signInRoutes.requestLink, {
    body: { emailAddress: 'admin@demo.example', recaptchaToken: keep(await solveCaptcha(app), [secrets]) },
  })
  const code = keep(lastOf((await letterTo('admin@demo.example')).action?.url), [secrets, untold])
  expect((await ask(signInRoutes.withPassword, { body: { code } })).status).toBe(200)
  await ask(signInRoutes.withPassword, { body: { code } })
}

async function signUp(): Promise<void> {
  await ask(signUpRoutes.verify, { query: { emailAddress: newcomer.emailAddress } })
  const form = { account: newcomer, organisation: { companyName: 'Canary Traders' } }
  const sent = await ask(signUpRoutes.begin, {
    body: { ...form, recaptchaToken: keep(await solveCaptcha(app), [secrets]) },
  })
  expect(sent.status).toBe(201)
  const reference = keep(sent.body['verificationReference'], [secrets])
  const letter = await letterTo(newcomer.emailAddress)
  const code = keep(letter.code, [secrets, untold])
  const byMail = keep(lastOf(letter.action?.url), [secrets, untold])
  await ask(signInRoutes.verify, { body: { reference, code, context: 'registration' } })
  await ask(signUpRoutes.finalisation, { query: { code: byMail } })
  await ask(signUpRoutes.finalise, { body: { code: byMail } })
  await ask(signUpRoutes.begin, { body: { ...form, recaptchaToken: 'canary-captcha-token' } })
  secrets.add('canary-captcha-token')
}

async function reset(): Promise<void> {
  await ask(resetPassword.request, {
    body: { emailAddress: 'user@demo.example', recaptchaToken: await solveCaptcha(app) },
  })
  const token = keep(lastOf((await letterTo('user@demo.example')).action?.url), [secrets, untold])
  await ask(resetPassword.validate, { query: { token } })
  expect((await ask(resetPassword.reset, { body: { token, password: passwordAfterReset } })).status).toBe(200)
  await ask(resetPassword.reset, { body: { token, password: passwordAfterReset } })
}

async function useProvider(): Promise<void> {
  for (const purpose of ['signin', 'signup']) {
    const browser = new Browser()
    const out = await browser.open(`${home}/api/auth/external/acme?purpose=${purpose}&returnUrl=/home%3Fcanary-return`)
    const asked = new URL(out.trail[0] ?? '').searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) keep(asked.get(name), [secrets, untold])
    nonces.add(asked.get('nonce') ?? '')
    const back = await signInAt(browser, out, { as: 'canary' })
    for (const address of back.trail.filter((one) => one.includes('/callback')))
      keep(new URL(address).searchParams.get('code'), [secrets, untold])
    if (purpose === 'signup') keep(back.url.searchParams.get('atid'), [secrets])
    for (const value of browser.cookies.get(new URL(home).host)?.values() ?? []) secrets.add(value)
    await refuseAt(new Browser(), await new Browser().open(`${home}/api/auth/external/acme?purpose=${purpose}`))
  }
  const forged = 'canary-forged-state-and-code'
  secrets.add(forged)
  await new Browser().open(
    `${home}/api/auth/external/acme/callback?state=${forged}&code=${forged}&error_description=${forged}`,
  )
}

test('[SIGN-4] signing in, signing up, resetting and external providers leave no secret and no person in the log, nor a secret in a reply or the store', async () => {
  await signIn()
  await signUp()
  await reset()
  await useProvider()
  // A provider that is down is worth a warning, which must not tell more either.
  await issuer[Symbol.asyncDispose]()
  app.clock.advance(3_600_001)
  await new Browser().open(`${home}/api/auth/external/acme?purpose=signin`)
  issuer = await startIssuer({ port: await findFreePort(), redirectUri: home, people: {} })

  const log = app.logLines.join('')
  expect(log).toContain('an identity provider does not respond')
  expect(secrets.size).toBeGreaterThan(30)
  expect([...secrets].filter((secret) => containsSecret(log, secret))).toEqual([])
  const told = replies.join('\n')
  expect([...untold].filter((secret) => containsSecret(told, secret))).toEqual([])
  const stored = [...(await readStore(app.connection)).values()].join('\n')
  const people = new Set([...Object.values(newcomer), 'canary@idp.example', 'Canarino', 'Kanariya'])
  const kept = [...secrets].filter(
    (secret) => (secret === newcomer.password || !people.has(secret)) && containsSecret(stored, secret),
  )
  // What the browser is sent away with comes back by a way that everybody may read; it is worth nothing without the answer.
  expect(kept.filter((secret) => !nonces.has(secret))).toEqual([])
})
