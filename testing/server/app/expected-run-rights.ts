/** The role that each call about the order and the time of runs requires, copied by hand from the specification. */
import type { RoleName } from '@tributary/contract/capabilities'

export const runRights: Readonly<Record<string, RoleName>> = {
  'GET /organisations/:clientId/run-share': 'admin',
  'PUT /organisations/:clientId/run-share': 'superadmin',
}
