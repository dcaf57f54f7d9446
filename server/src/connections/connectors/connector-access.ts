/**
 * Who sees a connector: administrators see all of their organisation's connectors, other members those they are
 * assigned to.
 */
import { may } from '@tributary/contract/capabilities'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'

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
  organisationId: string,
  actor: Actor,
  connectorId: string,
): Promise<void> {
  const member = assignmentFilter(actor)
  const found = await db
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
    .executeTakeFirst()
  if (found === undefined) throw new ApiFault('notFound')
}
