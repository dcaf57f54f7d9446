/** Finds accounting products, waits for them and takes them away again. */
import type { APIRequestContext, Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import type { AccountingProduct } from '@tributary/contract/accounting'
import { apiAs } from './people.ts'
import { expect } from './portal.ts'

/** The page believes that every product may be synchronised at once. */
export async function forgetWait(page: Page): Promise<void> {
  await page.route('**/api/me/xero2sqlproducts*', async (route) => {
    const products = (await (await route.fetch()).json()) as AccountingProduct[]
    await route.fulfill({ json: products.map((product) => ({ ...product, NextTriggerAtUtc: null })) })
  })
}

export async function findProduct(request: APIRequestContext, name: string): Promise<AccountingProduct | undefined> {
  const { get } = await apiAs(request, 'admin@demo.example')
  return (await get<AccountingProduct[]>('/me/xero2sqlproducts')).find(({ CompanyName }) => CompanyName === name)
}

/** Its first run starts by itself, and while it goes on there is no other. */
export async function untilIdle(request: APIRequestContext, name: string): Promise<void> {
  const endedAt = async () => (await findProduct(request, name))?.Log?.CompletedAtUtc ?? null
  await expect.poll(endedAt, { timeout: 150_000, intervals: [2_000] }).not.toBeNull()
}

export async function leaveNothing(request: APIRequestContext, company: string): Promise<void> {
  const { get, headers } = await apiAs(request, 'admin@demo.example')
  const organisations = await get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading')?.Id}`
  for (const { Id, Name, Status } of await get<Connector[]>(`${client}/connectors?type=xero`))
    if (Name === company && Status !== 'DELETED') await request.delete(`/api${client}/connectors/${Id}`, { headers })
}
