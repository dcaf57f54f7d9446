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
/** The bodies of all replies of the API. */
const replies: string[] = []
/** Values that the log must not contain. */
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
/** Values that replies must not contain either, because they are sent by email or belong to the server. */
const unrepeated = new Set<string>([wrongPassword, passwordAfterReset, trialPassword, newcomer.password])

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
  unrepeated.add(issuer.clientSecret)
  await app.http.listen({ host: '127.0.0.1', port })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

async function send<R extends Route>(
  route: R,
  input: RouteInput,
): Promise<{ status: number; body: Record<string, string> }> {
  const { status, body } = await app.as.visitor.call(route, input)
  replies.push(JSON.stringify(body))
  for (const value of app.as.visitor.cookies.values()) secrets.add(value)
  return { status, body: body ?? {} }
}

function remember(secret: string | null | undefined, sets: readonly Set<string>[]): string {
  if (secret === null || secret === undefined || secret === '') throw new Error('There is no secret to search for.')
  for (const set of sets) set.add(secret)
  return secret
}

async function lastEmailTo(emailAddress: string) {
  const email = (await app.emailsTo(emailAddress)).at(-1)
  if (email === undefined) throw new Error(`There is no email to ${emailAddress}.`)
  return email
}

function linkCodeOf(url: string | undefined): string {
  const { searchParams, pathname } = new URL(url ?? 'missing:')
  return searchParams.get('code') ?? pathname.split('/').at(-1) ?? ''
}

async function signIn(): Promise<void> {
  await send(signInRoutes.withPassword, { body: { emailAddress: newcomer.emailAddress, password: wrongPassword } })
  const { body } = await send(signInRoutes.withPassword, {
    body: { emailAddress: 'user@demo.example', password: trialPassword },
  })
  remember(body['accessToken'], [secrets])
  remember((await send(signInRoutes.refresh, { body: {} })).body['accessToken'], [secrets])
  await send(signInRoutes.signOut, {})

  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('guest')).execute(),
  )
  const challenge = await send(signInRoutes.withPassword, {
    body: { emailAddress: 'guest@demo.example', password: trialPassword },
  })
  const verificationReference = remember(challenge.body['verificationReference'], [secrets])
  const verificationCode = remember((await lastEmailTo('guest@demo.example')).code, [secrets, unrepeated])
  await send(signInRoutes.withPassword, { body: { verificationReference, verificationCode: 'x'.repeat(39) } })
  expect((await send(signInRoutes.withPassword, { body: { verificationReference, verificationCode } })).status).toBe(
    200,
  )

  await send(signInRoutes.requestLink, {
    body: { emailAddress: 'admin@demo.example', recaptchaToken: remember(await solveCaptcha(app), [secrets]) },
  })
  const code = remember(linkCodeOf((await lastEmailTo('admin@demo.example')).action?.url), [secrets, unrepeated])
  expect((await send(signInRoutes.withPassword, { body: { code } })).status).toBe(200)
  await send(signInRoutes.withPassword, { body: { code } })
}

async function signUp(): Promise<void> {
  await send(signUpRoutes.verify, { query: { emailAddress: newcomer.emailAddress } })
  const form = { account: newcomer, organisation: { companyName: 'Canary Traders' } }
  const sent = await send(signUpRoutes.begin, {
    body: { ...form, recaptchaToken: remember(await solveCaptcha(app), [secrets]) },
  })
  expect(sent.status).toBe(201)
  const reference = remember(sent.body['verificationReference'], [secrets])
  const email = await lastEmailTo(newcomer.emailAddress)
  const code = remember(email.code, [secrets, unrepeated])
  const linkCode = remember(linkCodeOf(email.action?.url), [secrets, unrepeated])
  await send(signInRoutes.verify, { body: { reference, code, context: 'registration' } })
  await send(signUpRoutes.finalisation, { query: { code: linkCode } })
  await send(signUpRoutes.finalise, { body: { code: linkCode } })
  await send(signUpRoutes.begin, { body: { ...form, recaptchaToken: 'canary-captcha-token' } })
  secrets.add('canary-captcha-token')
}

async function reset(): Promise<void> {
  await send(resetPassword.request, {
    body: { emailAddress: 'user@demo.example', recaptchaToken: await solveCaptcha(app) },
  })
  const token = remember(linkCodeOf((await lastEmailTo('user@demo.example')).action?.url), [secrets, unrepeated])
  await send(resetPassword.validate, { query: { token } })
  expect((await send(resetPassword.reset, { body: { token, password: passwordAfterReset } })).status).toBe(200)
  await send(resetPassword.reset, { body: { token, password: passwordAfterReset } })
}

async function useProvider(): Promise<void> {
  for (const purpose of ['signin', 'signup']) {
    const browser = new Browser()
    const atProvider = await browser.open(
      `${home}/api/auth/external/acme?purpose=${purpose}&returnUrl=/home%3Fcanary-return`,
    )
    const authorisation = new URL(atProvider.trail[0] ?? '').searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) remember(authorisation.get(name), [secrets, unrepeated])
    nonces.add(authorisation.get('nonce') ?? '')
    const returned = await signInAt(browser, atProvider, { as: 'canary' })
    for (const address of returned.trail.filter((one) => one.includes('/callback')))
      remember(new URL(address).searchParams.get('code'), [secrets, unrepeated])
    if (purpose === 'signup') remember(returned.url.searchParams.get('atid'), [secrets])
    for (const value of browser.cookies.get(new URL(home).host)?.values() ?? []) secrets.add(value)
    await refuseAt(new Browser(), await new Browser().open(`${home}/api/auth/external/acme?purpose=${purpose}`))
  }
  const forged = 'canary-forged-state-and-code'
  secrets.add(forged)
  await new Browser().open(
    `${home}/api/auth/external/acme/callback?state=${forged}&code=${forged}&error_description=${forged}`,
  )
}

test('[SIGN-4] sign-in, sign-up, password reset and external providers leave no secret and no personal data in the log, and no secret in a reply or the store', async () => {
  await signIn()
  await signUp()
  await reset()
  await useProvider()
  // The warning about an unreachable provider must not contain secrets either.
  await issuer[Symbol.asyncDispose]()
  app.clock.advance(3_600_001)
  await new Browser().open(`${home}/api/auth/external/acme?purpose=signin`)
  issuer = await startIssuer({ port: await findFreePort(), redirectUri: home, people: {} })

  const log = app.logLines.join('')
  expect(log).toContain('an identity provider does not respond')
  expect(secrets.size).toBeGreaterThan(30)
  expect([...secrets].filter((secret) => containsSecret(log, secret))).toEqual([])
  const sent = replies.join('\n')
  expect([...unrepeated].filter((secret) => containsSecret(sent, secret))).toEqual([])
  const stored = [...(await readStore(app.connection)).values()].join('\n')
  const people = new Set([...Object.values(newcomer), 'canary@idp.example', 'Canarino', 'Kanariya'])
  const found = [...secrets].filter(
    (secret) => (secret === newcomer.password || !people.has(secret)) && containsSecret(stored, secret),
  )
  // Nonces are stored: they travel in redirects anyway, and are worthless without the provider's reply.
  expect(found.filter((secret) => !nonces.has(secret))).toEqual([])
})
