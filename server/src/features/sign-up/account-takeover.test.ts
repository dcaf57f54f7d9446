/**
 * Attacks by an administrator of one organisation who creates or takes over an account to join another one in its
 * owner's name.
 */
import { signUpRoutes } from '@tributary/contract/sign-up'
import { approvals } from '@tributary/contract/approvals'
import { resetPassword } from '@tributary/contract/reset-password'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Authenticator } from '@tributary/testing/server/identity/authenticator.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import {
  newEmailAddress,
  finalise,
  codeOf,
  insertNewcomer,
  readFinalisation,
  newPassword,
  signUp,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

/** The password that the administrator of the other organisation knows. */
const administratorsPassword = 'known-to-two-77'
const ownersPassword = 'known-to-one-77'
const person = { firstName: 'Vera', lastName: 'Owner', roleId: roleIdOf('user') }

function signIn(emailAddress: string, password: string) {
  return app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password } })
}
async function createAccount(emailAddress: string): Promise<string> {
  const { body } = await app.as.otherAdmin.call(users.create, {
    body: { ...person, emailAddress, password: administratorsPassword },
  })
  return body.Id
}
/** The administrator signs in to the account and adds a passkey. */
async function addAttackersPasskey(emailAddress: string): Promise<Authenticator> {
  const client = new TestClient(app.http, { emailAddress, password: administratorsPassword })
  const authenticator = new Authenticator()
  const { reference, options } = (
    await client.call(profile.passkeyOptions, { body: { password: administratorsPassword } })
  ).body
  const body = { reference, name: 'Not theirs', passkey: authenticator.create(options) }
  expect((await client.call(profile.addPasskey, { body })).status).toBe(200)
  return authenticator
}
async function signInByPasskey(authenticator: Authenticator): Promise<number> {
  const visitor = new TestClient(app.http, null)
  const { verificationReference, options } = (await visitor.call(signInRoutes.passkeyOptions, { body: {} })).body
  return (
    await visitor.call(signInRoutes.withPassword, {
      body: { verificationReference, passkey: authenticator.get(options) },
    })
  ).status
}
async function resetByOwner(emailAddress: string, password: string): Promise<void> {
  await app.as.visitor.call(resetPassword.request, {
    body: { emailAddress, recaptchaToken: await solveCaptcha(app) },
  })
  const url =
    (await app.emailsTo(emailAddress)).findLast(({ template }) => template === 'reset-password')?.action?.url ?? ''
  const { status } = await app.as.visitor.call(resetPassword.reset, {
    body: { token: url.split('/').at(-1) ?? '', password },
  })
  expect(status).toBe(200)
}
async function invite(emailAddress: string): Promise<string> {
  await app.as.admin.call(users.invite, { body: { ...person, emailAddress } })
  return codeOf((await app.emailsTo(emailAddress)).findLast(({ template }) => template === 'invitation')?.action?.url)
}
async function approve(): Promise<void> {
  const { body } = await app.as.admin.call(approvals.list)
  const [pending] = body.filter(({ ApprovalStatus }) => ApprovalStatus === 'PENDING')
  const decision = { approvalId: pending?.Id ?? '', approvalStatus: 'APPROVED' }
  expect((await app.as.admin.call(approvals.decide, { body: decision })).status).toBe(200)
}
async function organisationsOf(emailAddress: string): Promise<readonly string[]> {
  const rows = await app.store.across((db) =>
    db
      .selectFrom('membership')
      .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
      .select('organisationId')
      .where('emailAddress', '=', emailAddress)
      .execute(),
  )
  return rows.map(({ organisationId }) => organisationId).toSorted()
}

test('a password set by an administrator accepts no invitation elsewhere; one that the owner has reset by email does', async () => {
  const emailAddress = newEmailAddress()
  await createAccount(emailAddress)
  const passkey = await addAttackersPasskey(emailAddress)
  expect(await signInByPasskey(passkey)).toBe(200)
  const code = await invite(emailAddress)
  const refused = await finalise(app, code, { account: { password: administratorsPassword } })
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'passwordNotOwn' }])
  expect(await organisationsOf(emailAddress)).toEqual([app.summit.id])

  await resetByOwner(emailAddress, ownersPassword)
  expect(await signInByPasskey(passkey)).toBe(401)
  expect((await finalise(app, code, { account: { password: ownersPassword } })).body).toMatchObject({ Finalised: true })
  expect(await organisationsOf(emailAddress)).toEqual([app.harbour.id, app.summit.id])
})

test('after an administrator has taken over an account, the owner’s reset removes every sign-in method added since', async () => {
  const emailAddress = newEmailAddress()
  const userId = await createAccount(emailAddress)
  await resetByOwner(emailAddress, ownersPassword)
  await app.as.otherAdmin.call(users.update, { params: { userId }, body: { password: administratorsPassword } })
  const passkey = await addAttackersPasskey(emailAddress)
  const linked = { issuer: 'https://issuer.example', subject: 'not theirs', provider: 'google', userId }
  await app.store.across((db) => db.insertInto('externalIdentity').values(linked).execute())
  await resetByOwner(emailAddress, 'another-of-ones-own-77')
  expect(await signInByPasskey(passkey)).toBe(401)
  expect(await app.store.across((db) => db.selectFrom('externalIdentity').selectAll().execute())).toEqual([])
})

