import { signInRoutes } from '@tributary/contract/sign-in'
import { approvalLinkMs } from '@tributary/contract/limits'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { approvals, type Approval } from '@tributary/contract/approvals'
import type { FaultReply } from '@tributary/contract/faults'
import { users } from '@tributary/contract/users'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  newEmailAddress,
  finalise,
  readFinalisation,
  newPassword,
  signUp,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

interface RequestedApproval {
  readonly code: string
  readonly emailAddress: string
  /** The id that the applicant knows the request by. */
  readonly handle: string
  readonly approvalId: string
}

async function requestApproval(
  companyName: string,
  choices: Readonly<Record<string, unknown>>,
): Promise<RequestedApproval> {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName })
  const { body } = await finalise(app, code, choices)
  const [row] = await app.store.across((db) =>
    db
      .selectFrom('approval')
      .select('id')
      .where('applicantHandle', '=', body.ApprovalId ?? '')
      .execute(),
  )
  return { code, emailAddress, handle: body.ApprovalId ?? '', approvalId: row?.id ?? '' }
}
const requestToJoin = () => requestApproval('Harbour Trading', { joinOrganisation: true })
const requestNewOrganisation = (companyName = 'Newcomers') =>
  requestApproval(companyName, { organisation: { companyName } })

function decide(client: TestClient, approvalId: string, approvalStatus: 'APPROVED' | 'REJECTED', signature?: string) {
  return client.call(approvals.decide, {
    body: { approvalId, approvalStatus, ...(signature !== undefined && { signature }) },
  })
}
const codeOf = (reply: { readonly body: unknown }) => (reply.body as FaultReply).code
const idsOf = (list: { readonly body: Approval[] }) => list.body.map(({ Id }) => Id)

test('[SCALE-4] [API-1 GET /approvals] a page has the total of the list; a state and an id select', async () => {
  const [first, second] = [await requestToJoin(), await requestToJoin()]
  app.clock.advance(60_000)
  const founding = await requestNewOrganisation()
  await requestApproval('Summit Foods', { joinOrganisation: true })
  await decide(app.as.admin, second.approvalId, 'REJECTED')
  const list = async (client: TestClient, query: object) => {
    const reply = await client.call(approvals.list, { query: { orgId: app.harbour.id, ...query } })
    return [idsOf(reply), reply.headers['x-total-count']]
  }
  const { admin, provideradmin } = app.as
  expect(await list(provideradmin, { page: 1, pageSize: 2 })).toEqual([[founding.approvalId, first.approvalId], '3'])
  expect(await list(provideradmin, { page: 2, pageSize: 2 })).toEqual([[second.approvalId], '3'])
  expect(await list(provideradmin, { status: 'PENDING', pageSize: 1 })).toEqual([[founding.approvalId], '2'])
  expect(await list(admin, { status: 'REJECTED', pageSize: 1 })).toEqual([[second.approvalId], '1'])
  expect(await list(admin, { id: first.approvalId })).toEqual([[first.approvalId], undefined])
  expect(await list(admin, { id: founding.approvalId })).toEqual([[], undefined])
})

test('[ADMIN-8] [API-1 GET /approvals] administrators see requests for their organisation, and the provider also those for new ones', async () => {
  const [first, second, other] = [
    await requestToJoin(),
    await requestToJoin(),
    await requestApproval('Summit Foods', { joinOrganisation: true }),
  ]
  app.clock.advance(60_000)
  const founding = await requestNewOrganisation()
  await decide(app.as.admin, second.approvalId, 'REJECTED')
  const rejected = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success' }
  expect(await findAuditEvents(app.store, 'approval.rejected')).toMatchObject([rejected])
  expect(idsOf(await app.as.admin.call(approvals.list))).toEqual([first.approvalId, second.approvalId])
  expect(idsOf(await app.as.otherAdmin.call(approvals.list))).toEqual([other.approvalId])
  expect(idsOf(await app.as.provideradmin.call(approvals.list, { query: { orgId: app.harbour.id } }))).toEqual([
    founding.approvalId,
    first.approvalId,
    second.approvalId,
  ])
  const [shown] = (await app.as.admin.call(approvals.list)).body
  expect(shown).toMatchObject({
    ApprovalType: 'JOIN_ORGANISATION',
    ApprovalStatus: 'PENDING',
    ApprovedAtUtc: null,
    ApprovedUser: null,
    RejectionReason: null,
  })
  expect(JSON.parse(shown?.ApprovalContext ?? '')).toEqual({
    Description: `Nora Newcomer (${first.emailAddress}) asks to join Harbour Trading.`,
    ApplicantName: 'Nora Newcomer',
    CompanyName: 'Harbour Trading',
  })
})

