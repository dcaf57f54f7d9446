/** The whole HTTP side: every feature's routes, in one list. */
import type { FastifyInstance } from 'fastify'
import { connectorRoutes } from './features/connectors/routes.ts'
import { documentationRoutes } from './features/documentation/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { insightRoutes } from './features/insights/routes.ts'
import { organisationRoutes } from './features/organisations/routes.ts'
import { runRoutes } from './features/runs/routes.ts'
import { sessionRoutes } from './features/session/routes.ts'
import { warehouseRoutes } from './features/warehouse/routes.ts'
import { createApp } from './platform/bind.ts'
import { createHttp } from './platform/http.ts'
import type { Parts } from './platform/parts.ts'
import { servePortal } from './platform/portal.ts'

export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const http = await createHttp(parts)
  const app = createApp(http, parts)
  healthRoutes(app)
  if (parts.config.role === 'worker') return http
  documentationRoutes(app)
  sessionRoutes(app)
  organisationRoutes(app)
  connectorRoutes(app)
  warehouseRoutes(app)
  runRoutes(app)
  insightRoutes(app)
  await servePortal(http, parts)
  return http
}
