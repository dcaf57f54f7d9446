/** Connectors of the trial's organisation 'Summit Foods', which journeys of sources with a sign-in use. */
import type { APIRequestContext } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import { apiAs } from './people.ts'

export async function deleteSummitConnectors(request: APIRequestContext, type: string): Promise<void> {
  const { get, headers } = await apiAs(request, 'admin@other.example')
  const organisations = await get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Summit Foods')?.Id}`
  for (const { Id, Status } of await get<Connector[]>(`${client}/connectors?type=${type}`))
    if (Status !== 'DELETED') await request.delete(`/api${client}/connectors/${Id}`, { headers })
}