test('[REG-9] [ADMIN-8] [API-1 POST /approvals] approving makes the applicant a user, sends a welcome email and records who approved', async () => {
  const { approvalId, code, emailAddress } = await requestToJoin()
  const { status, body } = await decide(app.as.admin, approvalId, 'APPROVED')
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      ApprovalStatus: 'APPROVED',
      ApprovedUser: 'Amara Okafor',
      ApprovedAtUtc: expect.any(String),
    }),
  ])
  expect((await app.emailsTo(emailAddress)).at(-1)).toMatchObject({
    template: 'welcome',
    action: { url: 'http://localhost:3000/signin' },
  })
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(signedIn.body).toMatchObject({ role: 'user', organisationId: app.harbour.id })
  expect(await readFinalisation(app, code)).toMatchObject({ Finalised: true, ApprovalStatus: 'APPROVED' })
  const events = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('auditEvent')
      .select(['action', 'actorId'])
      .where('action', 'not like', 'authn%')
      .orderBy('id')
      .execute(),
  )
  const admin = app.idOf('admin')
  expect(events).toMatchObject([
    { action: 'approval.requested', actorId: null },
    { action: 'user.created', actorId: admin },
    { action: 'authz.membership_added', actorId: admin },
    { action: 'approval.approved', actorId: admin },
  ])
})

test('[REG-9] approving a new organisation creates it, with the applicant as its administrator', async () => {
  const { approvalId, emailAddress } = await requestNewOrganisation()
  expect((await decide(app.as.provideradmin, approvalId, 'APPROVED')).body).toMatchObject({
    ApprovalStatus: 'APPROVED',
    ApprovedUser: 'Peter Lund',
  })
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(signedIn.body).toMatchObject({ role: 'admin' })
})

test('[REG-9] a request for a name that another organisation has taken cannot be approved, and stays pending', async () => {
  const [first, second] = [await requestNewOrganisation(), await requestNewOrganisation()]
  expect((await decide(app.as.superadmin, first.approvalId, 'APPROVED')).status).toBe(200)
  const reply = await decide(app.as.superadmin, second.approvalId, 'APPROVED')
  expect([reply.status, codeOf(reply)]).toEqual([409, 'nameTaken'])
  expect((await decide(app.as.superadmin, second.approvalId, 'REJECTED')).body).toMatchObject({
    ApprovalStatus: 'REJECTED',
  })
})

test('[REG-9] an account that an administrator created for the address in the meantime becomes the applicant’s', async () => {
  const { approvalId, emailAddress } = await requestToJoin()
  const [{ id: roleId } = { id: '' }] = await app.store.across((db) =>
    db.selectFrom('role').select('id').where('name', '=', 'admin').execute(),
  )
  const person = { firstName: 'Nora', lastName: 'Already', emailAddress, password: 'another-one-77', roleId }
  expect((await app.as.otherAdmin.call(users.create, { body: person })).status).toBe(201)
  expect((await decide(app.as.admin, approvalId, 'APPROVED')).status).toBe(200)
  const rows = await app.store.across((db) =>
    db
      .selectFrom('membership')
      .innerJoin('portalUser', 'portalUser.id', 'userId')
      .innerJoin('role', 'role.id', 'roleId')
      .select(['organisationId', 'role.name', 'lastName'])
      .where('emailAddress', '=', emailAddress)
      .orderBy('organisationId')
      .execute(),
  )
  expect(rows).toEqual([
    { organisationId: app.harbour.id, name: 'user', lastName: 'Already' },
    { organisationId: app.summit.id, name: 'admin', lastName: 'Already' },
  ])
  const statuses = []
  for (const password of ['another-one-77', newPassword])
    statuses.push((await app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password } })).status)
  expect(statuses).toEqual([401, 200])
})

test('[ADMIN-8] repeating a decision changes nothing, and reversing it is refused', async () => {
  const { approvalId, emailAddress } = await requestToJoin()
  const first = await decide(app.as.admin, approvalId, 'APPROVED')
  const emails = await app.emailsTo(emailAddress)
  app.clock.advance(60_000)
  expect(await decide(app.as.superadmin, approvalId, 'APPROVED')).toMatchObject({ status: 200, body: first.body })
  const reply = await decide(app.as.admin, approvalId, 'REJECTED')
  expect([reply.status, codeOf(reply)]).toEqual([409, 'alreadyDecided'])
  expect(await app.emailsTo(emailAddress)).toEqual(emails)
})

test('[ADMIN-8] administrators of another organisation neither see nor decide requests, including those for new organisations', async () => {
  const [joining, founding] = [await requestToJoin(), await requestNewOrganisation()]
  for (const { approvalId } of [joining, founding]) {
    const reply = await decide(app.as.otherAdmin, approvalId, 'APPROVED')
    expect([reply.status, codeOf(reply)]).toEqual([404, 'notFound'])
  }
  expect((await decide(app.as.admin, founding.approvalId, 'APPROVED')).status).toBe(404)
  expect((await app.as.otherAdmin.call(approvals.list)).body).toEqual([])
  expect((await app.as.otherAdmin.call(approvals.list, { query: { orgId: app.harbour.id } })).status).toBe(404)
  for (const role of ['user', 'guest'] as const)
    expect((await decide(app.as[role], joining.approvalId, 'APPROVED')).status).toBe(403)
})

