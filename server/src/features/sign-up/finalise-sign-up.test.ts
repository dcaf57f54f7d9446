import { signUpRoutes } from '@tributary/contract/sign-up'
import { approvals } from '@tributary/contract/approvals'
import { signInRoutes } from '@tributary/contract/sign-in'
import { approvalLinkMs, registrationLinkMs } from '@tributary/contract/limits'
import type { FaultReply } from '@tributary/contract/faults'
import { users } from '@tributary/contract/users'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  newEmailAddress,
  finalise,
  codeOf,
  insertNewcomer,
  readFinalisation,
  newPassword,
  signUp,
  setSetting,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const nothingYet = {
  Finalised: false,
  ApprovalId: null,
  ApprovalStatus: null,
  LinkOrganisation: false,
  LinkAccount: false,
  ChoosePassword: false,
  Invited: false,
}

test('[REG-8] [API-1 GET /registration/finalise] opening the link confirms the address, and opening it again changes nothing', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Newcomers' })
  const first = await readFinalisation(app, code)
  expect(first).toEqual({
    ...nothingYet,
    FirstName: 'Nora',
    Provider: '',
    EmailAddress: emailAddress,
    CompanyName: 'Newcomers',
  })
  expect(await readFinalisation(app, code)).toEqual(first)
  const [row] = await app.store.across((db) =>
    db.selectFrom('registration').select(['verifiedAt', 'finalisedAt']).execute(),
  )
  expect(row).toEqual({ verifiedAt: expect.any(String), finalisedAt: null })
})

test('[REG-8] [API-1 POST /registration/finalise] a new organisation waits for the provider, and the applicant sees the status', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Newcomers' })
  const { body } = await finalise(app, code, { organisation: { companyName: 'Newcomers' } })
  expect(body).toMatchObject({ Finalised: false, ApprovalId: expect.any(String), ApprovalStatus: 'PENDING' })
  expect(await readFinalisation(app, code)).toEqual(body)
  expect(await app.emailsTo(emailAddress)).toMatchObject([
    { template: 'confirm-sign-up' },
    { template: 'request-received' },
  ])
  for (const decider of ['superadmin@demo.example', 'provideradmin@demo.example'])
    expect(await app.emailsTo(decider)).toMatchObject([{ template: 'approval-wanted' }])
  expect(await app.emailsTo('admin@demo.example')).toEqual([])

  // A second request, even for another name, changes nothing.
  expect((await finalise(app, code, { organisation: { companyName: 'Others' } })).body).toEqual(body)
  expect(await app.emailsTo('superadmin@demo.example')).toHaveLength(1)
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(signedIn.status).toBe(401)
})

test('[REG-8] if no approval is required, the organisation exists at once, with the applicant as administrator', async () => {
  await setSetting(app, 'RequireApproval', false)
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: '  Newcomers & Söhne ' })
  expect((await finalise(app, code, { organisation: { companyName: 'Newcomers & Söhne' } })).body).toMatchObject({
    Finalised: true,
  })
  expect(await readFinalisation(app, code)).toMatchObject({ Finalised: true, FirstName: 'Nora' })
  const { body } = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(body).toMatchObject({ role: 'admin', firstName: 'Nora', email: emailAddress })
  const created = await app.store.across((db) =>
    db.selectFrom('organisation').select(['companyName', 'key']).where('companyName', 'like', 'Newcomers%').execute(),
  )
  expect(created).toEqual([{ companyName: 'Newcomers & Söhne', key: 'newcomers-sohne' }])
  expect((await app.emailsTo(emailAddress)).at(-1)).toMatchObject({ template: 'welcome' })
  const events = await app.store.across((db) =>
    db.selectFrom('auditEvent').select('action').where('organisationId', 'is not', null).orderBy('id').execute(),
  )
  expect(events.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.created', 'authz.membership_added', 'organisation.created']),
  )
})

