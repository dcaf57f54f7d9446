import { clickTwice, expect, test } from './portal.ts'

test('[GATE-1] [ADMIN-8] [ADMIN-9] /admin/approvals/{approvalId}, a link without a signature, shows the decision and needs one press', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto('/admin/approvals')
  const waiting = page.getByRole('article').filter({ hasText: 'Jonas Reed' })
  await expect(waiting.getByRole('heading')).toHaveText('join organisation')
  await expect(waiting).toContainText('PENDING')
  const listed = await page.evaluate(async () => {
    const response = await fetch('/api/approvals', {
      headers: { authorization: `Bearer ${localStorage.getItem('jwt')}` },
    })
    return (await response.json()) as { Id: string; ApprovalStatus: string }[]
  })
  const id = listed.find(({ ApprovalStatus }) => ApprovalStatus === 'PENDING')?.Id
  await page.goto(`/admin/approvals/${id}?status=REJECTED`)
  await expect(page.getByRole('dialog', { name: 'Reject this request?' })).toContainText('Jonas Reed')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/approvals')
  await expect(waiting).toContainText(/REJECTED just now by Amara Okafor/)
  await expect(waiting.getByRole('button')).toHaveCount(0)
})

test('[ADMIN-8] a double click on Approve decides nothing, one on Confirm decides once', async ({ page, portal }) => {
  const pending = {
    ApprovalType: 'JOIN_ORGANISATION',
    ApprovalStatus: 'PENDING',
    CreatedAtUtc: new Date().toISOString(),
  }
  const approval = {
    ...pending,
    Id: crypto.randomUUID(),
    ApprovalContext: '{"Description":"Mere asks."}',
    ApprovedAtUtc: null,
    ApprovedUser: null,
    RejectionReason: null,
  }
  const decided: unknown[] = []
  await page.route('**/api/approvals**', (route) => {
    if (route.request().method() === 'GET')
      return route.fulfill({ json: [{ ...approval, ApprovalStatus: decided.length === 0 ? 'PENDING' : 'APPROVED' }] })
    decided.push(route.request().postDataJSON())
    return route.fulfill({ json: { ...approval, ApprovalStatus: 'APPROVED' } })
  })
  await portal.signIn('admin')
  await page.goto('/admin/approvals')
  await page.getByRole('button', { name: 'Approve' }).dblclick()
  await expect(page.getByText('Approve this request?')).toBeVisible()
  expect(decided).toHaveLength(0)
  await clickTwice(page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByText('Approved. The applicant gets an email.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('APPROVED')
  expect(decided).toHaveLength(1)
})

test('[ADMIN-8] by keyboard alone a request is approved in at most three presses', async ({ page, portal }) => {
  const pending = {
    ApprovalType: 'JOIN_ORGANISATION',
    ApprovalStatus: 'PENDING',
    CreatedAtUtc: new Date().toISOString(),
  }
  const approval = {
    ...pending,
    Id: crypto.randomUUID(),
    ApprovalContext: '{"Description":"Mere asks."}',
    ApprovedAtUtc: null,
    ApprovedUser: null,
    RejectionReason: null,
  }
  const decided: unknown[] = []
  await page.route('**/api/approvals**', (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: [approval] })
    decided.push(route.request().postDataJSON())
    return route.fulfill({ json: { ...approval, ApprovalStatus: 'APPROVED' } })
  })
  await portal.signIn('admin')
  await page.goto('/admin/approvals')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('main').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => decided).toEqual([{ approvalId: approval.Id, approvalStatus: 'APPROVED' }])
})
