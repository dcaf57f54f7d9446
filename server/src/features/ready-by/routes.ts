/** Routes of *Ready by*. */
import {
  type ConnectorReadyBy,
  type OrganisationReadyBy,
  readyBy,
  type ReadyByWish,
} from '@tributary/contract/ready-by'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import { assignmentFilter, bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countReasons, listPromises, listWishes, readPromises, saveWish } from './queries.ts'

export function readyByRoutes(app: AppRoutes): void {
  const { audit } = app.services

  bindVisibleConnector(app, readyBy.read, readConnector)

  bindVisibleConnector(app, readyBy.save, async (db, connector, { auditContext, body }) => {
    await lockUndeletedConnector(db, connector)
    const { organisationId, connectorId } = connector
    const before = await readConnector(db, connector)
    const wish = body.follows === 'own' ? body.wish : body.follows === 'none' ? noWish : undefined
    await saveWish(db, organisationId, { connectorId, isOn: body.follows === 'own', wish })
    const after = await readConnector(db, connector)
    await audit.record(db, auditContext, {
      action: 'connector.ready_by_set',
      object: { type: 'connector', id: connectorId },
      detail: { before: describeWish(before), after: describeWish(after) },
    })
    return after
  })

  app.bindWithin(readyBy.readOrganisation, (db, { organisationId, actor }) =>
    readOrganisation(db, organisationId, actor),
  )

  app.bindWithin(readyBy.saveOrganisation, async (db, { organisationId, actor, auditContext, body }) => {
    const before = await readOrganisation(db, organisationId, actor)
    await saveWish(db, organisationId, { connectorId: null, isOn: true, wish: body.wish ?? undefined })
    const after = await readOrganisation(db, organisationId, actor)
    await audit.record(db, auditContext, {
      action: 'organisation.ready_by_set',
      detail: { before: before.wish, after: after.wish },
    })
    return after
  })
}

/** The times of a connector that does not follow its organisation have no meaning. */
const noWish: Camel<ReadyByWish> = { time: '00:00', days: [1], maxAgeHours: 1 }

function describeWish({ follows, wish }: Camel<ConnectorReadyBy>) {
  return follows === 'own' ? wish : follows
}

async function readConnector(db: Db, connector: ConnectorLocation): Promise<Camel<ConnectorReadyBy>> {
  const { organisationId, connectorId } = connector
  const wishes = await listWishes(db, organisationId, connectorId)
  const own = wishes.find((one) => one.connectorId !== null)
  const organisationWish = wishes.find((one) => one.connectorId === null)?.wish ?? null
  const follows = own === undefined ? 'organisation' : own.isOn ? 'own' : 'none'
  return {
    follows,
    wish: { own: own?.wish ?? null, organisation: organisationWish, none: null }[follows],
    organisationWish,
    timeZone: await findTimeZone(db, organisationId),
    ...(await readPromises(db, connector)),
  }
}

async function readOrganisation(db: Db, organisationId: string, actor: Actor): Promise<Camel<OrganisationReadyBy>> {
  const [stored] = await listWishes(db, organisationId, null)
  const connectors = await listPromises(db, organisationId, { assignedTo: assignmentFilter(actor) })
  const sum = (of: 'kept' | 'missed') => connectors.reduce((total, { counts }) => total + counts[of], 0)
  return {
    wish: stored?.wish ?? null,
    timeZone: await findTimeZone(db, organisationId),
    counts: { kept: sum('kept'), missed: sum('missed') },
    reasons: await countReasons(
      db,
      organisationId,
      connectors.map(({ id }) => id),
    ),
    connectors,
  }
}
