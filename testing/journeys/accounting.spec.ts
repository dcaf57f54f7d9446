/**
 * Accounting products: tokens, synchronisation, credentials and permissions, in the organisation 'Harbour Trading'.
 * Only this file uses the company 'Harbour Trading Australia', which Ben Hughes authorises. Its connector is deleted at
 * the end.
 */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { type TrialAccount, expect, test } from './portal.ts'
import { findProduct, clearSyncWait, deleteProducts, waitUntilIdle } from './products.ts'
import { consent, startAuthorisation } from './simulated-xero.ts'

const company = 'Harbour Trading Australia'
const giver = 'ben.hughes@books.example'
const tokens = '/connectors/xero/v2/tokens'
const synchronise = '/connectors/xero/v2/synchronise'
const assignUsers = '/connectors/xero/v2/assign-users'
const started =
  'Your sync has started successfully. Typically this will take 5-15 minutes to finish depending on the number of transactions you have processed in Xero since the last sync. You can start the sync of another organisation now if you wish.'
const tooSoon = new RegExp(
  `^Please wait 15 minutes from last refresh\\. It has been [0-4] minutes since ${company} was last refreshed\\.$`,
  'u',
)

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ request }) => deleteProducts(request, company))
test.afterAll(({ request }) => deleteProducts(request, company))
// The list is polled every ten seconds, so a request may be in progress at the end.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('[ACC-1] a new token leads to its companies, and one of them becomes a product', async ({ page, portal }) => {
  // The consent page belongs to the source, so its console errors are ignored.
  portal.expectFailedCalls()
  await portal.signIn('superadmin')
  await startAuthorisation(page)
  await consent(page, [company, 'Summit Foods'], 'Ben Hughes')
  await expect(page.getByRole('dialog')).toBeVisible()

  await page.goto(synchronise)
  await page.getByRole('link', { name: 'Xero2Sql - Tokens' }).click()
  const token = page.getByRole('button', { name: giver })
  await expect(token).toContainText(/[\da-f]{8}-[\da-f-]{27}/u)
  await token.click()
  await page.getByRole('button', { name: `${company} AU` }).click()
  const submit = page.getByRole('button', { name: 'Submit' })
  await expect(page.getByLabel('Organisation name')).toHaveValue(company)
  for (const [label, value] of [
    ['Host', 'db.invalid'],
    ['Database name', 'books'],
    ['Schema', '1; DROP'],
    ['User', 'writer'],
    ['Password', 'not-the-real-one'],
  ] as const) {
    await expect(submit).toBeDisabled()
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByLabel('Confirm password').fill('not-the-other-one')
  await page.getByLabel('Host', { exact: true }).focus()
  await expect(page.getByText('Does not match Password')).toBeVisible()
  await expect(submit).toBeDisabled()
  await expectAccessible(page)
  await page.getByLabel('Confirm password').fill('not-the-real-one')
  await submit.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The target schema must begin with' })).toBeVisible()

  await page.getByRole('button', { name: 'Use Tributary’s own warehouse' }).click()
  await expect(page.getByText('Success!', { exact: true })).toBeVisible()
  await page.waitForURL('**/excel/security/entities')
})

test('[ACC-4] for fifteen minutes after its start a product is not synchronised again, whatever the browser’s state', async ({
  page,
  portal,
}) => {
  // Connecting it has started its first run.
  await portal.signIn('admin', synchronise)
  const row = page.getByRole('row', { name: company })
  const sync = row.getByRole('button', { name: 'Sync' })
  await expect(sync).toContainText(/1[0-4]:\d\d/u)
  await expectAccessible(page)
  await sync.click()
  await expect(page.getByRole('alert')).toHaveText(tooSoon)

  // A browser without the last start calls the server, which refuses.
  portal.expectFailedCalls()
  await clearSyncWait(page)
  await page.reload()
  const refused = page.waitForResponse('**/incremental')
  await sync.click()
  expect((await refused).status()).toBe(429)
  await expect(page.getByRole('alert')).toHaveText(tooSoon)
})

