/**
 * Who sees a connector: administrators see all of their organisation's connectors, other members those they are
 * assigned to.
 */
import { may } from '@tributary/contract/capabilities'
import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../kernel/http/actor.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { OrganisationRoute, RouteCall, RouteMount, RouteReply } from '../../kernel/http/bind.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

/** The member whose assignments limit the list, or null if the actor sees every connector. */
export function assignmentFilter(actor: Actor): string | null {
  return may(actor.roleLevel, 'editConnector') ? null : actor.userId
}

/** Whether the actor may read and change settings. A guest organisation never may. */
export function mayEditConnectors(actor: Actor): boolean {
  return may(actor.roleLevel, 'editConnector') && actor.isGuest !== true
}

export interface ConnectorVisibility {
  /** Only connectors that this user is assigned to; null for all. */
  readonly assignedTo: string | null
  /** Only these ids, and only while the organisation is not archived; used for shared connectors. */
  readonly among?: readonly string[]
}

/** The connectors that a caller sees, each with its organisation. Includes deleted ones for their history. */
export function selectVisibleConnectors(db: Db, organisationId: string, { assignedTo, among }: ConnectorVisibility) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .where('connector.organisationId', '=', organisationId)
    .$if(among !== undefined, (query) =>
      query.where('connector.id', '=', sql<string>`ANY (${among ?? []})`).where('organisation.archivedAt', 'is', null),
    )
    .$if(assignedTo !== null, (query) =>
      query.where(
        sql<SqlBool>`EXISTS (SELECT FROM connectorUser WHERE connectorId = connector.id AND userId = ${assignedTo})`,
      ),
    )
}

/**
 * Ids of the connectors that other organisations share with this one, by owner, for its administrators. Read each
 * owner's connectors within that organisation, so that row-level security applies.
 */
export async function listSharedIds(
  store: Store,
  organisationId: string,
  actor: Actor,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (assignmentFilter(actor) !== null) return new Map()
  const rows = await store.within(organisationId, (db) =>
    db
      .selectFrom('connectorShare')
      .selectAll()
      .where('guestId', '=', organisationId)
      .orderBy('organisationId')
      .execute(),
  )
  const owners = Map.groupBy(rows, (row) => row.organisationId)
  return new Map([...owners].map(([ownerId, shares]) => [ownerId, shares.map(({ connectorId }) => connectorId)]))
}

/**
 * Throws `notFound` for a connector that does not exist, belongs to another organisation, or is not assigned to the
 * actor.
 */
export async function requireVisibleConnector(db: Db, actor: Actor, connector: ConnectorLocation): Promise<void> {
  if (!(await isVisibleConnector(db, actor, connector))) throw notFound()
}

/** Whether the actor sees the whole connector. */
export async function isVisibleConnector(
  db: Db,
  actor: Actor,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<boolean> {
  const found = await selectVisibleConnectors(db, organisationId, { assignedTo: assignmentFilter(actor) })
    .select('connector.id')
    .where('connector.id', '=', connectorId)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Binds a route of the connector in the path. Callers who may not see the connector get `notFound`. Runs the handler in
 * one transaction.
 */
export function bindVisibleConnector<const R extends ConnectorRoute>(
  app: RouteMount,
  route: R,
  handler: (db: Db, connector: ConnectorLocation, call: RouteCall<R>) => Promise<RouteReply<R>>,
): void {
  app.bindWithin(route, async (db, call) => {
    const { organisationId, actor, params } = call as unknown as ConnectorCall
    const connector = { organisationId, connectorId: params.connectorId }
    await requireVisibleConnector(db, actor, connector)
    return handler(db, connector, call)
  })
}

type ConnectorRoute = OrganisationRoute & { readonly params: { readonly shape: { readonly connectorId: unknown } } }

interface ConnectorCall {
  readonly organisationId: string
  readonly actor: Actor
  readonly params: { readonly connectorId: string }
}