test('a reset by the owner of an account that was not taken over keeps passkeys and identities', async () => {
  const emailAddress = newEmailAddress()
  await createAccount(emailAddress)
  await resetByOwner(emailAddress, administratorsPassword)
  const passkey = await addAttackersPasskey(emailAddress)
  await resetByOwner(emailAddress, ownersPassword)
  expect(await signInByPasskey(passkey)).toBe(200)
})

test('an account created while a request to join is pending belongs to the applicant after the approval', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: app.harbour.companyName })
  expect((await finalise(app, code, { joinOrganisation: true })).body).toMatchObject({ ApprovalStatus: 'PENDING' })
  await createAccount(emailAddress)
  const passkey = await addAttackersPasskey(emailAddress)
  await approve()
  expect(await organisationsOf(emailAddress)).toEqual([app.harbour.id, app.summit.id])
  expect((await signIn(emailAddress, administratorsPassword)).status).toBe(401)
  expect((await signIn(emailAddress, newPassword)).status).toBe(200)
  expect(await signInByPasskey(passkey)).toBe(401)
})

test('a request to join admits the owner of the address, not an account whose address was changed since', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: app.harbour.companyName })
  const userId = await createAccount(emailAddress)
  await resetByOwner(emailAddress, ownersPassword)
  expect(await readFinalisation(app, code)).toMatchObject({ LinkAccount: true })
  await finalise(app, code, { account: { password: ownersPassword } })
  await finalise(app, code, { joinOrganisation: true })
  const elsewhere = newEmailAddress()
  await app.as.otherAdmin.call(users.update, {
    params: { userId },
    body: { emailAddress: elsewhere, password: administratorsPassword },
  })
  await approve()
  expect(await organisationsOf(elsewhere)).toEqual([app.summit.id])
  expect(await organisationsOf(emailAddress)).toEqual([app.harbour.id])
})

test('a user deleted while their request is pending joins no organisation', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: app.harbour.companyName })
  await finalise(app, code, { joinOrganisation: true })
  const userId = await createAccount(emailAddress)
  await resetByOwner(emailAddress, ownersPassword)
  await app.as.otherAdmin.call(users.remove, { params: { userId } })
  const { body } = await app.as.admin.call(approvals.list)
  expect(body).toMatchObject([{ ApprovalStatus: 'REJECTED' }])
  expect((await app.as.visitor.call(signUpRoutes.finalisation, { query: { code } })).status).toBe(403)
})

test('an account that an administrator created and deleted does not cancel the request of the address’s owner', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: app.harbour.companyName })
  await finalise(app, code, { joinOrganisation: true })
  const userId = await createAccount(emailAddress)
  await app.as.otherAdmin.call(users.remove, { params: { userId } })
  await approve()
  expect(await organisationsOf(emailAddress)).toEqual([app.harbour.id])
  expect((await signIn(emailAddress, administratorsPassword)).status).toBe(401)
})

test('a removed member cannot return with an unused invitation', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: app.harbour.companyName })
  await finalise(app, code, { joinOrganisation: true })
  const invitation = await invite(emailAddress)
  await approve()
  const { body } = await app.as.admin.send<{ Id: string; EmailAddress: string }[]>('GET', '/api/users')
  const { Id: userId = '' } = body.find(({ EmailAddress }) => EmailAddress === emailAddress) ?? {}
  expect((await app.as.admin.call(users.remove, { params: { userId } })).status).toBe(204)
  expect((await finalise(app, invitation, { account: { password: ownersPassword } })).body).toMatchObject({
    code: 'linkSpent',
  })
  expect(await organisationsOf(emailAddress)).toEqual([])
})

test('a user deleted concurrently with their approval joins no organisation, and no call fails', async () => {
  for (let round = 0; round < 5; round += 1) {
    const emailAddress = newEmailAddress()
    const code = await insertNewcomer(app, { emailAddress, companyName: app.harbour.companyName })
    await finalise(app, code, { joinOrganisation: true })
    const userId = await createAccount(emailAddress)
    await resetByOwner(emailAddress, ownersPassword)
    const { body } = await app.as.admin.call(approvals.list)
    const approvalId = body.find(({ ApprovalStatus }) => ApprovalStatus === 'PENDING')?.Id
    const [decided, removed] = await Promise.all([
      app.as.admin.call(approvals.decide, { body: { approvalId, approvalStatus: 'APPROVED' } }),
      app.as.otherAdmin.call(users.remove, { params: { userId } }),
    ])
    expect([200, 409]).toContain(decided.status)
    expect(removed.status).toBe(204)
    const memberships = await app.store.across((db) =>
      db.selectFrom('membership').select('organisationId').where('userId', '=', userId).execute(),
    )
    const [{ status } = { status: '' }] = await app.store.across((db) =>
      db
        .selectFrom('portalUser')
        .innerJoin('status', 'status.id', 'statusId')
        .select('status.name as status')
        .where('portalUser.id', '=', userId)
        .execute(),
    )
    // If the approval came first, they are a member there and were only removed from the other one.
    expect(status === 'archived' ? memberships : []).toEqual([])
  }
})
