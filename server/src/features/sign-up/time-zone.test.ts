import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvals } from '@tributary/contract/approvals'
import {
  newEmailAddress,
  finalise,
  codeOf,
  trySignUp,
  setSetting,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

async function beginSignUp(companyName: string, organisation: Readonly<Record<string, unknown>>) {
  const emailAddress = newEmailAddress()
  const { status, body } = await trySignUp(
    app,
    { emailAddress, companyName },
    { organisation: { companyName, ...organisation } },
  )
  if (status !== 201) return { status, body: body as unknown as FaultReply }
  const code = codeOf((await app.emailsTo(emailAddress)).at(-1)?.action?.url)
  return { status, code, finished: (await finalise(app, code, { organisation: { companyName } })).body }
}

async function readTimeZone(companyName: string): Promise<string | undefined> {
  const { body } = await app.as.superadmin.call(organisations.list)
  return body.find((one) => one.CompanyName === companyName)?.TimeZone
}

test('[REG-1] an organisation that signs up gets the time zone of the request, or UTC without one', async () => {
  await setSetting(app, 'RequireApproval', false)
  expect((await beginSignUp('Zoned Ltd', { timeZone: 'Pacific/Auckland' })).status).toBe(201)
  expect(await readTimeZone('Zoned Ltd')).toBe('Pacific/Auckland')
  expect((await beginSignUp('Plain Ltd', {})).status).toBe(201)
  expect(await readTimeZone('Plain Ltd')).toBe('UTC')
})

test('[REG-9] an organisation whose sign-up was approved gets the time zone of the request', async () => {
  await setSetting(app, 'RequireApproval', true)
  await beginSignUp('Approved Ltd', { timeZone: 'Pacific/Auckland' })
  const { body } = await app.as.superadmin.call(approvals.list)
  const [pending] = body.filter(({ ApprovalStatus }) => ApprovalStatus === 'PENDING')
  await app.as.superadmin.call(approvals.decide, {
    body: { approvalId: pending?.Id ?? '', approvalStatus: 'APPROVED' },
  })
  expect(await readTimeZone('Approved Ltd')).toBe('Pacific/Auckland')
})

test('an unknown time zone is refused with the field’s name', async () => {
  for (const timeZone of ['Nowhere/Town', '', '+25:00'])
    expect(await beginSignUp('Wrong Ltd', { timeZone })).toMatchObject({
      status: 400,
      body: { fields: { 'organisation.timeZone': expect.any(String) } },
    })
})
