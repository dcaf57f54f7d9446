/** Who sees a connector: administrators all of their organisation's, others those they are assigned to. */
import { may } from '@tributary/contract/capabilities'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Null: all of them. Else the member whose assignments decide. */
export function assignmentFilter(actor: Actor): string | null {
  return may(actor.roleLevel, 'editConnector') ? null : actor.userId
}

/** Whether this person may read and change settings. Whoever a connector is shared with never may. */
export function mayEdit(actor: Actor): boolean {
  return may(actor.roleLevel, 'editConnector') && actor.isGuest !== true
}

/** Throws `notFound` for a connector that is not there, not this organisation's, or not for this person's eyes. */
export async function requireVisible(db: Db, organisationId: string, actor: Actor, connectorId: string): Promise<void> {
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
