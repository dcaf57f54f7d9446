/** A hundred concurrent decisions: a few rounds as a slice, fifty with `npm run soak`. */
import { approvals } from '@tributary/contract/approvals'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newEmailAddress, finalise, insertNewcomer, setSetting } from '../../server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull } from '../extent.ts'

const rounds = isFull ? 50 : 2

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

function decide(approvalId: string, approvalStatus: 'APPROVED' | 'REJECTED') {
  return app.as.admin.call(approvals.decide, { body: { approvalId, approvalStatus } })
}

test(`[ADMIN-8] of 100 concurrent decisions about a request exactly one succeeds, and the applicant gets access once (${rounds} rounds)`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const emailAddress = newEmailAddress()
    const code = await insertNewcomer(app, { emailAddress, companyName: 'Harbour Trading' })
    await finalise(app, code, { joinOrganisation: true })
    const [{ Id: approvalId } = { Id: '' }] = (await app.as.admin.call(approvals.list)).body
    const decisions = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 'APPROVED' : 'REJECTED'))
    const replies = await Promise.all(decisions.map((status) => decide(approvalId, status)))
    const decided = (await app.as.admin.call(approvals.list)).body.find(({ Id }) => Id === approvalId)?.ApprovalStatus
    expect(replies.map(({ status }) => status)).toEqual(decisions.map((status) => (status === decided ? 200 : 409)))
    const letters = (await app.emailsTo(emailAddress)).map(({ template }) => template)
    expect(letters).toEqual(['request-received', decided === 'APPROVED' ? 'welcome' : 'request-rejected'])
  }
}, 300_000)

test(`[REG-9] of 100 sign-ups of one address that are finalised at once exactly one creates an account (${rounds} rounds)`, async () => {
  await setSetting(app, 'RequireApproval', false)
  for (let round = 0; round < rounds; round += 1) {
    app.clock.advance(600_000)
    const emailAddress = newEmailAddress()
    const names = Array.from({ length: 100 }, (_, at) => `Newcomers ${round}-${at}`)
    const codes = []
    for (const companyName of names) codes.push(await insertNewcomer(app, { emailAddress, companyName }))
    const replies = await Promise.all(
      codes.map((code, at) => finalise(app, code, { organisation: { companyName: names[at] } })),
    )
    expect(replies.filter(({ body }) => body.Finalised)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.LinkAccount)).toHaveLength(99)
    const made = await app.store.across((db) =>
      db.selectFrom('organisation').select('id').where('companyName', 'like', `Newcomers ${round}-%`).execute(),
    )
    expect(made).toHaveLength(1)
  }
}, 300_000)

test(`[REG-9] a sign-up that is finalised 100 times at once creates exactly one request (${rounds} rounds)`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    app.clock.advance(600_000)
    const emailAddress = newEmailAddress()
    const code = await insertNewcomer(app, { emailAddress, companyName: 'Summit Foods' })
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => finalise(app, code, { joinOrganisation: true })),
    )
    expect(new Set(replies.map(({ body }) => body.ApprovalId)).size).toBe(1)
    expect((await app.emailsTo(emailAddress)).map(({ template }) => template)).toEqual(['request-received'])
  }
}, 300_000)
