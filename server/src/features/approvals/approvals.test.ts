import { signInRoutes } from '@tributary/contract/sign-in'
import { approvalLinkMs } from '@tributary/contract/limits'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { approvals, type Approval } from '@tributary/contract/approvals'
import type { FaultReply } from '@tributary/contract/faults'
import { users } from '@tributary/contract/users'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { anAddress, answer, look, newPassword, signUp } from '@tributary/testing/server/identity/sign-up-client.ts'
import { audited } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

interface Request {
  readonly code: string
  readonly emailAddress: string
  /** What the applicant was told. */
  readonly handle: string
  readonly approvalId: string
}

async function request(companyName: string, answers: Readonly<Record<string, unknown>>): Promise<Request> {
  const emailAddress = anAddress()
  const code = await signUp(app, { emailAddress, companyName })
  const { body } = await answer(app, code, answers)
  const [row] = await app.store.across((db) =>
    db
      .selectFrom('approval')
      .select('id')
      .where('applicantHandle', '=', body.ApprovalId ?? '')
      .execute(),
  )
  return { code, emailAddress, handle: body.ApprovalId ?? '', approvalId: row?.id ?? '' }
}
const toJoin = () => request('Harbour Trading', { joinOrganisation: true })
const toFound = (companyName = 'Newcomers') => request(companyName, { organisation: { companyName } })

function decide(client: TestClient, approvalId: string, approvalStatus: 'APPROVED' | 'REJECTED', signature?: string) {
  return client.call(approvals.decide, {
    body: { approvalId, approvalStatus, ...(signature !== undefined && { signature }) },
  })
}
const codeOf = (reply: { readonly body: unknown }) => (reply.body as FaultReply).code
const idsOf = (list: { readonly body: Approval[] }) => list.body.map(({ Id }) => Id)

test('[ADMIN-8] [API-1 GET /approvals] administrators see their organisation’s requests, the provider those for new ones, too', async () => {
  const [first, second, other] = [
    await toJoin(),
    await toJoin(),
    await request('Summit Foods', { joinOrganisation: true }),
  ]
  app.clock.advance(60_000)
  const founding = await toFound()
  await decide(app.as.admin, second.approvalId, 'REJECTED')
  const rejected = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success' }
  expect(await audited(app.store, 'approval.rejected')).toMatchObject([rejected])
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
  })
  expect(JSON.parse(shown?.ApprovalContext ?? '')).toEqual({
    Description: `Nora Newcomer (${first.emailAddress}) asks to join Harbour Trading.`,
    ApplicantName: 'Nora Newcomer',
    CompanyName: 'Harbour Trading',
  })
})

test('[REG-9] [ADMIN-8] [API-1 POST /approvals] approving lets the applicant in as a user, welcomes them and says who approved', async () => {
  const { approvalId, code, emailAddress } = await toJoin()
  const { status, body } = await decide(app.as.admin, approvalId, 'APPROVED')
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      ApprovalStatus: 'APPROVED',
      ApprovedUser: 'Amara Okafor',
      ApprovedAtUtc: expect.any(String),
    }),
  ])
  expect((await app.lettersTo(emailAddress)).at(-1)).toMatchObject({
    template: 'welcome',
    action: { url: 'http://localhost:3000/signin' },
  })
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(signedIn.body).toMatchObject({ role: 'user', organisationId: app.harbour.id })
  expect(await look(app, code)).toMatchObject({ Finalised: true, ApprovalStatus: 'APPROVED' })
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

test('[REG-9] approving a new organisation makes it, with the applicant as its administrator', async () => {
  const { approvalId, emailAddress } = await toFound()
  expect((await decide(app.as.provideradmin, approvalId, 'APPROVED')).body).toMatchObject({
    ApprovalStatus: 'APPROVED',
    ApprovedUser: 'Peter Lund',
  })
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress, password: newPassword },
  })
  expect(signedIn.body).toMatchObject({ role: 'admin' })
})

