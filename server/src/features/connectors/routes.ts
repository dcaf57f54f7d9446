/** Routes of connectors. */
import { may } from '@tributary/contract/capabilities'
import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { assignmentFilter, mayEditConnectors } from '../../connections/connectors/connector-access.ts'
import { readSettings } from '../../connections/connectors/connector-settings.ts'
import { spreadsheet } from '../../connections/connectors/connector-types.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listTypes } from './catalogue.ts'
import { checkRoutes } from './check-routes.ts'
import { findConnectorIdByKey, listSettings, selectConnectors, listTypesInUse } from './queries.ts'
import { listGuests } from './share-queries.ts'
import { closeConnector, disconnectAll } from './close-connector.ts'
import {
  assignUsers,
  changeConnector,
  changeProperties,
  createConnector,
  signInRequiredFault,
} from './save-connector.ts'
import type { SettingsChange } from './accept-settings.ts'
import { listShared, shareConnector } from './share.ts'
import { toConnector, toGuestConnector } from './replies.ts'

export function connectorRoutes(app: AppRoutes): void {
  catalogueRoutes(app)
  readRoutes(app)
  writeRoutes(app)
  propertyRoutes(app)
  checkRoutes(app)
  sharingRoutes(app)
}

function catalogueRoutes(app: AppRoutes): void {
  const types = listTypes(app.services)

  app.bind(connectors.allTypes, async () => types)

  app.bind(connectors.types, async ({ store, organisationId, actor }) => {
    const used = await store.within(organisationId, (db) => listTypesInUse(db, organisationId, assignmentFilter(actor)))
    const shared = await listShared(store, organisationId, { actor })
    const isOwn = (type: string) => used.has(type) || shared.some((connector) => connector.type === type)
    // Every organisation has Excel, for users who may see it.
    return types.filter(({ type }) => (type === spreadsheet.type ? may(actor.roleLevel, 'seeExcel') : isOwn(type)))
  })
}

function readRoutes(app: AppRoutes): void {
  app.bind(connectors.list, async ({ store, organisationId, actor, query: { type } }) => {
    const own = await store.within(organisationId, async (db) => {
      const rows = await selectConnectors(db, organisationId, { assignedTo: assignmentFilter(actor), type }).execute()
      const settings = mayEditConnectors(actor) ? await listSettings(db, organisationId, type) : undefined
      return rows.map((row) => toConnector(row, settings?.get(row.id)))
    })
    const shared = await listShared(store, organisationId, { actor, type })
    return shared.length === 0
      ? own
      : [...own, ...shared].toSorted((one, other) => byName.compare(one.name, other.name))
  })

  app.bind(connectors.read, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, (db) => readConnector(db, { organisationId, actor, connectorId, ...query })),
  )

  app.bind(connectors.find, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, (db) => readConnector(db, { organisationId, actor, connectorId, ...query })),
  )
}

function writeRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(connectors.create, async ({ store, organisationId, actor, auditContext, body }) => {
    if (isAuthorised(body.type)) throw signInRequiredFault()
    await countCredentialTest(services, { actor, organisationId })
    return store.within(organisationId, async (db) => {
      const connectorId = await createConnector(db, services, auditContext, body)
      return readConnector(db, { organisationId, actor, connectorId })
    })
  })

  app.bind(connectors.change, async ({ store, organisationId, actor, auditContext, params: { connectorId }, body }) => {
    if (body.properties !== undefined) await countCredentialTest(services, { actor, organisationId })
    return store.within(organisationId, async (db) => {
      await changeConnector(db, services, auditContext, { connectorId, patch: body })
      return readConnector(db, { organisationId, actor, connectorId })
    })
  })

  app.bind(connectors.remove, ({ store, organisationId, auditContext, params }) =>
    store.within(organisationId, (db) =>
      closeConnector(db, services, auditContext, { connectorId: params.connectorId, status: 'DELETED' }),
    ),
  )

  app.bind(connectors.disconnect, ({ store, organisationId, auditContext, params }) =>
    store.within(organisationId, async (db) => {
      const connectorId = await findConnectorIdByKey(db, organisationId, params.connectorKey)
      if (connectorId === undefined) throw new ApiFault('notFound')
      await closeConnector(db, services, auditContext, { connectorId, status: 'DISCONNECTED' })
    }),
  )

  app.bind(connectors.disconnectAll, ({ store, organisationId, auditContext, query }) =>
    store.within(organisationId, async (db) => {
      const disconnected = await disconnectAll(db, services, auditContext, query.type)
      const rows = await selectConnectors(db, organisationId, { assignedTo: null }).execute()
      return rows.filter(({ id }) => disconnected.has(id)).map((row) => toConnector(row))
    }),
  )

  app.bind(connectors.assignUsers, ({ store, organisationId, actor, auditContext, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await assignUsers(db, services, auditContext, { connectorId, userIds: body.users })
      return readConnector(db, { organisationId, actor, connectorId })
    }),
  )
}

function propertyRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(connectorProperties.list, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, (db) =>
      readProperties(db, { organisationId, actor, connectorId: params.connectorId }),
    ),
  )

  app.bind(connectorProperties.set, async (call) => {
    await change(call, { inputs: call.body, others: 'stay' })
    return listed(call)
  })

  app.bind(connectorProperties.replace, async (call) => {
    await change(call, { inputs: call.body, others: 'go' })
    return listed(call)
  })

  app.bind(connectorProperties.setOne, async (call) => {
    const { name, connectorId } = call.params
    await change(call, { inputs: [{ name, value: call.body.value }], others: 'stay' })
    const properties = await listed(call)
    return (
      properties.find((property) => property.name === name) ?? { name, value: null, clientConnectorId: connectorId }
    )
  })

  app.bind(connectorProperties.removeOne, async (call) => {
    const { name } = call.params
    const properties = await listed(call)
    if (!properties.some((property) => property.name === name)) throw new ApiFault('notFound')
    await change(call, { inputs: [{ name, value: null }], others: 'stay' })
  })

  function listed({ store, organisationId, actor, params }: PropertyCall) {
    return store.within(organisationId, (db) =>
      readProperties(db, { organisationId, actor, connectorId: params.connectorId }),
    )
  }

  async function change(
    { store, organisationId, actor, auditContext, params }: PropertyCall,
    settings: Omit<SettingsChange, 'type'>,
  ): Promise<void> {
    await countCredentialTest(services, { actor, organisationId })
    await store.within(organisationId, (db) =>
      changeProperties(db, services, auditContext, { connectorId: params.connectorId, ...settings }),
    )
  }
}

interface PropertyCall extends Pick<AppServices, 'store'> {
  readonly organisationId: string
  readonly actor: Actor
  readonly auditContext: AuditContext<string, Actor>
  readonly params: { readonly connectorId: string }
}

function sharingRoutes(app: AppRoutes): void {
  const { services } = app

  // Both across organisations, because the guests are other organisations.
  app.bind(connectors.organisations, ({ store, organisationId, params: { connectorId } }) =>
    store.across((db) => listGuests(db, organisationId, connectorId)),
  )

  app.bind(connectors.assignOrganisations, ({ store, auditContext, params: { connectorId }, body }) =>
    store.across((db) => shareConnector(db, services, auditContext, { connectorId, requested: body.organisations })),
  )
}

interface ConnectorRequest {
  readonly organisationId: string
  readonly actor: Actor
  readonly connectorId: string
  readonly excludeProperties?: boolean
}

async function readConnector(
  db: Db,
  { organisationId, actor, connectorId, excludeProperties = false }: ConnectorRequest,
) {
  const row = await selectConnectors(db, organisationId, {
    assignedTo: assignmentFilter(actor),
    id: connectorId,
  }).executeTakeFirst()
  if (row === undefined) throw new ApiFault('notFound')
  if (actor.isGuest === true) return toGuestConnector(row)
  if (excludeProperties) return toConnector(row, null)
  return toConnector(
    row,
    mayEditConnectors(actor) ? await readSettings(db, { organisationId, connectorId }) : undefined,
  )
}

async function readProperties(db: Db, request: ConnectorRequest) {
  const { properties } = await readConnector(db, request)
  return properties
}

const byName = new Intl.Collator('und', { sensitivity: 'base' })