test('[REG-8] an existing organisation of that name, ignoring case, is offered to join, and its administrators decide', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: ' harbour TRADING ' })
  expect(await readFinalisation(app, code)).toMatchObject({ LinkOrganisation: true, CompanyName: 'Harbour Trading' })
  // Without an answer, no approval is requested.
  expect((await finalise(app, code)).body).toMatchObject({ LinkOrganisation: true, ApprovalId: null })
  const { body } = await finalise(app, code, { joinOrganisation: true })
  expect(body).toMatchObject({ ApprovalId: expect.any(String), ApprovalStatus: 'PENDING', LinkOrganisation: false })
  const visibleToApplicant = JSON.stringify([body, await app.emailsTo(emailAddress)])
  for (const secret of ['Amara', 'Okafor', 'admin@demo.example']) expect(visibleToApplicant).not.toContain(secret)
  expect(await app.emailsTo('admin@demo.example')).toMatchObject([{ template: 'approval-wanted' }])
  for (const uninvolved of ['admin@other.example', 'user@demo.example', 'superadmin@demo.example'])
    expect(await app.emailsTo(uninvolved)).toEqual([])
})

test('[REG-8] joining needs an administrator’s approval even if new organisations need none', async () => {
  await setSetting(app, 'RequireApproval', false)
  const code = await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Harbour Trading' })
  expect((await finalise(app, code, { joinOrganisation: true })).body).toMatchObject({
    Finalised: false,
    ApprovalStatus: 'PENDING',
  })
})

test('[REG-8] an applicant who declines to join enters another name; an archived organisation’s is not free', async () => {
  const code = await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Harbour Trading' })
  expect((await finalise(app, code, { joinOrganisation: false })).body).toMatchObject({
    ...nothingYet,
    CompanyName: '',
  })
  expect(await readFinalisation(app, code)).toMatchObject({ LinkOrganisation: false, CompanyName: '' })
  const another = await finalise(app, code, { organisation: { companyName: 'summit foods' } })
  expect(another.body).toMatchObject({ LinkOrganisation: true, CompanyName: 'Summit Foods', ApprovalId: null })
  await app.store.within(app.summit.id, (db) =>
    db.updateTable('organisation').set({ archivedAt: new Date() }).execute(),
  )
  const archived = await finalise(app, code, { organisation: { companyName: 'summit foods' } })
  expect([archived.status, (archived.body as unknown as FaultReply).code]).toEqual([409, 'nameTaken'])
  expect((await finalise(app, code, { organisation: { companyName: 'Newcomers' } })).body).toMatchObject({
    ApprovalStatus: 'PENDING',
  })
})

test('[REG-8] the provider decides on applicants for an organisation without an administrator', async () => {
  await app.store.within(app.summit.id, (db) =>
    db.deleteFrom('membership').where('organisationId', '=', app.summit.id).execute(),
  )
  const code = await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Summit Foods' })
  await finalise(app, code, { joinOrganisation: true })
  expect(await app.emailsTo('provideradmin@demo.example')).toMatchObject([{ template: 'approval-wanted' }])
})

test('[REG-8] a rejected applicant sees the rejection', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Harbour Trading' })
  await finalise(app, code, { joinOrganisation: true })
  const [{ Id: approvalId } = { Id: '' }] = (await app.as.admin.call(approvals.list)).body
  await app.as.admin.call(approvals.decide, { body: { approvalId, approvalStatus: 'REJECTED' } })
  expect(await readFinalisation(app, code)).toMatchObject({ Finalised: false, ApprovalStatus: 'REJECTED' })
  expect((await app.emailsTo(emailAddress)).at(-1)).toMatchObject({ template: 'request-rejected' })
})

test('[REG-8] an unknown link and one that is a day old are refused', async () => {
  const code = await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' })
  app.clock.advance(registrationLinkMs)
  for (const one of [code, 'nonsense']) {
    const replies = [
      await app.as.visitor.call(signUpRoutes.finalisation, { query: { code: one } }),
      await finalise(app, one),
    ]
    for (const { status, body } of replies)
      expect([status, (body as unknown as FaultReply).code]).toEqual([403, 'linkSpent'])
  }
})

