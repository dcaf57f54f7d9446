/** Measures the entropy of every code, link and token that the server issues. */
import { randomUUID } from 'node:crypto'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { warehouse } from '@tributary/contract/warehouse'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSetupCode } from '../identity/people/setup-code.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { newEmailAddress, signUp } from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../trial/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The maximum of random bits per character in each alphabet. */
const bitsPerCharacter = { base64url: 6, base32: 5, letters: Math.log2(57) } as const
type Alphabet = keyof typeof bitsPerCharacter
const alphabets: Readonly<Record<Alphabet, RegExp>> = {
  base64url: /^[\w-]+$/u,
  base32: /^[0-9A-Z]+$/u,
  letters: /^[0-9A-Za-z]+$/u,
}

interface IssuedSecrets {
  readonly name: string
  readonly secrets: readonly string[]
  readonly alphabet: Alphabet
}

/** Returns the secret without the id in front of it, which is not random. */
const secretOf = (text: string | undefined) => text?.split('~')[0]?.split('.').at(-1) ?? ''

/** Returns the codes at the end of the links in a recipient's emails, from their query or their path. */
async function linkCodesOf(emailAddress: string): Promise<readonly string[]> {
  const emails = await app.emailsTo(emailAddress)
  return emails.flatMap(({ action }) => (action === undefined ? [] : [action.url.split(/[/=]/u).at(-1) ?? '']))
}

async function collectSignInSecrets(): Promise<readonly IssuedSecrets[]> {
  const { id, emailAddress, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  const signed = [client, new TestClient(app.http, { emailAddress, password: trialPassword })]
  for (const one of signed) await one.signIn()
  const cookies = (name: string) => signed.map((one) => secretOf(one.cookies.get(name)))
  const { secret } = (await client.call(profile.beginTotp, { body: { password: trialPassword } })).body
  const code = generateSync({ secret, epoch: Math.floor(app.clock.now() / 1_000) })
  const { recoveryCodes } = (await client.call(profile.confirmTotp, { body: { code } })).body
  const references = []
  for (let count = 0; count < 2; count += 1) {
    const { body } = await app.as.visitor.call(signInRoutes.withPassword, {
      body: { emailAddress, password: trialPassword },
    })
    references.push('verificationReference' in body ? body.verificationReference : '')
  }
  expect(id).toBeDefined()
  return [
    { name: 'refresh token', secrets: cookies('tributary_refresh'), alphabet: 'base64url' },
    { name: 'device cookie', secrets: cookies('tributary_device'), alphabet: 'base64url' },
    { name: 'secret of an authenticator app', secrets: [secret], alphabet: 'base32' },
    { name: 'verification reference', secrets: references, alphabet: 'base64url' },
    { name: 'recovery code', secrets: recoveryCodes.map((one) => one.replaceAll('-', '')), alphabet: 'base32' },
  ]
}

async function collectEmailSecrets(): Promise<readonly IssuedSecrets[]> {
  const { emailAddress } = await addPerson(app, { [app.harbour.id]: 'user' })
  const recaptchaToken = () => solveCaptcha(app)
  await app.as.visitor.send('POST', '/api/auth/link', {
    body: { emailAddress, recaptchaToken: await recaptchaToken() },
  })
  const link = await linkCodesOf(emailAddress)
  const other = await addPerson(app, { [app.harbour.id]: 'user' })
  await app.as.visitor.send('POST', '/api/reset-password/request', {
    body: { emailAddress: other.emailAddress, recaptchaToken: await recaptchaToken() },
  })
  const reset = await linkCodesOf(other.emailAddress)
  const invited = `${randomUUID()}@invited.example`
  const person = { firstName: 'Ines', lastName: 'Invited', emailAddress: invited, roleId: roleIdOf('user') }
  expect((await app.as.admin.call(users.invite, { body: person })).status).toBe(201)
  const signedUp = await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Measured' })
  return [
    { name: 'sign-in link', secrets: link, alphabet: 'base64url' },
    { name: 'reset link', secrets: reset, alphabet: 'base64url' },
    { name: 'invitation link', secrets: await linkCodesOf(invited), alphabet: 'base64url' },
    { name: 'code of a sign-up', secrets: [signedUp], alphabet: 'base64url' },
  ]
}

async function collectOtherSecrets(): Promise<readonly IssuedSecrets[]> {
  const { body } = await app.as.admin.call(warehouse.newPassword, { params: { clientId: app.harbour.id } })
  await app.store.across((db) => db.updateTable('portalUser').set({ providerRoleId: null }).execute())
  return [
    { name: 'password of a warehouse', secrets: [body.Password ?? ''], alphabet: 'letters' },
    {
      name: 'code of the console',
      secrets: [(await createSetupCode(app.store, app.clock)) ?? ''],
      alphabet: 'base64url',
    },
  ]
}

/** Secrets that need fewer bits: a recovery code is used with a password, and five attempts are allowed. */
const lowerMinimums: Readonly<Record<string, number>> = { 'recovery code': 80 }

test('every secret that grants access alone has at least 128 random bits, and none occurs twice', async () => {
  const collected = [
    ...(await collectSignInSecrets()),
    ...(await collectEmailSecrets()),
    ...(await collectOtherSecrets()),
  ]
  for (const { name, secrets, alphabet } of collected) {
    expect([name, secrets.length > 0]).toEqual([name, true])
    for (const secret of secrets) {
      expect([name, secret]).toEqual([name, expect.stringMatching(alphabets[alphabet])])
      expect([name, Math.floor(secret.length * bitsPerCharacter[alphabet])]).toEqual([
        name,
        expect.toSatisfy((bits: number) => bits >= (lowerMinimums[name] ?? 128)),
      ])
    }
    expect([name, new Set(secrets).size]).toEqual([name, secrets.length])
  }
})