test('[REG-9] a request for a name that is taken by now cannot be approved, and stays open', async () => {
  const [first, second] = [await toFound(), await toFound()]
  expect((await decide(app.as.superadmin, first.approvalId, 'APPROVED')).status).toBe(200)
  const reply = await decide(app.as.superadmin, second.approvalId, 'APPROVED')
  expect([reply.status, codeOf(reply)]).toEqual([409, 'nameTaken'])
  expect((await decide(app.as.superadmin, second.approvalId, 'REJECTED')).body).toMatchObject({
    ApprovalStatus: 'REJECTED',
  })
})

test('[REG-9] where an administrator made an account for the address meanwhile, it becomes the applicant’s own', async () => {
  const { approvalId, emailAddress } = await toJoin()
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

test('[ADMIN-8] deciding again alike changes nothing, deciding otherwise is refused', async () => {
  const { approvalId, emailAddress } = await toJoin()
  const first = await decide(app.as.admin, approvalId, 'APPROVED')
  const letters = await app.lettersTo(emailAddress)
  app.clock.advance(60_000)
  expect(await decide(app.as.superadmin, approvalId, 'APPROVED')).toMatchObject({ status: 200, body: first.body })
  const reply = await decide(app.as.admin, approvalId, 'REJECTED')
  expect([reply.status, codeOf(reply)]).toEqual([409, 'alreadyDecided'])
  expect(await app.lettersTo(emailAddress)).toEqual(letters)
})

test('[ADMIN-8] another organisation’s administrator neither sees nor decides a request, nor one for a new organisation', async () => {
  const [joining, founding] = [await toJoin(), await toFound()]
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

test('[ADMIN-9] what the applicant knows of their request opens nothing on the side that decides', async () => {
  const { handle, approvalId } = await toJoin()
  expect(handle).not.toBe(approvalId)
  expect((await decide(app.as.admin, handle, 'APPROVED')).status).toBe(404)
})

test('[ADMIN-8] a superadmin of an installation without any organisation sees and decides the first request', async () => {
  const { approvalId } = await toFound()
  await app.store.across((db) => db.updateTable('organisation').set({ archivedAt: new Date() }).execute())
  expect((await app.as.superadmin.session())?.organisationId).toBeNull()
  expect(idsOf(await app.as.superadmin.call(approvals.list))).toEqual([approvalId])
  expect((await decide(app.as.superadmin, approvalId, 'APPROVED')).body).toMatchObject({ ApprovalStatus: 'APPROVED' })
})

test('[REG-9] once a request is decided nothing is kept of the password that came with it', async () => {
  await decide(app.as.admin, (await toJoin()).approvalId, 'APPROVED')
  await decide(app.as.admin, (await toJoin()).approvalId, 'REJECTED')
  const kept = await app.store.across((db) => db.selectFrom('registration').select('passwordHash').execute())
  expect(kept).toEqual([{ passwordHash: null }, { passwordHash: null }])
})

async function signatures(emailAddress: string) {
  const letter = (await app.lettersTo(emailAddress)).findLast(({ template }) => template === 'approval-wanted')
  const urls = [letter?.action?.url ?? '', letter?.paragraphs.at(-1)?.split(' ').at(-1) ?? ''].map(
    (url) => new URL(url),
  )
  const [approve, reject] = urls.map(({ searchParams }) => searchParams.get('signature') ?? '')
  return { urls, approve: approve ?? '', reject: reject ?? '' }
}

test('[ADMIN-9] the mailed link names the request and the decision, and its signature decides once', async () => {
  const { approvalId } = await toJoin()
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
  // Opened again, the link shows what was decided.
  expect((await decide(app.as.admin, approvalId, 'APPROVED', approve)).status).toBe(200)
})

test('[ADMIN-9] a signature counts for its approver, its request and its decision alone, for three days', async () => {
  const [one, two] = [await toJoin(), await toJoin()]
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

test('[ADMIN-8] a link of a mail decides nothing by being looked at', async () => {
  const { approvalId } = await toJoin()
  const { urls } = await signatures('admin@demo.example')
  for (const { pathname, search } of urls) await app.as.visitor.send('GET', `${pathname}${search}`)
  await app.as.visitor.call(signUpRoutes.finalisation, { query: { code: approvalId } })
  expect((await app.as.admin.call(approvals.list)).body).toMatchObject([{ ApprovalStatus: 'PENDING' }])
})
