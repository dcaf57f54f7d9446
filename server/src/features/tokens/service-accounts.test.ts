import { auditLog } from '@tributary/contract/audit-log'
import { connectors } from '@tributary/contract/connectors'
import { organisations } from '@tributary/contract/organisations'
import { resetPassword } from '@tributary/contract/reset-password'
import { signInRoutes } from '@tributary/contract/sign-in'
import { organisationTokens } from '@tributary/contract/tokens'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import {
  confirmSecondFactor,
  MadeToken,
  makeServiceToken,
  makeToken,
} from '@tributary/testing/server/identity/make-token.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { warnBeforeExpiry } from './warn-before-expiry.ts'

const dayMs = 86_400_000
let app: TestApp
let admin: AddedPerson
let params: { clientId: string }
beforeAll(async () => {
  app = await testApp()
  admin = await addPerson(app, { [app.harbour.id]: 'admin' })
  params = { clientId: app.harbour.id }
})
afterAll(() => app[Symbol.asyncDispose]())

const addAccount = (name: string, role: 'admin' | 'user' = 'user') =>
  admin.client.call(organisationTokens.addServiceAccount, { params, body: { name, role } })

test('[SEE-12] an administrator adds a service account with a role; its token has the role, no person and the prefix of service accounts', async () => {
  const { accountId, made } = await makeServiceToken(app, admin, { name: 'First import' })
  expect(made.secret).toMatch(/^trib_svc_/u)
  expect((await made.call(organisations.list)).status).toBe(200)
  expect((await made.call(organisations.users, { query: { orgId: app.harbour.id } })).body).toMatchObject({
    length: expect.any(Number) as number,
  })
  expect(await made.call(users.invitations)).toMatchObject({ status: 403, body: { code: 'notAllowed' } })
  const { body: listed } = await admin.client.call(organisationTokens.serviceAccounts, { params })
  expect(listed.find(({ Id }) => Id === accountId)).toMatchObject({
    Name: 'First import',
    Role: 'user',
    Status: 'active',
    ValidTokens: 1,
  })
  const { body: members } = await admin.client.call(organisations.users, { query: { orgId: app.harbour.id } })
  expect(members.find(({ Id }) => Id === accountId)).toMatchObject({
    FirstName: 'First import',
    LastName: '(service account)',
  })
})

test('[SEE-12] a service account outlives the person who made it', async () => {
  const maker = await addPerson(app, { [app.harbour.id]: 'admin' })
  const { made } = await makeServiceToken(app, maker, { name: 'Outlives' })
  await app.as.admin.signIn()
  const removed = await app.as.admin.call(users.remove, {
    params: { userId: maker.id },
    query: { orgId: app.harbour.id },
  })
  expect([removed.status, (await made.call(organisations.list)).status]).toEqual([204, 200])
})

