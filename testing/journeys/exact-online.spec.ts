/**
 * Connecting a company of Exact Online over the consent page of the trial's simulator, in the organisation 'Summit Foods'. Only this
 * file uses it. All connectors are deleted.
 */
import { expectAccessible, expectNoViolation } from './accessible.ts'
import { expect, test } from './portal.ts'
import { deleteSummitConnectors, openConsent } from './summit-connectors.ts'

const company = 'Maas Techniek B.V.'

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ request }) => deleteSummitConnectors(request, 'exact-online'))
test.afterAll(({ request }) => deleteSummitConnectors(request, 'exact-online'))
// The consent page belongs to the source, so its console errors are ignored.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

test('[SRC-8] [ACC-7] an administrator signs in at Exact Online, the first run begins, and its ledger ties out by period', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await openConsent(page, 'exact-online', 'Exact Online', 'Allow access')
  await expectNoViolation(page)
  await page.getByRole('radio', { name: /^Joris Bakker/u }).check()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL('**/connectors/exact-online/**')
  await expect(page.getByText(`${company} is connected. Its first run starts automatically.`)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Tables of this run' })).toContainText('transaction_line')
  await page.goto('/connectors/exact-online/refresh')
  const card = page.getByRole('article', { name: company, exact: true })
  await expect(card).toContainText('Ties out', { timeout: 90_000 })
  await expectAccessible(page)
})

test('[SRC-8] access that is denied at Exact Online is said, and nothing is connected', async ({ page, portal }) => {
  await portal.signIn('otherAdmin')
  await openConsent(page, 'exact-online', 'Exact Online', 'Allow access')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'Adding the Exact Online connector was either cancelled or was not allowed.',
  )
})
