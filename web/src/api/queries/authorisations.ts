/** Connectors whose source the user signs in to, by OAuth. */
import type { ConnectorParams } from './runs.ts'
import { callQuery } from '../call-query.ts'

interface AuthorisationOptions {
  /** The organisation's own app instead of the provider's. */
  readonly app?: 'own' | undefined
  /** The connector to reconnect. */
  readonly connectorId?: string | undefined
}

/** The address at which the browser leaves the portal, to sign in at the source. */
export function buildAuthorisationUrl(
  type: string,
  organisationId: string,
  { app, connectorId }: AuthorisationOptions = {},
): string {
  const query = new URLSearchParams({
    state: organisationId,
    ...(app !== undefined && { app }),
    ...(connectorId !== undefined && { connector: connectorId }),
  })
  return `/api/authorise/${encodeURIComponent(type)}?${query}`
}

export const connectorAuthorisation = (params: ConnectorParams) =>
  callQuery(
    ['connector-authorisation', params.clientId, params.connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation',
    { params },
  )
