/** Sources at which people sign in, as several parts of the portal ask for them. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'
import type { ConnectorPlace } from './runs.ts'

interface Trip {
  /** By the organisation's own app instead of the provider's. */
  readonly app?: 'own' | undefined
  /** The one that is to be connected again. */
  readonly connectorId?: string | undefined
}

/** Where the browser leaves the portal, to sign in at the source. */
export function authoriseAddress(type: string, organisationId: string, { app, connectorId }: Trip = {}): string {
  const query = new URLSearchParams({
    state: organisationId,
    ...(app !== undefined && { app }),
    ...(connectorId !== undefined && { connector: connectorId }),
  })
  return `/api/authorise/${encodeURIComponent(type)}?${query}`
}

export const connectorAuthorisation = (params: ConnectorPlace) =>
  queryOptions({
    queryKey: ['connector-authorisation', params.clientId, params.connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/authorisation', { params, signal }),
  })
