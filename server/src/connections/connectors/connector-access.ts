/**
 * Who sees a connector: administrators see all of their organisation's connectors, other members those they are
 * assigned to.
 */
import { may } from '@tributary/contract/capabilities'
import type { Actor } from '../../kernel/http/actor.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { OrganisationRoute, RouteCall, RouteMount, RouteReply } from '../../kernel/http/bind.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

/** The member whose assignments limit the list, or null if the actor sees every connector. */
export function assignmentFilter(actor: Actor): string | null {
  return may(actor.roleLevel, 'editConnector') ? null : actor.userId
}

/** Whether the actor may read and change settings. A guest organisation never may. */
export function mayEditConnectors(actor: Actor): boolean {
  return may(actor.roleLevel, 'editConnector') && actor.isGuest !== true
}

/**
 * Throws `notFound` for a connector that does not exist, belongs to another organisation, or is not assigned to the
 * actor.
 */
export async function requireVisibleConnector(
  db: Db,
  actor: Actor,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<void> {
  const member = assignmentFilter(actor)
  await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .$if(member !== null, (query) =>
      query.where('id', 'in', (assigned) =>
        assigned
          .selectFrom('connectorUser')
          .select('connectorId')
          .where('userId', '=', member ?? ''),
      ),
    )
    .executeTakeFirstOrThrow(notFound)
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