test('[SEE-12] a service account sees the connectors that are assigned to it, like a person', async () => {
  const { accountId, made } = await makeServiceToken(app, admin, { name: 'Assigned' })
  const { connectorId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  const list = async () =>
    (await made.call(connectors.list, { params })).body as unknown as readonly { readonly Id: string }[]
  expect(await list()).toEqual([])
  await admin.client.call(connectors.assignUsers, { params: { connectorId }, body: { users: [accountId] } })
  expect((await list()).map(({ Id }) => Id)).toEqual([connectorId])
})

test('[SEE-12] a service account cannot sign in, and nothing to sign in with can be given to it', async () => {
  const { accountId } = await makeServiceToken(app, admin, { name: 'No door' })
  const { emailAddress } = await app.store.across((db) =>
    db.selectFrom('portalUser').select('emailAddress').where('id', '=', accountId).executeTakeFirstOrThrow(),
  )
  await admin.client.signIn()
  const update = (body: object) =>
    admin.client.call(users.update, { params: { userId: accountId }, query: { orgId: app.harbour.id }, body })
  for (const body of [
    { password: 'a-good-one-77' },
    { emailAddress: 'taken-over@example.com' },
    { requireMultiFactorAuthentication: true },
    { roleId: roleIdOf('guest') },
  ])
    expect(await update(body)).toMatchObject({ status: 409, body: { code: 'serviceAccount' } })
  const asSuperadmin = (body: object) =>
    app.as.superadmin.call(users.update, { params: { userId: accountId }, query: { orgId: app.harbour.id }, body })
  for (const body of [{ roleId: roleIdOf('superadmin') }, { msId: 'an-id' }])
    expect(await asSuperadmin(body)).toMatchObject({ status: 409, body: { code: 'serviceAccount' } })
  expect((await update({ firstName: 'No door at all', roleId: roleIdOf('admin') })).status).toBe(200)
  const recaptchaToken = await solveCaptcha(app)
  await app.as.visitor.call(resetPassword.request, { body: { emailAddress, recaptchaToken } })
  await app.as.visitor.call(signInRoutes.requestLink, {
    body: { emailAddress, recaptchaToken: await solveCaptcha(app) },
  })
  const signIn = { emailAddress, password: 'a-good-one-77' }
  expect((await app.as.visitor.call(signInRoutes.withPassword, { body: signIn })).status).toBe(401)
  expect((await app.emailsTo(emailAddress)).filter(({ action }) => action !== undefined)).toEqual([])
})

test('[SEE-12] names are unique in the organisation, and only administrators of it add, renew and revoke', async () => {
  expect((await addAccount('Unique')).status).toBe(201)
  expect(await addAccount('unique')).toMatchObject({ status: 409, body: { code: 'nameTaken' } })
  const body = { name: 'Of a user', role: 'user' }
  expect((await app.as.user.call(organisationTokens.addServiceAccount, { params, body })).status).toBe(403)
  await app.as.otherAdmin.signIn()
  expect((await app.as.otherAdmin.call(organisationTokens.addServiceAccount, { params, body })).status).toBe(404)
})

test('[SEE-12] any administrator renews a token: the former secret ends at once, and the new one lasts at most a year', async () => {
  const { accountId, made } = await makeServiceToken(app, admin, { name: 'Renewed' })
  const other = await addPerson(app, { [app.harbour.id]: 'admin' })
  const renewal = { params: { ...params, accessTokenId: made.token.Id }, body: { days: 365 } }
  expect(await other.client.call(organisationTokens.renew, renewal)).toMatchObject({
    status: 403,
    body: { code: 'factorNeeded' },
  })
  await confirmSecondFactor(app, other)
  const renewed = await other.client.call(organisationTokens.renew, renewal)
  expect(renewed).toMatchObject({ status: 201, body: { Token: { Id: made.token.Id, Name: 'Import' } } })
  expect(Date.parse(renewed.body.Token.ExpiresAtUtc) - app.clock.now()).toBe(365 * dayMs)
  const current = new MadeToken(app, renewed.body)
  expect([(await made.call(organisations.list)).status, (await current.call(organisations.list)).status]).toEqual([
    401, 200,
  ])
  const tooLong = await other.client.call(organisationTokens.renew, { ...renewal, body: { days: 366 } })
  expect(tooLong).toMatchObject({ status: 400, body: { code: 'badInput' } })
  expect((await other.client.call(organisationTokens.revoke, { params: renewal.params })).status).toBe(204)
  expect((await current.call(organisations.list)).status).toBe(401)
  const { body: events } = await other.client.call(auditLog.list, { query: { orgId: app.harbour.id } })
  const actions = events.filter(({ ObjectId }) => ObjectId === made.token.Id || ObjectId === accountId)
  expect(actions.map(({ Action }) => Action)).toEqual([
    'api_token.revoked',
    'api_token.renewed',
    'api_token.created',
    'service_account.created',
  ])
  expect((await other.client.call(organisationTokens.renew, renewal)).status).toBe(404)
})

test('[SEE-12] a token of a person cannot be renewed by an administrator', async () => {
  const made = await makeToken(app, admin)
  const renewal = { params: { ...params, accessTokenId: made.token.Id }, body: { days: 1 } }
  expect((await admin.client.call(organisationTokens.renew, renewal)).status).toBe(404)
  expect((await made.call(organisations.list)).status).toBe(200)
})

test('[SEE-12] a removed service account ends with its tokens and keeps its name in the records', async () => {
  const { accountId, made } = await makeServiceToken(app, admin, { name: 'Removed' })
  const removed = await admin.client.call(users.remove, {
    params: { userId: accountId },
    query: { orgId: app.harbour.id },
  })
  expect([removed.status, (await made.call(organisations.list)).status]).toEqual([204, 401])
  const { firstName } = await app.store.across((db) =>
    db.selectFrom('portalUser').select('firstName').where('id', '=', accountId).executeTakeFirstOrThrow(),
  )
  expect(firstName).toBe('Removed')
})

test('[SEE-12] a service account counts neither as the last administrator nor as a recipient of mails', async () => {
  const { body: organisation } = await app.as.superadmin.call(users.createOrganisation, {
    body: { companyName: 'One admin' },
  })
  const only = await addPerson(app, { [organisation.Id]: 'admin' })
  const clientId = organisation.Id
  const { body: account } = await only.client.call(organisationTokens.addServiceAccount, {
    params: { clientId },
    body: { name: 'Deputy', role: 'admin' },
  })
  const left = await app.as.superadmin.call(users.update, {
    params: { userId: only.id },
    query: { orgId: clientId },
    body: { roleId: roleIdOf('user') },
  })
  expect(left).toMatchObject({ status: 409, body: { code: 'lastAdmin' } })
  await confirmSecondFactor(app, only)
  const made = await only.client.call(organisationTokens.createForServiceAccount, {
    params: { clientId, serviceAccountId: account.Id },
    body: { name: 'Import', scopes: ['plans.load'] },
  })
  expect(made.status).toBe(201)
  app.clock.advance(85 * dayMs)
  await warnBeforeExpiry(app.services)
  expect((await app.emailsTo(only.emailAddress)).at(-1)?.subject).toBe('An access token for One admin expires soon')
  const recipients = await app.store.across((db) => db.selectFrom('mail').select('recipient').execute())
  expect(recipients.filter(({ recipient }) => recipient.endsWith('.invalid'))).toEqual([])
})
