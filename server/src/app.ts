/** The whole HTTP side: every feature's routes, in one list. */
import type { FastifyInstance } from 'fastify'
import { alertChannelRoutes } from './features/alert-channels/routes.ts'
import { alertRoutes } from './features/alerts/routes.ts'
import { approvalRoutes } from './features/approvals/routes.ts'
import { assignmentRoutes } from './features/assignments/routes.ts'
import { assistantRoutes } from './features/assistants/routes.ts'
import { auditorRoomRoutes } from './features/auditor-rooms/routes.ts'
import { auditLogRoutes } from './features/audit-log/routes.ts'
import { authoriseRoutes } from './features/authorisations/routes.ts'
import { erasureRoutes } from './features/history/erasure-routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { tableRuleRoutes } from './features/table-rules/routes.ts'
import { certificateRoutes } from './features/certificates/routes.ts'
import { createConnecting } from './features/connectors/authorised-connectors.ts'
import { connectorRoutes } from './features/connectors/routes.ts'
import { documentationRoutes } from './features/openapi/routes.ts'
import { dataRoutes } from './features/data/routes.ts'
import { dataServerRoutes } from './features/data-servers/routes.ts'
import { dictionaryRoutes } from './features/dictionary/routes.ts'
import { externalRoutes } from './features/identity-providers/routes.ts'
import { groupRoutes } from './features/groups/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { insightRoutes } from './features/insights/routes.ts'
import { licenceRoutes } from './features/licences/routes.ts'
import { relabelSlices } from './features/loads/rename-slices.ts'
import { loginRoutes } from './features/logins/routes.ts'
import { loadRoutes } from './features/loads/routes.ts'
import { mailboxRoutes } from './features/mailbox/routes.ts'
import { organisationRoutes } from './features/organisations/routes.ts'
import { cspReportRoutes } from './features/csp-reports/routes.ts'
import { mcpRoutes } from './features/mcp/routes.ts'
import { oauthRoutes } from './features/oauth/routes.ts'
import { odataRoutes } from './features/odata/routes.ts'
import { overviewRoutes } from './features/overview/routes.ts'
import { preferenceRoutes } from './features/preferences/routes.ts'
import { privacyRoutes } from './features/privacy/routes.ts'
import { productRoutes } from './features/accounting/routes.ts'
import { queryRoutes } from './features/queries/routes.ts'
import { registrationRoutes } from './features/sign-up/routes.ts'
import { readyByRoutes } from './features/ready-by/routes.ts'
import { resetPasswordRoutes } from './features/reset-password/routes.ts'
import { runRoutes } from './features/runs/routes.ts'
import { schemaChangeRoutes } from './features/schema-changes/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { securityRoutes } from './features/profile/routes.ts'
import { sessionRoutes } from './features/sign-in/routes.ts'
import { settingRoutes } from './features/global-configuration/routes.ts'
import { streamRoutes } from './features/streams/routes.ts'
import { structureRoutes } from './features/planning-structure/routes.ts'
import { tableSyncRoutes } from './features/table-sync/routes.ts'
import { closedPeriodRoutes } from './features/closed-periods/routes.ts'
import { publicationActionRoutes } from './features/publication-actions/routes.ts'
import { publicationRoutes } from './features/publications/routes.ts'
import { reportMarkRoutes } from './features/report-marks/routes.ts'
import { tieOutRoutes } from './features/tie-out/routes.ts'
import { entitlementRoutes } from './features/entitlements/routes.ts'
import { structureMapRoutes } from './features/structure-map/routes.ts'
import { tokenRoutes } from './features/tokens/routes.ts'
import { trustRoutes } from './features/trust/routes.ts'
import { verificationRoutes } from './features/verifications/routes.ts'
import { usageRoutes } from './features/usage/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { workbenchRoutes } from './features/workbench/routes.ts'
import { warehouseRoutes } from './features/warehouse/routes.ts'
import { warehouseTarget } from './access/warehouse/warehouse.ts'
import { serveAddin } from './kernel/pages/task-pane.ts'
import { createCallGuard } from './identity/authorization/call-guard.ts'
import { createRouteMount } from './kernel/http/bind.ts'
import { createHttp } from './kernel/http/http-server.ts'
import type { AppRoutes, AppServices } from './app-services.ts'
import { servePortal } from './kernel/pages/portal.ts'
import type { WarehouseTarget } from './connections/databases/warehouse-server.ts'

export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const http = await createHttp(services)
  const app = createApp(http, services)
  healthRoutes(app)
  if (services.config.role === 'worker') return http
  documentationRoutes(app)
  await cspReportRoutes(app)
  sessionRoutes(app)
  securityRoutes(app)
  preferenceRoutes(app)
  tokenRoutes(app)
  await oauthRoutes(app)
  assistantRoutes(app)
  externalRoutes(app)
  registrationRoutes(app)
  resetPasswordRoutes(app)
  approvalRoutes(app)
  organisationRoutes(app)
  userRoutes(app)
  privacyRoutes(app)
  connectorRoutes(app)
  const connecting = createConnecting(services)
  authoriseRoutes(app, connecting)
  licenceRoutes(app)
  alertRoutes(app)
  alertChannelRoutes(app)
  warehouseRoutes(app)
  dataServerRoutes(app)
  workbenchRoutes(app)
  dataRoutes(app)
  queryRoutes(app)
  reportRoutes(app)
  loginRoutes(app)
  await odataRoutes(app)
  mcpRoutes(app)
  runRoutes(app)
  usageRoutes(app)
  streamRoutes(app)
  schemaChangeRoutes(app)
  dictionaryRoutes(app)
  const ownWarehouse: WarehouseTarget = (organisationId, schema) => warehouseTarget(services, organisationId, schema)
  trustedDataRoutes(app, ownWarehouse)
  overviewRoutes(app)
  insightRoutes(app)
  structureRoutes(app)
  groupRoutes(app)
  assignmentRoutes(app)
  entitlementRoutes(app)
  structureMapRoutes(app)
  tableSyncRoutes(app, { warehouseTarget: ownWarehouse, relabel: (of) => relabelSlices(services, of) })
  loadRoutes(app, ownWarehouse)
  productRoutes(app, { warehouseTarget: ownWarehouse, connecting })
  settingRoutes(app)
  auditLogRoutes(app)
  mailboxRoutes(app)
  searchRoutes(app)
  await serveAddin(http, services)
  await servePortal(http, services)
  return http
}

/** What proves that the data is right, and keeps what was reported. */
function trustedDataRoutes(app: AppRoutes, ownWarehouse: WarehouseTarget): void {
  readyByRoutes(app)
  tieOutRoutes(app)
  verificationRoutes(app)
  closedPeriodRoutes(app)
  publicationRoutes(app)
  reportMarkRoutes(app)
  publicationActionRoutes(app)
  certificateRoutes(app)
  auditorRoomRoutes(app)
  historyRoutes(app)
  tableRuleRoutes(app)
  erasureRoutes(app, ownWarehouse)
  trustRoutes(app)
}

export function createApp(http: FastifyInstance, services: AppServices): AppRoutes {
  return { services, ...createRouteMount(http, { ...services, guard: createCallGuard(services) }) }
}
