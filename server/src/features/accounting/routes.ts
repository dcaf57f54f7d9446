/** Routes of accounting products and of the tokens that reach their companies. */
import { accounting } from '@tributary/contract/accounting'
import type { AppRoutes } from '../../app-services.ts'
import { checkDatabase } from '../../connections/databases/check-database.ts'
import { assignmentFilter } from '../../connections/connectors/connector-access.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { auditCredentialTest } from '../../security/audit/audit-credential-test.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { assignTenant } from './assign-tenant.ts'
import { linkUser, setUserProducts, unlinkUser } from './assign-users.ts'
import { resolveTargetToTest, saveProductCredentials, readProductCredentials } from './product-credentials.ts'
import { listProducts, listUsers } from './queries.ts'
import { syncTables } from './sync-tables.ts'
import { startSynchronisation } from './start-synchronisation.ts'
import { listTenants, listTokens } from './tokens.ts'

const syncLimit = {
  kind: 'product tables',
  free: 30,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

interface ProductRoutePorts {
  readonly warehouseTarget: WarehouseTarget
  readonly connecting: CompanyConnector
}

export function productRoutes(app: AppRoutes, ports: ProductRoutePorts): void {
  tokenRoutes(app, ports)
  overviewRoutes(app)
  assignmentRoutes(app)
  credentialRoutes(app, ports.warehouseTarget)
}

function tokenRoutes(app: AppRoutes, { warehouseTarget, connecting }: ProductRoutePorts): void {
  const { services } = app

  app.bind(accounting.tokens, () => listTokens(services))

  app.bind(accounting.tenants, ({ params: { tokenId }, signal }) => listTenants(services, tokenId, signal))

  app.bind(
    accounting.assignTenant,
    async ({ organisationId, actor, auditContext, signal, params: { tokenId }, body }) => {
      await countCredentialTest(services, { actor, organisationId })
      return assignTenant(services, connecting, { ...body, auditContext, signal, tokenId })
    },
  )

  app.bind(accounting.syncTables, async ({ params: { tokenId }, auditContext, signal }) => {
    await services.throttle.attempt(syncLimit, tokenId)
    return syncTables(services, { tokenId, auditContext, signal, warehouseTarget })
  })
}

function overviewRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(accounting.mine, (db, { organisationId, actor }) =>
    listProducts(db, organisationId, { assignedTo: assignmentFilter(actor) }),
  )

  app.bindWithin(accounting.users, (db, { organisationId }) => listUsers(db, organisationId))

  app.bindWithin(accounting.synchronise, (db, { auditContext, params: { connectorId } }) =>
    startSynchronisation(db, services, { auditContext, connectorId }),
  )
}

function assignmentRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(accounting.linkUser, async ({ store, organisationId, auditContext, params: { userId }, body }) => {
    const { xero2SqlProductId: connectorId } = body
    await store.within(organisationId, (db) => linkUser(db, services, auditContext, { userId, connectorId }))
    return {}
  })

  app.bindWithin(accounting.unlinkUser, (db, { auditContext, params: { userId }, body }) =>
    unlinkUser(db, services, auditContext, { userId, connectorId: body?.xero2SqlProductId }),
  )

  app.bind(accounting.setUser, async ({ store, organisationId, auditContext, params: { userId }, body }) => ({
    ids: await store.within(organisationId, (db) => setUserProducts(db, services, auditContext, { ...body, userId })),
  }))
}

function credentialRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bindWithin(accounting.credentials, (db, { organisationId, params: { connectorId } }) =>
    readProductCredentials(db, { organisationId, connectorId }),
  )

  app.bind(
    accounting.saveCredentials,
    async ({ store, organisationId, actor, auditContext, params: { connectorId }, body }) => {
      await countCredentialTest(services, { actor, organisationId })
      const key = { organisationId, connectorId }
      return store.within(organisationId, async (db) => {
        await saveProductCredentials(db, services, auditContext, { key, entered: body })
        return readProductCredentials(db, key)
      })
    },
  )

  app.bind(
    accounting.checkCredentials,
    async ({ store, organisationId, actor, auditContext, params: { connectorId }, body, signal }) => {
      await countCredentialTest(services, { actor, organisationId })
      const key = { organisationId, connectorId }
      const target = await store.within(organisationId, (db) => resolveTargetToTest(db, services, key, body))
      const event = { action: 'database.credentials_tested', object: { type: 'connector', id: connectorId } } as const
      return auditCredentialTest(services, { auditContext, event }, () =>
        checkDatabase(services, { ...target, signal, warehouseTarget }),
      )
    },
  )
}