test('[REG-8] if the address got an account in the meantime, its password is needed first', async () => {
  await setSetting(app, 'RequireApproval', false)
  const emailAddress = newEmailAddress()
  const [first, second] = [
    await signUp(app, { emailAddress, companyName: 'First' }),
    await signUp(app, { emailAddress, companyName: 'Second' }),
  ]
  await finalise(app, first, { organisation: { companyName: 'First' } })
  expect((await finalise(app, second, { organisation: { companyName: 'Second' } })).body).toMatchObject({
    LinkAccount: true,
    Finalised: false,
  })
  const proof = { account: { password: newPassword }, organisation: { companyName: 'Second' } }
  expect((await finalise(app, second, proof)).body).toMatchObject({ Finalised: true })
  const memberships = await app.store.across((db) =>
    db
      .selectFrom('membership')
      .innerJoin('portalUser', 'portalUser.id', 'userId')
      .innerJoin('organisation', 'organisation.id', 'organisationId')
      .select('companyName')
      .where('emailAddress', '=', emailAddress)
      .orderBy('companyName')
      .execute(),
  )
  expect(memberships.map(({ companyName }) => companyName)).toEqual(['First', 'Second'])
})

async function invite(emailAddress: string): Promise<string> {
  const [{ id: roleId } = { id: '' }] = await app.store.across((db) =>
    db.selectFrom('role').select('id').where('name', '=', 'guest').execute(),
  )
  const person = { firstName: 'Ina', lastName: 'Invited', emailAddress, roleId }
  const { status } = await app.as.otherAdmin.call(users.invite, { body: person })
  expect(status).toBe(201)
  return codeOf((await app.emailsTo(emailAddress)).at(-1)?.action?.url)
}

test('[REG-8] an invited newcomer chooses a password and becomes a member with the role of the invitation', async () => {
  const emailAddress = newEmailAddress()
  const code = await invite(emailAddress)
  expect(await readFinalisation(app, code)).toMatchObject({
    ChoosePassword: true,
    FirstName: 'Ina',
    CompanyName: 'Summit Foods',
    EmailAddress: emailAddress,
  })
  const easy = await finalise(app, code, { account: { password: 'abcdefgh' } })
  expect([easy.status, Object.keys((easy.body as unknown as FaultReply).fields ?? {})]).toEqual([
    400,
    ['account.password'],
  ])
  const tries = await Promise.all(
    Array.from({ length: 20 }, () => finalise(app, code, { account: { password: newPassword } })),
  )
  expect(tries.map(({ status }) => status)).not.toContain(500)
  const { body } = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(body).toMatchObject({ role: 'guest', organisationId: app.summit.id, firstName: 'Ina' })
  expect((await app.emailsTo(emailAddress)).filter(({ template }) => template === 'welcome')).toHaveLength(1)
  expect(await readFinalisation(app, code)).toMatchObject({ Finalised: true, ChoosePassword: false })
})

test('[REG-8] an invited person with an account joins with its password', async () => {
  const code = await invite('user@demo.example')
  expect(await readFinalisation(app, code)).toMatchObject({
    LinkAccount: true,
    ChoosePassword: false,
    CompanyName: 'Summit Foods',
  })
  expect((await finalise(app, code, { account: { password: newPassword } })).status).toBe(401)
  expect((await finalise(app, code, { account: { password: trialPassword } })).body).toMatchObject({ Finalised: true })
  const role = await app.store.within(app.summit.id, (db) =>
    db
      .selectFrom('membership')
      .innerJoin('role', 'role.id', 'roleId')
      .select('role.name')
      .where('organisationId', '=', app.summit.id)
      .where('userId', '=', app.idOf('user'))
      .execute(),
  )
  expect(role).toEqual([{ name: 'guest' }])
})

test('an approval link is valid for three days, longer than the applicant’s link', async () => {
  const code = await insertNewcomer(app, { emailAddress: newEmailAddress(), companyName: 'Harbour Trading' })
  await finalise(app, code, { joinOrganisation: true })
  const links = await app.store.across((db) =>
    db.selectFrom('linkCode').select(['expiresAt', 'payload']).where('purpose', '=', 'approval').execute(),
  )
  expect(links.map(({ payload }) => (payload as { status: string }).status).toSorted()).toEqual([
    'APPROVED',
    'REJECTED',
  ])
  for (const { expiresAt } of links) expect(Date.parse(expiresAt) - app.clock.now()).toBe(approvalLinkMs)
})
