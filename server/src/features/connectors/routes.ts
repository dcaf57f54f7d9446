/** Routes of connectors. */
import { may } from '@tributary/contract/capabilities'
import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { assignmentFilter, mayEditConnectors } from '../../connections/connectors/connector-access.ts'
import { readSettings } from '../../connections/connectors/connector-settings.ts'
import { spreadsheet } from '../../connections/connectors/connector-types.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import { mailHostRequests } from '../../connections/host-approvals/mail-requests.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { getConnectorId } from '../../connections/connectors/connector-queries.ts'
import { listTypes } from './catalogue.ts'
import { descriptionRoutes } from './check-description.ts'
import { checkRoutes } from './check-routes.ts'
import { listConnectors, listSettings, listTypesInUse } from './queries.ts'
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
  descriptionRoutes(app)
  sharingRoutes(app)
}

function catalogueRoutes(app: AppRoutes): void {
  const types = listTypes(app.services)

  app.bind(connectors.allTypes, async () => types)

  app.bind(connectors.types, async ({ store, organisationId, actor }) => {
    const used = await store.within(organisationId, (db) => listTypesInUse(db, organisationId, assignmentFilter(actor)))
    const shared = await listShared(store, organisationId, { actor, now: nowOf(app.services) })
    const isOwn = (type: string) => used.has(type) || shared.some((connector) => connector.type === type)
    // Every organisation has Excel, for users who may see it.
    return types.filter(({ type }) => (type === spreadsheet.type ? may(actor.roleLevel, 'seeExcel') : isOwn(type)))
  })
}

function readRoutes(app: AppRoutes): void {
  app.bind(connectors.list, async ({ store, organisationId, actor, query: { type } }) => {
    const now = nowOf(app.services)
    const own = await store.within(organisationId, async (db) => {
      const rows = await listConnectors(db, organisationId, { assignedTo: assignmentFilter(actor), type, now })
      const settings = mayEditConnectors(actor) ? await listSettings(db, organisationId, type) : undefined
      return rows.map((row) => toConnector(row, settings?.get(row.id)))
    })
    const shared = await listShared(store, organisationId, { actor, type, now })
    return shared.length === 0
      ? own
      : [...own, ...shared].toSorted((one, other) => byName.compare(one.name, other.name))
  })

  for (const route of [connectors.read, connectors.find])
    app.bindWithin(route, (db, { organisationId, actor, params, query }) =>
      readConnector(db, app.services, { organisationId, actor, ...params, ...query }),
    )
}

function writeRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(connectors.create, async ({ store, organisationId, actor, auditContext, body }) => {
    if (isAuthorised(body.type)) throw signInRequiredFault()
    await countCredentialTest(services, { actor, organisationId })
    const created = await store.within(organisationId, async (db) => {
      const connectorId = await createConnector(db, services, auditContext, body)
      return readConnector(db, services, { organisationId, actor, connectorId })
    })
    await mailHostRequests(services)
    return created
  })

  app.bind(connectors.change, async ({ store, organisationId, actor, auditContext, params: { connectorId }, body }) => {
    if (body.properties !== undefined) await countCredentialTest(services, { actor, organisationId })
    const changed = await store.within(organisationId, async (db) => {
      await changeConnector(db, services, auditContext, { connectorId, patch: body })
      return readConnector(db, services, { organisationId, actor, connectorId })
    })
    await mailHostRequests(services)
    return changed
  })

  app.bindWithin(connectors.remove, (db, { auditContext, params: { connectorId } }) =>
    closeConnector(db, services, auditContext, { connectorId, status: 'DELETED' }),
  )

  app.bindWithin(connectors.disconnect, async (db, { organisationId, auditContext, params }) => {
    const connectorId = await getConnectorId(db, organisationId, params.connectorKey)
    await closeConnector(db, services, auditContext, { connectorId, status: 'DISCONNECTED' })
  })

  app.bindWithin(connectors.disconnectAll, async (db, { organisationId, auditContext, query }) => {
    const disconnected = await disconnectAll(db, services, auditContext, query.type)
    const rows = await listConnectors(db, organisationId, { assignedTo: null, now: nowOf(services) })
    return rows.filter(({ id }) => disconnected.has(id)).map((row) => toConnector(row))
  })

  app.bindWithin(connectors.assignUsers, async (db, call) => {
    const { connectorId } = call.params
    await assignUsers(db, services, call.auditContext, { connectorId, userIds: call.body.users })
    return readConnector(db, services, { ...call, connectorId })
  })
}

function propertyRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(connectorProperties.list, (db, call) => readProperties(db, services, call))

  app.bind(connectorProperties.set, (call) => change(call, { inputs: call.body, others: 'stay' }))

  app.bind(connectorProperties.replace, (call) => change(call, { inputs: call.body, others: 'go' }))

  app.bind(connectorProperties.setOne, async (call) => {
    const { name, connectorId } = call.params
    const properties = await change(call, { inputs: [{ name, value: call.body.value }], others: 'stay' })
    return (
      properties.find((property) => property.name === name) ?? { name, value: null, clientConnectorId: connectorId }
    )
  })

  app.bind(connectorProperties.removeOne, async (call) => {
    const { name } = call.params
    const properties = await call.store.within(call.organisationId, (db) => readProperties(db, services, call))
    if (!properties.some((property) => property.name === name)) throw new ApiFault('notFound')
    await change(call, { inputs: [{ name, value: null }], others: 'stay' })
  })

  /** Returns all properties after the change. */
  async function change(call: PropertyCall, settings: Omit<SettingsChange, 'type'>) {
    await countCredentialTest(services, call)
    const changed = await call.store.within(call.organisationId, async (db) => {
      const { connectorId } = call.params
      await changeProperties(db, services, call.auditContext, { connectorId, ...settings })
      return readProperties(db, services, call)
    })
    await mailHostRequests(services)
    return changed
  }
}

interface ConnectorReader {
  readonly organisationId: string
  readonly actor: Actor
}

interface PropertyCall extends ConnectorReader, Pick<AppServices, 'store'> {
  readonly auditContext: CallerContext
  readonly params: { readonly connectorId: string }
}

function sharingRoutes(app: AppRoutes): void {
  const { services } = app

  // Both across organisations, because the guests are other organisations.
  app.bind(connectors.organisations, ({ store, organisationId, params: { connectorId } }) =>
    store.across((db) => listGuests(db, { organisationId, connectorId })),
  )

  app.bind(connectors.assignOrganisations, ({ store, auditContext, params: { connectorId }, body }) =>
    store.across((db) => shareConnector(db, services, auditContext, { connectorId, requested: body.organisations })),
  )
}

interface ReadConnector extends ConnectorReader {
  readonly connectorId: string
  readonly excludeProperties?: boolean
}

async function readConnector(
  db: Db,
  services: Pick<AppServices, 'clock'>,
  { organisationId, actor, connectorId, excludeProperties = false }: ReadConnector,
) {
  const filter = { assignedTo: assignmentFilter(actor), id: connectorId, now: nowOf(services) }
  const [row] = await listConnectors(db, organisationId, filter)
  if (row === undefined) throw notFound()
  if (actor.isGuest === true) return toGuestConnector(row)
  if (excludeProperties) return toConnector(row, null)
  return toConnector(
    row,
    mayEditConnectors(actor) ? await readSettings(db, { organisationId, connectorId }) : undefined,
  )
}

async function readProperties(
  db: Db,
  services: Pick<AppServices, 'clock'>,
  { organisationId, actor, params: { connectorId } }: Pick<PropertyCall, 'organisationId' | 'actor' | 'params'>,
) {
  const { properties } = await readConnector(db, services, { organisationId, actor, connectorId })
  return properties
}

function nowOf({ clock }: Pick<AppServices, 'clock'>): Date {
  return new Date(clock.now())
}

const byName = new Intl.Collator('und', { sensitivity: 'base' })
