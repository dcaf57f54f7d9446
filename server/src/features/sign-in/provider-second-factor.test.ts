/** In production every user with a provider role needs a second factor, with every sign-in method. */
import type { FaultReply } from '@tributary/contract/faults'
import { sessionCacheMs } from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
import { profile } from '@tributary/contract/profile'
import { signInRoutes, type SignInReply } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSetupCode } from '../../identity/people/setup-code.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { openProviderApp } from '@tributary/testing/server/identity/provider-app.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

const production = { TRIBUTARY_MODE: 'production' }
const providers = ['superadmin', 'provideradmin'] as const
const emailAddress = 'superadmin@demo.example'
const account = { emailAddress, password: trialPassword }
const codeRequired = {
  verificationRequired: true,
  verificationMethods: ['email'],
  verificationSentTo: 's•••@demo.example',
}

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: production })
})
afterEach(() => app[Symbol.asyncDispose]())

/** A new browser that is not signed in. */
function browser(): TestClient {
  return new TestClient(app.http, null)
}
function signIn(client: TestClient, body: unknown, path = '/api/auth/signin') {
  return client.send<FaultReply & SignInReply>('POST', path, { body })
}
/** The latest code. Advances the clock, because emails with equal timestamps have no defined order. */
async function mailedCode(to = emailAddress): Promise<string> {
  app.clock.advance(1_000)
  return (await app.emailsTo(to)).findLast(({ code }) => code !== undefined)?.code ?? ''
}
async function submitCode(client: TestClient, body: SignInReply, verificationTrustDevice = false) {
  const verificationReference = 'verificationReference' in body ? body.verificationReference : ''
  return signIn(client, { verificationReference, verificationCode: await mailedCode(), verificationTrustDevice })
}

test('[ISSUE 20 D20] in production the password of a provider role opens no session; the emailed code does', async () => {
  for (const role of providers) {
    const client = browser()
    const to = `${role}@demo.example`
    const { body } = await signIn(client, { emailAddress: to, password: trialPassword })
    expect(body).toMatchObject({ verificationRequired: true, verificationMethods: ['email'] })
    expect([JSON.stringify(body).includes('accessToken'), client.cookies.size]).toEqual([false, 0])
    expect((await client.call(organisations.users)).status).toBe(401)
    const verificationReference = 'verificationReference' in body ? body.verificationReference : ''
    const entered = await signIn(client, { verificationReference, verificationCode: await mailedCode(to) })
    expect(entered.body).toMatchObject({ statusCode: 200, role, requireMultiFactorAuthentication: true })
  }
  expect((await app.as.superadmin.call(organisations.users)).status).toBe(200)
})

test('[ISSUE 20 D20] only provider roles need it, at each sign-in in a browser that is not trusted', async () => {
  for (const role of ['admin', 'user', 'guest'] as const)
    expect((await signIn(browser(), { ...account, emailAddress: `${role}@demo.example` })).body).toMatchObject({
      statusCode: 200,
    })
  const known = browser()
  await submitCode(known, (await signIn(known, account)).body)
  expect((await signIn(known, account)).body).toMatchObject(codeRequired)
  const trusted = browser()
  await submitCode(trusted, (await signIn(trusted, account)).body, true)
  expect((await signIn(trusted, account)).body).toMatchObject({
    statusCode: 200,
    requireMultiFactorAuthentication: true,
  })
})

test('[ISSUE 20 D20] the Excel task pane and a sign-in link require it as the portal does', async () => {
  expect((await signIn(browser(), account, '/api/auth/signin-b2s')).body).toMatchObject(codeRequired)
  const client = browser()
  await client.call(signInRoutes.requestLink, { body: { emailAddress, recaptchaToken: await solveCaptcha(app) } })
  app.clock.advance(1_000)
  const link = (await app.emailsTo(emailAddress)).findLast(({ template }) => template === 'sign-in-link')
  const code = new URL(link?.action?.url ?? 'http://none').searchParams.get('code')
  expect((await signIn(client, { code })).body).toMatchObject(codeRequired)
  expect(client.cookies.has('tributary_refresh')).toBe(false)
})

test('[ISSUE 20 D20] an account at an external provider does not replace it', async () => {
  await using acme = await openProviderApp({ env: production })
  await acme.link('grace', acme.app.idOf('superadmin'))
  const { session: reply } = await acme.exchange(await acme.visit('signin', 'grace'))
  expect(reply).toMatchObject(codeRequired)
  expect(reply).not.toHaveProperty('accessToken')
})

