/** Adding Business Central with the trial's simulated environment, and its trial balance on screen, in the organisation 'Summit Foods'. */
import type { Connector } from '@tributary/contract/connectors'
import type { TieOut } from '@tributary/contract/tie-out'
import { expectAccessible } from './accessible.ts'
import { makeConnector } from './journey-connector.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

test('[SRC-8] Business Central says where its settings are found, and tests them before anything is saved', async ({
  page,
  portal,
}) => {
  // The test with a wrong tenant is refused.
  portal.expectFailedCalls()
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/business-central/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add Business Central' })
  await expect(dialog.getByText(/In the Microsoft Entra admin center, register an application/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByLabel('Directory (tenant) ID', { exact: true }).fill('my tenant')
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText(/The tenant is an ID such as/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText(/passed/i).first()).toBeVisible()
  await expectAccessible(page, () => expect(dialog.getByText(/passed/i).first()).toBeVisible())
})

test('[SRC-8] the companies of Business Central tie out on screen, each account with its company', async ({
  page,
  portal,
  request,
}) => {
  test.setTimeout(180_000)
  const { id, name, clientId } = await makeConnector(request, 'business-central')
  const connector = `/tributary/clients/${clientId}/connectors/${id}`
  const superadmin = await apiAs(request, 'superadmin@demo.example')
  await superadmin.post(`${connector}/licences`, { licences: ['Ledger', 'Sales', 'Purchases'] })
  const admin = await apiAs(request, 'admin@other.example')
  await admin.post(`${connector}/process`, {})
  await expect(async () => {
    const { State } = await admin.get<TieOut>(`${connector}/tie-out`)
    expect(State).toBe('green')
  }).toPass({ timeout: 120_000, intervals: [1_000] })
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/business-central/refresh')
  const card = page.getByRole('article', { name, exact: true })
  await expect(card.getByText(/^Ties out/)).toBeVisible()
  await card.getByRole('link', { name: 'See the figures' }).click()
  const dialog = page.getByRole('dialog', { name, exact: true })
  const months = dialog.getByRole('table', { name: 'Months, latest first' })
  await months.getByRole('link').nth(2).click()
  await expect(dialog.getByRole('table', { name: /^Accounts of/ })).toContainText('Sales of goods (Fjord Living GmbH)')
  await expectAccessible(page, () => expect(dialog.getByRole('table', { name: /^Accounts of/ })).toBeVisible())
  const all = await admin.get<Connector[]>(`/tributary/clients/${clientId}/connectors?type=business-central`)
  for (const { Id, Status } of all)
    if (Status !== 'DELETED')
      await request.delete(`/api/tributary/clients/${clientId}/connectors/${Id}`, { headers: admin.headers })
})
