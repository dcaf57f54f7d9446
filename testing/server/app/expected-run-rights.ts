/** The role that each call about runs requires, copied by hand from the specification. */
import type { RoleName } from '@tributary/contract/capabilities'

export const runRights: Readonly<Record<string, RoleName>> = {
  'GET /organisations/:clientId/run-share': 'admin',
  'PUT /organisations/:clientId/run-share': 'superadmin',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId': 'guest',
  'POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected.csv': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/events': 'guest',
}
