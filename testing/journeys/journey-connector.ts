/** Creates connectors for one journey in 'Summit Foods', so that journeys do not disturb each other's runs. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { apiAs } from './people.ts'

const summitAdmin = 'admin@other.example'

export interface OwnConnector {
  readonly id: string
  readonly name: string
  readonly clientId: string
}

/** Creates a connector with the settings of the trial's source, some of which may be replaced. */
export async function makeConnector(
  request: APIRequestContext,
  type: string,
  changes: Record<string, unknown> = {},
): Promise<OwnConnector> {
  const admin = await apiAs(request, summitAdmin)
  const organisations = await admin.get<{ Id: string; CompanyName: string }[]>('/organisations')
  const clientId = organisations.find(({ CompanyName }) => CompanyName === 'Summit Foods')?.Id ?? ''
  return makeConnectorIn(admin, clientId, type, changes)
}

/** Creates a connector in an organisation of the caller. */
export async function makeConnectorIn(
  admin: Awaited<ReturnType<typeof apiAs>>,
  clientId: string,
  type: string,
  changes: Record<string, unknown> = {},
): Promise<OwnConnector> {
  const types = await admin.get<ConnectorType[]>('/tributary/clients/connector-types')
  const settings = { ...types.find(({ Type }) => Type === type)?.Demo, ...changes }
  const name = `Made ${randomUUID().slice(0, 8)}`
  const properties = Object.entries(settings).map(([property, value]) => ({ name: property, value }))
  const made = await admin.post<Connector>(`/tributary/clients/${clientId}/connectors`, { type, name, properties })
  return { id: made.Id, name, clientId }
}
