/** Connecting the simulated Stripe account of the trial in the organisation 'Summit Foods'. Only this file uses Stripe there. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectEnd, test } from './portal.ts'
import { deleteSummitConnectors, listSummitConnectors } from './summit-connectors.ts'

const name = 'Payments'

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ request }) => deleteSummitConnectors(request, 'stripe'))
test.afterAll(({ request }) => deleteSummitConnectors(request, 'stripe'))

test('[SRC-8] an administrator connects Stripe, and its first run moves every table', async ({ page, portal }) => {
  await portal.signIn('otherAdmin', '/connectors/stripe/manage?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/[?&]run=/)
  const run = page.getByRole('dialog')
  await expectEnd(run)
  const tables = run.getByRole('table', { name: 'Tables of this run' })
  for (const table of ['customer', 'invoice', 'balance_transaction', 'coupon'])
    await expect(tables).toContainText(table)
})

test('[SRC-6] the calls of Stripe are listed by table', async ({ page, portal }) => {
  const id = await findId(page)
  await portal.signIn('otherAdmin', `/connectors/stripe/refresh?connector=${id}&view=calls`)
  const drawer = page.getByRole('dialog')
  await expectAccessible(page, () =>
    expect(drawer.getByRole('table', { name: 'Calls by table in the last 30 days' })).toContainText('charge'),
  )
})

test('[SRC-5] the list of tables says for each table of Stripe how changed and deleted rows are found', async ({
  page,
  portal,
}) => {
  const id = await findId(page)
  await portal.signIn('otherAdmin', `/connectors/stripe/refresh?connector=${id}&view=tables`)
  const rows = page.getByRole('dialog').getByRole('row')
  await expectAccessible(page, async () => {
    const charge = rows.filter({ hasText: /^charge/u })
    await expect(charge).toContainText('Changes: rows that events of Stripe name')
    await expect(charge).toContainText('Deletions: none. Stripe')
    await expect(rows.filter({ hasText: /^coupon/u })).toContainText('every run reads all of them')
  })
})

test('[SRC-8] the connector of Stripe is managed like any other', async ({ page, portal }) => {
  await portal.signIn('otherAdmin', '/connectors/stripe/manage')
  await expectAccessible(page, () => expect(page.getByRole('article', { name, exact: true })).toBeVisible())
})

async function findId(page: Page): Promise<string> {
  return (await listSummitConnectors(page.request, 'stripe')).found[0]?.Id ?? ''
}