test('[ADMIN-9] the id that the applicant knows cannot be used to decide the request', async () => {
  const { handle, approvalId } = await requestToJoin()
  expect(handle).not.toBe(approvalId)
  expect((await decide(app.as.admin, handle, 'APPROVED')).status).toBe(404)
})

test('[ADMIN-8] in an installation without an organisation, a superadmin sees and decides the first request', async () => {
  const { approvalId } = await requestNewOrganisation()
  await app.store.across((db) => db.updateTable('organisation').set({ archivedAt: new Date() }).execute())
  expect((await app.as.superadmin.session())?.organisationId).toBeNull()
  expect(idsOf(await app.as.superadmin.call(approvals.list))).toEqual([approvalId])
  expect((await decide(app.as.superadmin, approvalId, 'APPROVED')).body).toMatchObject({ ApprovalStatus: 'APPROVED' })
})

test('[REG-9] deciding a request deletes the applicant’s password hash from it', async () => {
  await decide(app.as.admin, (await requestToJoin()).approvalId, 'APPROVED')
  await decide(app.as.admin, (await requestToJoin()).approvalId, 'REJECTED')
  const kept = await app.store.across((db) => db.selectFrom('registration').select('passwordHash').execute())
  expect(kept).toEqual([{ passwordHash: null }, { passwordHash: null }])
})

async function signatures(emailAddress: string) {
  const email = (await app.emailsTo(emailAddress)).findLast(({ template }) => template === 'approval-wanted')
  const urls = [email?.action?.url ?? '', email?.paragraphs.at(-1)?.split(' ').at(-1) ?? ''].map((url) => new URL(url))
  const [approve, reject] = urls.map(({ searchParams }) => searchParams.get('signature') ?? '')
  return { urls, approve: approve ?? '', reject: reject ?? '' }
}

test('[ADMIN-9] the mailed link names the request and the decision, and its signature is used once', async () => {
  const { approvalId } = await requestToJoin()
  const { urls, approve } = await signatures('admin@demo.example')
  expect(urls.map(({ pathname, searchParams }) => [pathname, searchParams.get('status')])).toEqual([
    [`/admin/approvals/${approvalId}`, 'APPROVED'],
    [`/admin/approvals/${approvalId}`, 'REJECTED'],
  ])
  expect((await decide(app.as.admin, approvalId, 'APPROVED', approve)).body).toMatchObject({
    ApprovalStatus: 'APPROVED',
  })
  const [used] = await app.store.across((db) =>
    db.selectFrom('linkCode').select('usedAt').where('usedAt', 'is not', null).execute(),
  )
  expect(used).toBeDefined()
  // Opening the link again shows the decision.
  expect((await decide(app.as.admin, approvalId, 'APPROVED', approve)).status).toBe(200)
})

test('[ADMIN-9] a signature is valid only for its approver, request and decision, for three days', async () => {
  const [one, two] = [await requestToJoin(), await requestToJoin()]
  const ofTwo = await signatures('admin@demo.example')
  const refused = async (
    client: TestClient,
    approvalId: string,
    status: 'APPROVED' | 'REJECTED',
    signature: string,
  ) => {
    const reply = await decide(client, approvalId, status, signature)
    expect([reply.status, codeOf(reply)]).toEqual([403, 'linkSpent'])
  }
  await refused(app.as.admin, two.approvalId, 'REJECTED', ofTwo.approve)
  await refused(app.as.admin, one.approvalId, 'APPROVED', ofTwo.approve)
  await refused(app.as.superadmin, two.approvalId, 'APPROVED', ofTwo.approve)
  await refused(app.as.admin, two.approvalId, 'APPROVED', 'nonsense')
  app.clock.advance(approvalLinkMs)
  await app.as.admin.signIn()
  await refused(app.as.admin, two.approvalId, 'APPROVED', ofTwo.approve)
  expect((await decide(app.as.admin, two.approvalId, 'APPROVED')).status).toBe(200)
})

test('[ADMIN-8] opening a mailed link decides nothing', async () => {
  const { approvalId } = await requestToJoin()
  const { urls } = await signatures('admin@demo.example')
  for (const { pathname, search } of urls) await app.as.visitor.send('GET', `${pathname}${search}`)
  await app.as.visitor.call(signUpRoutes.finalisation, { query: { code: approvalId } })
  expect((await app.as.admin.call(approvals.list)).body).toMatchObject([{ ApprovalStatus: 'PENDING' }])
})
