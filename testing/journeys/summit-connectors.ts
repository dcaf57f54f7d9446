/** Connectors of the trial's organisation 'Summit Foods', which journeys of sources with a sign-in use. */
import type { APIRequestContext, Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import { apiAs } from './people.ts'
import { expect } from './portal.ts'

export async function listSummitConnectors(request: APIRequestContext, type: string) {
  const { get, headers } = await apiAs(request, 'admin@other.example')
  const organisations = await get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Summit Foods')?.Id}`
  const found = await get<Connector[]>(`${client}/connectors?type=${type}`)
  return { client, headers, found: found.filter(({ Status }) => Status !== 'DELETED') }
}

export async function deleteSummitConnectors(request: APIRequestContext, type: string): Promise<void> {
  const { client, headers, found } = await listSummitConnectors(request, type)
  for (const { Id } of found) await request.delete(`/api${client}/connectors/${Id}`, { headers })
}

/** Opens the consent page of a simulated source from the portal, as an administrator who adds a connector does. */
export async function openConsent(page: Page, type: string, title: string, heading: string): Promise<void> {
  await page.goto(`/connectors/${type}/manage`)
  await page.getByRole('button', { name: 'Add connector' }).click()
  await page.getByRole('link', { name: `Continue to ${title}` }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}
