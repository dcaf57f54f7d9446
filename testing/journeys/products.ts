/** Finds accounting products, waits for their runs and deletes them. */
import type { APIRequestContext, Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import type { AccountingProduct } from '@tributary/contract/accounting'
import { apiAs } from './people.ts'
import { expect } from './portal.ts'

/** Removes the stored wait times, so that the page allows a synchronisation immediately. */
export async function clearSyncWait(page: Page): Promise<void> {
  await page.route('**/api/me/xero2sqlproducts*', async (route) => {
    const products = (await (await route.fetch()).json()) as AccountingProduct[]
    await route.fulfill({ json: products.map((product) => ({ ...product, NextTriggerAtUtc: null })) })
  })
}

export async function findProduct(request: APIRequestContext, name: string): Promise<AccountingProduct | undefined> {
  const { get } = await apiAs(request, 'admin@demo.example')
  return (await get<AccountingProduct[]>('/me/xero2sqlproducts')).find(({ CompanyName }) => CompanyName === name)
}

/** Waits for the first run, which starts automatically and excludes other runs. */
export async function waitUntilIdle(request: APIRequestContext, name: string): Promise<void> {
  const endedAt = async () => (await findProduct(request, name))?.Log?.CompletedAtUtc ?? null
  await expect.poll(endedAt, { timeout: 150_000, intervals: [2_000] }).not.toBeNull()
}

export async function deleteProducts(request: APIRequestContext, company: string): Promise<void> {
  const { get, headers } = await apiAs(request, 'admin@demo.example')
  const organisations = await get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading')?.Id}`
  for (const { Id, Name, Status } of await get<Connector[]>(`${client}/connectors?type=xero`))
    if (Name === company && Status !== 'DELETED') await request.delete(`/api${client}/connectors/${Id}`, { headers })
}
