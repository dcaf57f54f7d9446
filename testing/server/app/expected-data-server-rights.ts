/** The role that each call about data servers requires. */
import type { RoleName } from '@tributary/contract/capabilities'

export const dataServerRights: Readonly<Record<string, RoleName>> = {
  'GET /admin/data-servers': 'superadmin',
  'POST /admin/data-servers': 'superadmin',
  'PUT /admin/data-servers/:serverId': 'superadmin',
  'DELETE /admin/data-servers/:serverId': 'superadmin',
  'POST /admin/data-servers/:serverId/check': 'superadmin',
  'GET /tributary/clients/:clientId/data-server': 'superadmin',
  'PUT /tributary/clients/:clientId/data-server': 'superadmin',
  'POST /tributary/clients/:clientId/data-server/move': 'superadmin',
  'POST /tributary/clients/:clientId/data-server/move/cancel': 'superadmin',
  'POST /tributary/clients/:clientId/data-server/move/drop-old-copy': 'superadmin',
}

/** Those that no access token may make. The others need re-authentication, and take no token by rule. */
export const dataServerCalls = [
  'GET /admin/data-servers',
  'POST /admin/data-servers/:serverId/check',
  'GET /tributary/clients/:clientId/data-server',
  'PUT /tributary/clients/:clientId/data-server',
  'POST /tributary/clients/:clientId/data-server/move/cancel',
] as const
