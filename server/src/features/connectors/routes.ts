/** The calls about connectors. */
import { may } from '@tributary/contract/capabilities'
import { connectors } from '@tributary/contract/connectors'
import type { Properties } from '@tributary/engine/source'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/bind.ts'
import { assignedTo } from '../../platform/connector-access.ts'
import { lockConnector } from '../../platform/connector-lock.ts'
import { type ConnectorPlace, openSettings, readSettings } from '../../platform/connector-settings.ts'
import { ApiFault, badField } from '../../platform/fault.ts'
import type { Db } from '../../platform/store.ts'
import { listTypes } from './catalogue.ts'
import { checkConnection, checkLimit } from './check.ts'
import { connectorIdOf, listSettings, selectConnectors, typesInUse } from './queries.ts'
import { assignUsers, changeConnector, changeProperties, closeConnector, createConnector } from './save.ts'
import { accept } from './settings.ts'
import { shownConnector, usersProperty } from './show.ts'

export function connectorRoutes(app: App): void {
  catalogueRoutes(app)
  readingRoutes(app)
  writingRoutes(app)
  propertyRoutes(app)
  checkRoute(app)
}

function catalogueRoutes(app: App): void {
  const types = listTypes(app.parts.demo)

  app.bind(connectors.allTypes, async () => types)

  app.bind(connectors.types, async ({ store, organisationId, actor }) => {
    const used = await store.within(organisationId, (db) => typesInUse(db, organisationId, assignedTo(actor)))
    return types.filter(({ type }) => used.has(type))
  })
}

function readingRoutes(app: App): void {
  app.bind(connectors.list, ({ store, organisationId, actor, query }) =>
    store.within(organisationId, async (db) => {
      const rows = await selectConnectors(db, organisationId, { assignedTo: assignedTo(actor), type: query.type }).execute()
      const settings = mayEdit(actor) ? await listSettings(db, organisationId, query.type) : undefined
      return rows.map((row) => shownConnector(row, settings?.get(row.id)))
    }),
  )

  app.bind(connectors.read, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, (db) => show(db, { organisationId, actor, connectorId, ...query })),
  )

  app.bind(connectors.find, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, (db) => show(db, { organisationId, actor, connectorId, ...query })),
  )
}

function writingRoutes(app: App): void {
  const { parts } = app

  app.bind(connectors.create, ({ store, organisationId, actor, origin, body }) =>
    store.within(organisationId, async (db) => {
      const connectorId = await createConnector(db, { parts, actor, organisationId, origin }, body)
      return show(db, { organisationId, actor, connectorId })
    }),
  )

  app.bind(connectors.change, ({ store, organisationId, actor, origin, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await changeConnector(db, { parts, actor, organisationId, origin }, connectorId, body)
      return show(db, { organisationId, actor, connectorId })
    }),
  )

  app.bind(connectors.remove, ({ store, organisationId, actor, origin, params }) =>
    store.within(organisationId, (db) => closeConnector(db, { parts, actor, organisationId, origin }, params.connectorId, 'DELETED')),
  )

  app.bind(connectors.disconnect, ({ store, organisationId, actor, origin, params }) =>
    store.within(organisationId, async (db) => {
      const connectorId = await connectorIdOf(db, organisationId, params.connectorKey)
      if (connectorId === undefined) throw new ApiFault('notFound')
      await closeConnector(db, { parts, actor, organisationId, origin }, connectorId, 'DISCONNECTED')
    }),
  )

  app.bind(connectors.assignUsers, ({ store, organisationId, actor, origin, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await assignUsers(db, { parts, actor, organisationId, origin }, connectorId, body.users)
      return show(db, { organisationId, actor, connectorId })
    }),
  )
}

function checkRoute(app: App): void {
  const { parts } = app

  app.bind(connectors.check, async ({ store, organisationId, origin, body: { type, connectorId, properties }, signal }) => {
    await parts.throttle.attempt(checkLimit, organisationId)
    const accepted = await store.within(organisationId, async (db) => {
      const stored = connectorId === undefined ? {} : await storedSettings(db, { organisationId, connectorId }, type)
      const object = { type: 'connector', id: connectorId ?? type }
      await parts.audit.record(db, origin, { organisationId, action: 'connector.credentials_tested', outcome: 'success', object })
      return accept(stored, { type, inputs: properties.filter(({ name }) => name !== usersProperty), others: 'stay' })
    })
    return checkConnection(parts, accepted, signal)
  })

  /** What the form's mask stands for. Another type would offer the secret to a server in another way than it was entered for. */
  async function storedSettings(db: Db, place: ConnectorPlace, type: string): Promise<Properties> {
    const connector = await lockConnector(db, place.organisationId, place.connectorId)
    if (connector === undefined) throw new ApiFault('notFound')
    if (connector.type !== type) throw badField('type', `This connector is of the type ${connector.type}, which never changes.`)
    return openSettings(db, parts.secrets, place)
  }
}

function propertyRoutes(app: App): void {
  const { parts } = app

  app.bind(connectors.properties, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, (db) => showProperties(db, { organisationId, actor, connectorId: params.connectorId })),
  )

  app.bind(connectors.setProperties, ({ store, organisationId, actor, origin, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await changeProperties(db, { parts, actor, organisationId, origin }, connectorId, { inputs: body, others: 'stay' })
      return showProperties(db, { organisationId, actor, connectorId })
    }),
  )

  app.bind(connectors.replaceProperties, ({ store, organisationId, actor, origin, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await changeProperties(db, { parts, actor, organisationId, origin }, connectorId, { inputs: body, others: 'go' })
      return showProperties(db, { organisationId, actor, connectorId })
    }),
  )

  app.bind(connectors.setProperty, ({ store, organisationId, actor, origin, params: { connectorId, name }, body }) =>
    store.within(organisationId, async (db) => {
      const inputs = [{ name, value: body.value }]
      await changeProperties(db, { parts, actor, organisationId, origin }, connectorId, { inputs, others: 'stay' })
      const properties = await showProperties(db, { organisationId, actor, connectorId })
      return properties.find((property) => property.name === name) ?? { name, value: null, clientConnectorId: connectorId }
    }),
  )

  app.bind(connectors.removeProperty, ({ store, organisationId, actor, origin, params: { connectorId, name } }) =>
    store.within(organisationId, async (db) => {
      const properties = await showProperties(db, { organisationId, actor, connectorId })
      if (!properties.some((property) => property.name === name)) throw new ApiFault('notFound')
      const inputs = [{ name, value: null }]
      await changeProperties(db, { parts, actor, organisationId, origin }, connectorId, { inputs, others: 'stay' })
    }),
  )
}

interface One {
  readonly organisationId: string
  readonly actor: Actor
  readonly connectorId: string
  readonly excludeProperties?: boolean
}

async function show(db: Db, { organisationId, actor, connectorId, excludeProperties = false }: One) {
  const row = await selectConnectors(db, organisationId, { assignedTo: assignedTo(actor), id: connectorId }).executeTakeFirst()
  if (row === undefined) throw new ApiFault('notFound')
  const seesSettings = mayEdit(actor) && !excludeProperties
  return shownConnector(row, seesSettings ? await readSettings(db, { organisationId, connectorId }) : undefined)
}

async function showProperties(db: Db, one: One) {
  const { properties } = await show(db, one)
  return properties
}

function mayEdit(actor: Actor): boolean {
  return may(actor.roleLevel, 'editConnector')
}
