/** The calls about accounting products and the tokens that reach them. */
import { accounting } from '@tributary/contract/accounting'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { App } from '../../app-services.ts'
import { checkDatabase } from '../../connections/databases/check-database.ts'
import { assignedTo } from '../../connections/connectors/connector-access.ts'
import { rationCredentials } from '../../connections/databases/credential-test-limits.ts'
import { auditTest } from '../../security/audit/audit-credential-test.ts'
import type { Connecting } from '../../connections/oauth/connect-companies.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { assignTenant } from './assign-tenant.ts'
import { type Hand, linkUser, setUser, unlinkUser } from './assign-users.ts'
import { placeToCheck, saveCredentials, showCredentials } from './product-credentials.ts'
import { listProducts, listUsers } from './queries.ts'
import { syncTables } from './sync-tables.ts'
import { synchronise } from './start-synchronisation.ts'
import { listTenants, listTokens } from './tokens.ts'

const syncLimit = {
  kind: 'product tables',
  free: 30,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

interface Lent {
  readonly warehouseTarget: WarehouseTarget
  readonly connecting: Connecting
}

export function productRoutes(app: App, lent: Lent): void {
  tokenRoutes(app, lent)
  readingRoutes(app)
  assignmentRoutes(app)
  credentialRoutes(app, lent.warehouseTarget)
}

function tokenRoutes(app: App, { warehouseTarget, connecting }: Lent): void {
  const { services } = app

  app.bind(accounting.tokens, () => listTokens(services))

  app.bind(accounting.tenants, ({ params: { tokenId }, signal }) => listTenants(services, tokenId, signal))

  app.bind(accounting.assignTenant, async ({ organisationId, actor, origin, signal, params: { tokenId }, body }) => {
    await rationCredentials(services, { actor, organisationId })
    return assignTenant(services, connecting, { ...body, organisationId, actor, origin, signal, tokenId })
  })

  app.bind(accounting.syncTables, async ({ params: { tokenId }, origin, signal }) => {
    await services.throttle.attempt(syncLimit, tokenId)
    return syncTables(services, { tokenId, origin, signal, warehouseTarget })
  })
}

function readingRoutes(app: App): void {
  const { services } = app

  app.bind(accounting.mine, ({ store, organisationId, actor }) =>
    store.within(organisationId, (db) => listProducts(db, organisationId, { assignedTo: assignedTo(actor) })),
  )

  app.bind(accounting.users, ({ store, organisationId }) =>
    store.within(organisationId, (db) => listUsers(db, organisationId)),
  )

  app.bind(accounting.synchronise, ({ store, params: { connectorId }, ...call }) =>
    store.within(call.organisationId, (db) => synchronise(db, services, { ...call, connectorId })),
  )
}

/** What a call is made with. */
interface Made {
  readonly store: Store
  readonly organisationId: string
  readonly origin: AuditContext
}

function assignmentRoutes(app: App): void {
  const { audit } = app.services
  const within = <T>({ store, organisationId, origin }: Made, work: (db: Db, hand: Hand) => Promise<T>): Promise<T> =>
    store.within(organisationId, (db) => work(db, { audit, organisationId, origin }))

  app.bind(accounting.linkUser, async (call) => {
    const { xero2SqlProductId } = call.body
    await within(call, (db, hand) => linkUser(db, hand, call.params.userId, xero2SqlProductId))
    return {}
  })

  app.bind(accounting.unlinkUser, (call) =>
    within(call, (db, hand) => unlinkUser(db, hand, call.params.userId, call.body?.xero2SqlProductId)),
  )

  app.bind(accounting.setUser, async (call) => ({
    ids: await within(call, (db, hand) => setUser(db, hand, call.params.userId, call.body)),
  }))
}

function credentialRoutes(app: App, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bind(accounting.credentials, ({ store, organisationId, params: { connectorId } }) =>
    store.within(organisationId, (db) => showCredentials(db, { organisationId, connectorId })),
  )

  app.bind(
    accounting.saveCredentials,
    async ({ store, organisationId, actor, origin, params: { connectorId }, body }) => {
      await rationCredentials(services, { actor, organisationId })
      const of = { organisationId, connectorId }
      return store.within(organisationId, async (db) => {
        await saveCredentials(db, { services, actor, origin }, of, body)
        return showCredentials(db, of)
      })
    },
  )

  app.bind(
    accounting.checkCredentials,
    async ({ store, organisationId, actor, origin, params: { connectorId }, body, signal }) => {
      await rationCredentials(services, { actor, organisationId })
      const of = { organisationId, connectorId }
      const place = await store.within(organisationId, (db) => placeToCheck(db, { services }, of, body))
      const event = { action: 'database.credentials_tested', object: { type: 'connector', id: connectorId } } as const
      return auditTest(services, { organisationId, origin, event }, () =>
        checkDatabase(services, { ...place, signal, warehouseTarget }),
      )
    },
  )
}
