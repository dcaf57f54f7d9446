/** The role that each call about *Ready by* requires, and the scope of an access token. */
import type { RoleName } from '@tributary/contract/capabilities'
import type { TokenScope } from '@tributary/contract/token-scopes'

export const readyByRights: Readonly<Record<string, RoleName>> = {
  'GET /tributary/clients/:clientId/ready-by': 'guest',
  'PUT /tributary/clients/:clientId/ready-by': 'admin',
  'GET /tributary/clients/:clientId/connectors/:connectorId/ready-by': 'guest',
  'PUT /tributary/clients/:clientId/connectors/:connectorId/ready-by': 'admin',
}

export const readyByScopes: Readonly<Record<string, readonly TokenScope[]>> = {
  'GET /tributary/clients/:clientId/ready-by': ['status.read'],
  'PUT /tributary/clients/:clientId/ready-by': ['administer'],
  'GET /tributary/clients/:clientId/connectors/:connectorId/ready-by': ['status.read'],
  'PUT /tributary/clients/:clientId/connectors/:connectorId/ready-by': ['administer'],
}
