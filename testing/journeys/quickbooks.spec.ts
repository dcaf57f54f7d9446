/**
 * Connecting companies of QuickBooks Online over the consent page of the trial's simulator, in the organisation 'Summit Foods'. Only this
 * file uses these companies. All connectors are deleted.
 */
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoViolation } from './accessible.ts'
import { expect, test } from './portal.ts'
import { deleteSummitConnectors, openConsent } from './summit-connectors.ts'

const [harbour, bayview] = ['Harbour Gardens', 'Bayview Design']

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ request }) => deleteSummitConnectors(request, 'quickbooks'))
test.afterAll(({ request }) => deleteSummitConnectors(request, 'quickbooks'))
// The consent page belongs to the source, so its console errors are ignored.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

test('[SRC-8] [ACC-7] an administrator connects a company of QuickBooks Online, and returns to its first run', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await openConsent(page, 'quickbooks', 'QuickBooks Online', 'Connect a company')
  await expectNoViolation(page)
  await connect(page, harbour)
  await expect(page.getByText(`${harbour} is connected. Its first run starts automatically.`)).toBeVisible()
  await expect(page.getByRole('dialog', { name: harbour })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Tables of this run' })).toContainText('journal_entry')
})

test('[SRC-8] [SRC-2] a second company is another connector, and both say which company they read', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await openConsent(page, 'quickbooks', 'QuickBooks Online', 'Connect a company')
  await connect(page, bayview)
  await expect(page.getByText(`${bayview} is connected. Its first run starts automatically.`)).toBeVisible()
  await page.goto('/connectors/quickbooks/manage')
  for (const name of [harbour, bayview]) {
    const card = page.getByRole('article', { name, exact: true }).filter({ hasNotText: 'deleted' })
    await expect(card).toContainText(`${name} · United States`)
    await expect(card).toContainText('by Tributary’s app')
  }
  await expectAccessible(page)
})

test('[SRC-8] adding QuickBooks Online says what it needs and where it leads, and declining there says so', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/quickbooks/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add QuickBooks Online' })
  await expectAccessible(page, () => expect(dialog.getByText(/Connect again for each further company/)).toBeVisible())
  await dialog.getByRole('link', { name: 'Continue to QuickBooks Online' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'Adding the QuickBooks Online connector was either cancelled or was not allowed.',
  )
})

async function connect(page: Page, company: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${company}`) }).check()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.waitForURL('**/connectors/quickbooks/**')
}