test('[ACC-8] a reply that is not 200 and a failed call are shown with the message', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await clearSyncWait(page)
  await portal.signIn('admin', synchronise)
  const sync = page.getByRole('row', { name: company }).getByRole('button', { name: 'Sync' })
  const runId = '00000000-0000-4000-8000-000000000001'
  await page.route('**/incremental', (route) =>
    route.fulfill({ json: { statusCode: 409, message: 'It is running.', RunId: runId } }),
  )
  await sync.click()
  await expect(page.getByRole('alert')).toHaveText('It is running.')
  await page.route('**/incremental', (route) => route.abort())
  await sync.click()
  await expect(page.getByRole('alert')).toHaveText(
    'Tributary cannot be reached just now. Check your connection and try again.',
  )
})

test('[ACC-2] credentials of a product: Apply waits for equal passwords, and a failed connection test is shown before they are saved', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', synchronise)
  await page.getByRole('row', { name: company }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Credentials' })
  for (const label of ['Host', 'Database', 'Schema', 'User', 'Password', 'Confirm Password'])
    await expect(dialog.getByLabel(label, { exact: true })).toBeVisible()
  await dialog.getByLabel('Kind of database').selectOption('PostgreSQL')
  for (const [label, value] of [
    ['Host', '127.0.0.1:1'],
    ['Database', 'books'],
    ['User', 'writer'],
    ['Password', 'not-the-real-one'],
    ['Confirm Password', 'another'],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByLabel('Schema', { exact: true }).focus()
  await expect(dialog.getByText('Does not match Password')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await dialog.getByLabel('Confirm Password').fill('not-the-real-one')
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText('The connection does not work yet.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toHaveCount(0)

  // Nothing was saved, and empty credentials may be applied.
  await page.getByRole('row', { name: company }).getByRole('button', { name: 'Edit' }).click()
  await expect(dialog.getByLabel('Host', { exact: true })).toHaveValue('')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(`The database credentials of ${company} are saved.`)).toBeVisible()
})

test('[ASG-4] a product is assigned to a user, appears in the user’s list, and is unassigned again', async ({
  page,
  portal,
  browser,
  baseURL,
}) => {
  await portal.signIn('superadmin', synchronise)
  await page.getByRole('link', { name: 'Configure V2' }).click()
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('Assign Users V2')
  await page.getByRole('button', { name: 'Create new assignment' }).click()
  await page.getByRole('radio', { name: 'Ulla Berg' }).click()
  await page.getByRole('checkbox', { name: company }).click()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  const row = page.getByRole('row', { name: 'Ulla Berg' })
  await expect(row).toContainText(company)
  await expectAccessible(page)

  const other = await browser.newPage({ baseURL: baseURL ?? '' })
  await signIn(other, 'user', synchronise)
  const own = other.getByRole('row', { name: company })
  await expect(own.getByRole('button', { name: 'Sync' })).toBeVisible()
  await expect(own.getByRole('button', { name: 'Edit' })).toHaveCount(0)

  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('checkbox', { name: company }).click()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(row.getByText(company)).toHaveCount(0)
  await other.reload()
  await expect(other.getByRole('heading', { name: 'My Entities - Ready to Sync' })).toBeVisible()
  await expect(own).toHaveCount(0)
  await other.close()
})

test('[ACC-3] loading and empty states have their texts', async ({ page, portal }) => {
  let answer = () => {}
  await page.route('**/api/me/xero2sqlproducts*', async (route) => {
    await new Promise<void>((resolve) => (answer = resolve))
    await route.fulfill({ json: [] })
  })
  await portal.signIn('user', synchronise)
  await expect(page.getByText('Loading products', { exact: true })).toBeVisible()
  answer()
  await expect(
    page.getByText(
      'No products registered. Please contact the provider in order to link your Xero2SQL Entities to your portal account.',
    ),
  ).toBeVisible()
  await expectAccessible(page)
})

test('[SHELL-11] [ACC-1] [ACC-3] only the superadmin sees the V2 links and the tokens; administrators see the assignments', async ({
  browser,
  baseURL,
  request,
}) => {
  const seenBy = {
    superadmin: {
      links: ['Refresh', 'Manage', 'Refresh V2', 'Configure V2'],
      hasTokens: true,
      opens: [tokens, assignUsers],
    },
    provideradmin: { links: ['Refresh', 'Manage'], hasTokens: false, opens: [assignUsers] },
    admin: { links: ['Refresh', 'Manage'], hasTokens: false, opens: [assignUsers] },
    user: { links: ['Refresh'], hasTokens: false, opens: [] },
  }
  for (const account of ['superadmin', 'provideradmin', 'admin', 'user'] as const) {
    const { links, hasTokens, opens } = seenBy[account]
    const page = await browser.newPage({ baseURL: baseURL ?? '' })
    await signIn(page, account, synchronise)
    await expect(page.getByRole('heading', { name: 'My Entities - Ready to Sync' })).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Xero Connectors sections' }).getByRole('link'),
      account,
    ).toHaveText(links)
    await expect(page.getByRole('link', { name: 'Xero2Sql - Tokens' }), account).toHaveCount(hasTokens ? 1 : 0)
    const opened: string[] = []
    for (const path of [tokens, assignUsers]) {
      await page.goto(path)
      await expect(
        page
          .getByRole('navigation', { name: 'Breadcrumb' })
          .or(page.getByText('You do not have permission to see this.')),
      ).toBeVisible()
      if ((await page.getByRole('navigation', { name: 'Breadcrumb' }).count()) > 0) opened.push(path)
    }
    expect(opened, account).toEqual(opens)
    await page.close()
  }
  for (const account of ['provideradmin@demo.example', 'admin@demo.example', 'user@demo.example']) {
    const { headers } = await apiAs(request, account)
    expect((await request.get('/api/token', { headers })).status(), account).toBe(403)
  }
})

test('[ACC-5] a product is synchronised manually, and its run shows by whom', async ({ page, portal, request }) => {
  test.setTimeout(180_000)
  await waitUntilIdle(request, 'Harbour Trading')
  await portal.signIn('admin', synchronise)
  const row = page.getByRole('row', { name: /^Harbour Trading / }).filter({ hasNotText: company })
  const mayStart = (await findProduct(request, 'Harbour Trading'))?.NextTriggerAtUtc === null
  await row.getByRole('button', { name: 'Sync' }).click()
  // Another journey may have refreshed it just before.
  await expect(page.getByRole('alert')).toHaveText(mayStart ? started : /^Please wait 15 minutes from last refresh\. /u)
  await expect(row.getByRole('button', { name: 'Sync' })).toContainText(/\d:\d\d/u)
  await row.getByRole('link', { name: /Running|Completed/u }).click()
  await expect(page.getByRole('dialog')).toContainText(mayStart ? 'Amara Okafor' : 'Harbour Trading')
})

test('[ACC-1] the tables of a token are created without a run; no tokens, and tokens that cannot be fetched, have their texts', async ({
  page,
  portal,
  request,
}) => {
  test.setTimeout(240_000)
  await waitUntilIdle(request, company)
  await portal.signIn('superadmin', tokens)
  await page.getByRole('button', { name: giver }).click()
  await expect(page.getByRole('button', { name: company })).toContainText('Assigned to Harbour Trading')
  await page.getByRole('button', { name: 'Synchronise tables' }).click()
  await expect(page.getByText(/^In Tributary’s own warehouse, .*\d+ unchanged$/u)).toBeVisible()
  await page.getByText(/^All \d+ tables$/u).click()
  await expect(page.getByRole('table', { name: `Tables of ${company}` })).toContainText('account')
  await expectAccessible(page)

  await page.route('**/api/token', (route) => route.fulfill({ json: [] }))
  await page.goto(tokens)
  await expect(page.getByText('No tokens present', { exact: true })).toBeVisible()
  portal.expectFailedCalls()
  await page.route('**/api/token', (route) => route.fulfill({ status: 500, json: { message: 'Broken.' } }))
  await page.reload()
  await expect(page.getByText('No tokens fetched', { exact: true })).toBeVisible()
})

async function signIn(page: Page, account: TrialAccount, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('textbox', { name: 'Username' }).fill(`${account}@demo.example`)
  await page.getByLabel('Password', { exact: true }).fill('tributary-demo-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
}