test('[ISSUE 20 D20] a user who receives a provider role, or has a session from before the rule, must first provide it', async () => {
  const person = { emailAddress: 'user@demo.example', password: trialPassword }
  const promoted = new TestClient(app.http, person)
  await promoted.signIn()
  // Written to the store directly, as before the rule: in the portal a new role ends the sessions.
  const grant = (role: 'provideradmin' | null) =>
    app.store.across((db) =>
      db
        .updateTable('portalUser')
        .set({ providerRoleId: role === null ? null : roleIdOf(role) })
        .where('id', '=', app.idOf('user'))
        .execute(),
    )
  await grant('provideradmin')
  app.clock.advance(sessionCacheMs)
  expect((await promoted.call(organisations.users)).status).toBe(401)
  expect((await promoted.send<FaultReply>('POST', '/api/auth/refresh', { body: {} })).status).toBe(401)
  expect((await signIn(browser(), person)).body).toMatchObject({ verificationRequired: true })

  await grant(null)
  const again = new TestClient(app.http, person)
  await again.signIn()
  const change = { params: { userId: app.idOf('user') }, body: { roleId: roleIdOf('provideradmin') } }
  expect((await app.as.superadmin.call(users.update, change)).body.Role.Name).toBe('provideradmin')
  expect((await again.call(organisations.users)).status).toBe(401)
  expect((await signIn(browser(), person)).body).toMatchObject({ verificationRequired: true })
})

test('[ISSUE 20 D20] a provider role cannot switch it off, and gets codes by email again after removing the app', async () => {
  const { superadmin } = app.as
  const refusal = { errorMessage: 'It cannot be switched off: your role at the provider asks for it.' }
  expect((await superadmin.call(profile.switchMfa, { body: { enable: false } })).body).toEqual(refusal)
  expect((await superadmin.call(profile.read)).body).toMatchObject({
    RequireMultiFactorAuthentication: true,
    RequiredBy: 'your role at the provider',
  })
  const { secret } = (await superadmin.call(profile.beginTotp, { body: { password: trialPassword } })).body
  const code = generateSync({ secret, epoch: Math.floor(app.clock.now() / 1_000) })
  expect((await superadmin.call(profile.confirmTotp, { body: { code } })).body.recoveryCodes).toHaveLength(10)
  expect((await signIn(browser(), account)).body).toMatchObject({ verificationMethods: ['totp', 'email', 'recovery'] })
  expect((await superadmin.call(profile.switchMfa, { body: { enable: false } })).body).toEqual(refusal)
  expect((await superadmin.call(profile.removeTotp, { body: { password: trialPassword } })).status).toBe(204)
  expect((await signIn(browser(), account)).body).toMatchObject({
    ...codeRequired,
    verificationMethods: ['email', 'recovery'],
  })
})

test('[ISSUE 20 D20] the first superadmin of a new installation signs in with the code emailed to the address they chose', async () => {
  await app.store.across((db) => db.updateTable('portalUser').set({ providerRoleId: null }).execute())
  const code = (await createSetupCode(app.store, app.clock)) ?? ''
  const person = { emailAddress: 'first@example.com', password: 'correct-horse-7' }
  await app.as.visitor.call(signInRoutes.firstSuperadmin, {
    body: { ...person, code, firstName: 'First', lastName: 'Person' },
  })
  expect((await signIn(browser(), person)).body).toMatchObject({
    ...codeRequired,
    verificationSentTo: 'f•••@example.com',
  })
  const first = new TestClient(app.http, person, () => mailedCode(person.emailAddress))
  expect(await first.signIn()).toMatchObject({ role: 'superadmin', roleLevel: 0 })
  expect((await first.call(organisations.users)).status).toBe(200)
})

test('[ISSUE 20 D20] in a trial the same users sign in with the password only', async () => {
  await using trial = await testApp()
  for (const role of providers) {
    const client = new TestClient(trial.http, { ...account, emailAddress: `${role}@demo.example` })
    expect(await client.signIn()).toMatchObject({ role, requireMultiFactorAuthentication: false })
    expect((await client.call(profile.read)).body).toMatchObject({
      RequireMultiFactorAuthentication: false,
      RequiredBy: null,
    })
    expect((await client.call(organisations.users)).status).toBe(200)
    expect(await trial.emailsTo(`${role}@demo.example`)).toEqual([])
  }
})
