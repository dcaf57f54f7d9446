/**
 * Clicks and seconds of the main jobs of a new user. The guides in docs/users name the same figures. Each job takes
 * most of its time in the browser, so a busy machine may take longer; only the first rows have a limit in seconds.
 */
import type { Approval } from '@tributary/contract/approvals'
import type { Connector } from '@tributary/contract/connectors'
import type { APIRequestContext, Page } from '@playwright/test'
import { countClicks, reportJob } from './measured-job.ts'
import { apiAs, codeFor, linkFor, logOut, newPerson, password, roleId, signInToNewOrganisation } from './people.ts'
import { expect, expectEnd, test, type TrialAccount } from './portal.ts'

const firstRowsMaxSeconds = 20

const addresses: Partial<Record<TrialAccount, string>> = {
  superadmin: 'superadmin@demo.example',
  provideradmin: 'provideradmin@demo.example',
  admin: 'admin@demo.example',
  otherAdmin: 'admin@other.example',
}

/** Deletes the connectors whose names begin with this, so that other journeys see only those of the trial. */
async function deleteConnectors(request: APIRequestContext, account: TrialAccount, name: string): Promise<void> {
  const api = await apiAs(request, addresses[account] ?? '')
  const [organisation] = await api.get<{ Id: string }[]>('/organisations')
  const path = `/tributary/clients/${organisation?.Id}/connectors`
  for (const { Id, Name, Status } of await api.get<Connector[]>(path)) {
    if (Status === 'DELETED' || !Name.startsWith(name)) continue
    expect((await request.delete(`/api${path}/${Id}`, { headers: api.headers })).ok()).toBe(true)
  }
}

/** The run is complete, and its tables show how many rows they have. */
async function expectRows(page: Page): Promise<void> {
  const run = page.getByRole('dialog')
  await expectEnd(run)
  await expect(run.getByRole('table', { name: 'Tables of this run' })).toContainText(/[1-9]/)
}

for (const account of ['superadmin', 'provideradmin', 'admin'] as const)
  test(`[UX-HOME-20] ${account} gets from home to the first rows of a source that has connectors in at most 4 clicks`, async ({
    page,
    portal,
    request,
  }) => {
    const counter = await countClicks(page)
    const name = `Clicks of ${account}`
    await portal.signIn(account)
    const own = page.getByRole('region', { name: 'Your connectors' })
    const card = own.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'PostgreSQL' }) })
    await expect(card).toBeVisible()
    const job = counter.start()
    await card.getByRole('link', { name: 'Add another connector' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Fill with demo source' }).click()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await form.getByRole('button', { name: 'Save' }).click()
    await expectRows(page)
    reportJob('First rows of another PostgreSQL database', job)
    expect(job.clicks()).toBeLessThanOrEqual(4)
    expect(job.seconds()).toBeLessThanOrEqual(firstRowsMaxSeconds)
    await deleteConnectors(request, account, name)
  })

test('[UX-HOME-20] an administrator gets from home to the first rows of a new source in at most 4 clicks', async ({
  page,
  portal,
  request,
}) => {
  const counter = await countClicks(page)
  await portal.signIn('otherAdmin')
  const available = page.getByRole('region', { name: 'Available connectors' })
  await expect(available.getByRole('link', { name: 'Uniconta' })).toBeVisible()
  const job = counter.start()
  await available.getByRole('link', { name: 'Uniconta' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Fill with demo source' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expectRows(page)
  reportJob('First rows of Uniconta', job)
  expect(job.clicks()).toBeLessThanOrEqual(4)
  await deleteConnectors(request, 'otherAdmin', 'Uniconta')
})

for (const account of ['user', 'guest'] as const)
  test(`[UX-HOME-15] ${account} gets from home to the tables of a connector and their freshness in at most 2 clicks`, async ({
    page,
    portal,
  }) => {
    const counter = await countClicks(page)
    await portal.signIn(account)
    const overview = page.getByRole('region', { name: 'Overview' })
    await expect(overview).toBeVisible()
    const job = counter.start()
    await overview.getByRole('link', { name: 'Web shop' }).click()
    const tables = page
      .getByRole('dialog', { name: 'Web shop' })
      .getByRole('table', { name: 'Tables of the connector' })
    await expect(tables.getByRole('row', { name: /shop_orders/ }).getByRole('time')).toBeVisible()
    reportJob('Tables and their freshness', job)
    expect(job.clicks()).toBeLessThanOrEqual(2)
  })

test('[UX-HOME-14] a user without any connector sees whom to ask', async ({ page, portal, request }) => {
  portal.expectFailedCalls()
  const { emailAddress } = await signInToNewOrganisation(page, request)
  await logOut(page)
  const admin = await apiAs(request, emailAddress, password)
  const person = newPerson('Wiremu')
  await admin.post('/invitations', { ...person, lastName: 'Tester', roleId: await roleId(admin) })
  await accept(page, await linkFor(request, person, /invite/i))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Please ask your administrator for permission to see connectors.')).toBeVisible()
  await expect(page.getByText(`Your administrator: Nia Planner (${emailAddress}).`, { exact: true })).toBeVisible()
})

async function accept(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.waitForURL('**/signin?registration=success**')
}

test('[UX-HOME-21] from the invitation to signed in: two clicks, and the address is known', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const counter = await countClicks(page)
  const admin = await apiAs(request, 'admin@other.example')
  const person = newPerson('Kiri')
  await admin.post('/invitations', { ...person, lastName: 'Tester', roleId: await roleId(admin) })
  const link = await linkFor(request, person, /invite/i)
  const job = counter.start()
  await accept(page, link)
  await expect(page.getByLabel('Username')).toHaveValue(person.emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
  reportJob('From the invitation to signed in', job)
  expect(job.clicks()).toBeLessThanOrEqual(2)
})

test('[UX-HOME-21] [UX-HOME-22] from the sign-up to the home page of a new organisation: two clicks, and the organisation is asked for once', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const counter = await countClicks(page)
  const person = newPerson('Hemi')
  const companyName = `Hemi Trading ${Date.now()}`
  await page.goto('/signup')
  const job = counter.start()
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill('Tester')
  await page.getByLabel('Email').fill(person.emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByLabel('Organisation name').fill(companyName)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await page.getByLabel('Verification code').fill(await codeFor(request, person, /confirm/i))
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()

  job.pause()
  await approve(request, companyName)
  await page.waitForURL('**/signin?registration=success**')
  job.resume()
  await expect(page.getByLabel('Username')).toHaveValue(person.emailAddress)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText(`Welcome, Hemi. ${companyName} is ready to begin.`)).toBeVisible()
  reportJob('From the sign-up to signed in', job)
  expect(job.clicks()).toBeLessThanOrEqual(2)
})

async function approve(request: APIRequestContext, companyName: string): Promise<void> {
  const provider = await apiAs(request, 'provideradmin@demo.example')
  const approvals = await provider.get<Approval[]>('/approvals')
  const pending = approvals.find(
    ({ ApprovalStatus, ApprovalContext }) => ApprovalStatus === 'PENDING' && ApprovalContext.includes(companyName),
  )
  await provider.post('/approvals', { approvalId: pending?.Id, approvalStatus: 'APPROVED' })
}
