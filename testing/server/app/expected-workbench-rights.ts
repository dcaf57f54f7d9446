/** The role that each call of the workbench requires. */
import type { RoleName } from '@tributary/contract/capabilities'

export const workbenchRights: Readonly<Record<string, RoleName>> = {
  'GET /admin/workbench/descriptions': 'superadmin',
  'POST /admin/workbench/descriptions': 'superadmin',
  'GET /admin/workbench/descriptions/:descriptionId': 'superadmin',
  'PUT /admin/workbench/descriptions/:descriptionId': 'superadmin',
  'DELETE /admin/workbench/descriptions/:descriptionId': 'superadmin',
  'POST /admin/workbench/draft': 'superadmin',
  'POST /admin/workbench/check': 'superadmin',
  'POST /admin/workbench/try': 'superadmin',
  'POST /admin/workbench/prove': 'superadmin',
}
