/** The overview of an organisation's connectors. */
import { getCompanyName } from '../../identity/people/organisations.ts'
import { may } from '@tributary/contract/capabilities'
import { overviewDays } from '@tributary/contract/limits'
import { connectorStates, overview, type OverviewConnector, type OverviewIncident } from '@tributary/contract/overview'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import {
  assignmentFilter,
  type ConnectorVisibility,
  listSharedIds,
} from '../../connections/connectors/connector-access.ts'
import { resolveTimeZone } from '../../identity/people/organisations.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { type CalendarDay, listRecentDays } from '../../kernel/zoned-time.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { listChecklists, setDismissed } from './checklists.ts'
import { listAdministrators, listConnectorHealth, listDayOutcomes, listOpenIncidents, sumPromises } from './queries.ts'
import {
  compareIncidents,
  toAdministrator,
  toIncident,
  toOverviewConnector,
  toSharedConnector,
  toSharedIncident,
} from './replies.ts'

export function overviewRoutes(app: AppRoutes): void {
  const { audit, clock } = app.services

  app.bind(overview.read, async ({ store, organisationId, actor, query }) => {
    const now = new Date(clock.now())
    const zone = await store.within(organisationId, (db) => resolveTimeZone(db, organisationId, query.timeZone))
    const caller = { actor, now, days: listRecentDays(zone, now, overviewDays) }
    const own = await store.within(organisationId, (db) => readOwn(db, organisationId, caller))
    const shared = await readShared(store, organisationId, caller)
    return {
      ...own,
      connectors: [...own.connectors, ...shared.connectors].toSorted(compareUrgency),
      incidents: [...own.incidents, ...shared.incidents].toSorted(compareIncidents),
    }
  })

  app.bindWithin(overview.dismissChecklist, async (db, { organisationId, auditContext, body }) => {
    if (await setDismissed(db, organisationId, body))
      await audit.record(db, auditContext, { action: 'organisation.updated', detail: { fields: ['checklists'] } })
  })
}

interface ConnectorsAndIncidents {
  readonly connectors: readonly Camel<OverviewConnector>[]
  readonly incidents: readonly Camel<OverviewIncident>[]
}

interface OverviewCaller {
  readonly actor: Actor
  readonly now: Date
  /** Of the caller's calendar. */
  readonly days: readonly CalendarDay[]
}

async function readOwn(db: Db, organisationId: string, caller: OverviewCaller) {
  const { actor } = caller
  const visible = {
    assignedTo: assignmentFilter(actor),
    withActions: may(actor.roleLevel, 'editPublicationActions'),
  }
  const seen = await readConnectors(db, organisationId, visible, caller)
  const mustAsk = seen.connectors.length === 0 && !may(actor.roleLevel, 'addConnector')
  const administrators = mustAsk ? await listAdministrators(db, organisationId) : []
  const ids = seen.connectors.map(({ id }) => id)
  return {
    ...seen,
    promises: await sumPromises(db, organisationId, ids),
    administrators: administrators.map((person) => toAdministrator(person, actor)),
    checklists: await listChecklists(db, organisationId, actor),
  }
}

async function readConnectors(
  db: Db,
  organisationId: string,
  visible: ConnectorVisibility & { readonly withActions: boolean },
  { now, days }: OverviewCaller,
): Promise<ConnectorsAndIncidents> {
  const rows = await listConnectorHealth(db, organisationId, visible, now)
  const connectorIds = rows.map(({ id }) => id)
  const outcomes = await listDayOutcomes(db, organisationId, { connectorIds, days })
  const incidents = await listOpenIncidents(db, organisationId, { connectorIds, withActions: visible.withActions })
  const daysById = new Map(outcomes.map((one) => [one.connectorId, one]))
  return {
    connectors: rows.map((row) => toOverviewConnector(row, daysById.get(row.id))),
    incidents: incidents.map(toIncident),
  }
}

/** What administrators see of the connectors that other organisations share with theirs. */
async function readShared(
  store: Store,
  organisationId: string,
  caller: OverviewCaller,
): Promise<ConnectorsAndIncidents> {
  const connectors: Camel<OverviewConnector>[] = []
  const incidents: Camel<OverviewIncident>[] = []
  for (const [ownerId, among] of await listSharedIds(store, organisationId, caller.actor)) {
    const { owner, shared } = await store.within(ownerId, async (db) => ({
      owner: await getCompanyName(db, ownerId),
      shared: await readConnectors(db, ownerId, { assignedTo: null, among, withActions: false }, caller),
    }))
    connectors.push(...shared.connectors.map((connector) => toSharedConnector(connector, owner)))
    incidents.push(...shared.incidents.map(toSharedIncident))
  }
  return { connectors, incidents }
}

/** Those that need help first, then by name. */
function compareUrgency(one: Camel<OverviewConnector>, other: Camel<OverviewConnector>): number {
  return (
    connectorStates.indexOf(one.state) - connectorStates.indexOf(other.state) || byName.compare(one.name, other.name)
  )
}

const byName = new Intl.Collator('und', { sensitivity: 'base' })
