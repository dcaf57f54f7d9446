import { approvals } from '@tributary/contract/approvals'
import { rejectionReasonMax } from '@tributary/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { finalise, newEmailAddress, signUp } from '@tributary/testing/server/identity/sign-up-client.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function requestToJoin() {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Harbour Trading' })
  await finalise(app, code, { joinOrganisation: true })
  const { body } = await app.as.admin.call(approvals.list)
  const approval = body.find(({ ApprovalContext }) => ApprovalContext.includes(emailAddress))
  return { emailAddress, approvalId: approval?.Id ?? '' }
}

const decide = (body: Readonly<Record<string, unknown>>, client = app.as.admin) =>
  client.call(approvals.decide, { body })

test('[UX-APPROVALS-1] the reason for rejecting a request is mailed to the applicant and shown to administrators', async () => {
  const { approvalId, emailAddress } = await requestToJoin()
  const reason = 'We do not know you. <b>Ask</b> Amara.'
  const { status, body } = await decide({ approvalId, approvalStatus: 'REJECTED', reason: `  ${reason} ` })
  expect([status, body.RejectionReason]).toEqual([200, reason])
  const email = (await app.emailsTo(emailAddress)).at(-1)
  expect(email).toMatchObject({ template: 'request-rejected' })
  expect(email?.paragraphs.at(-1)).toBe(`The reason: ${reason}`)
  expect((await app.as.admin.call(approvals.list)).body).toContainEqual(
    expect.objectContaining({ Id: approvalId, RejectionReason: reason }),
  )
  // Free text about a person stays out of the log, which is never changed.
  expect(JSON.stringify(await findAuditEvents(app.store, 'approval.rejected'))).not.toContain('know you')
})

test('[UX-APPROVALS-1] the reason is optional, limited, and only for rejections', async () => {
  const { approvalId, emailAddress } = await requestToJoin()
  const refused = [
    { approvalStatus: 'APPROVED', reason: 'because' },
    { approvalStatus: 'REJECTED', reason: 'x'.repeat(rejectionReasonMax + 1) },
  ]
  for (const body of refused) expect((await decide({ approvalId, ...body })).status).toBe(400)
  const { body } = await decide({ approvalId, approvalStatus: 'REJECTED', reason: ' ' })
  expect(body.RejectionReason).toBeNull()
  const email = (await app.emailsTo(emailAddress)).at(-1)
  expect(email?.paragraphs.filter((paragraph) => paragraph.startsWith('The reason'))).toEqual([])
})

test('[UX-APPROVALS-1] a repeated rejection keeps the first reason, and other organisations and lower roles cannot give one', async () => {
  const { approvalId, emailAddress } = await requestToJoin()
  const rejection = { approvalId, approvalStatus: 'REJECTED' }
  expect((await decide({ ...rejection, reason: 'no' }, app.as.otherAdmin)).status).toBe(404)
  for (const role of ['user', 'guest'] as const)
    expect((await decide({ ...rejection, reason: 'no' }, app.as[role])).status).toBe(403)
  await decide({ ...rejection, reason: 'First' })
  const emails = await app.emailsTo(emailAddress)
  expect((await decide({ ...rejection, reason: 'Second' })).body.RejectionReason).toBe('First')
  expect(await app.emailsTo(emailAddress)).toEqual(emails)
})
