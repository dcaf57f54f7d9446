/** Sharing a connector: which other organisations see and run it, and what is shared with one. */
import type { Connector, SharedWith } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { assignedTo } from '../../connections/connectors/connector-access.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { guestsAmongEverywhere, listGuests, ownersOfShared, replaceGuests, selectConnectors } from './queries.ts'
import { record, requireLocked } from './save-connector.ts'
import { shownToGuest } from './replies.ts'

/**
 * The connectors that others share with the organisation, for its administrators; each owner's are read in that
 * organisation, so that row level security stands between the two.
 */
export async function listShared(
  store: Store,
  organisationId: string,
  { actor, type }: { readonly actor: Actor; readonly type?: string | undefined },
): Promise<Camel<Connector>[]> {
  if (assignedTo(actor) !== null) return []
  const owners = await store.within(organisationId, (db) => ownersOfShared(db, organisationId))
  const shared: Camel<Connector>[] = []
  for (const [ownerId, ids] of owners) {
    const rows = await store.within(ownerId, (db) =>
      selectConnectors(db, ownerId, { assignedTo: null, type, among: ids }).execute(),
    )
    shared.push(...rows.map(shownToGuest))
  }
  return shared
}

/** Replaces the former list. `db` is a transaction across. */
export async function shareConnector(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { connectorId, wished }: { readonly connectorId: string; readonly wished: readonly string[] },
): Promise<Camel<SharedWith>[]> {
  const { organisationId } = auditContext
  await requireLocked(db, organisationId, connectorId)
  if (wished.includes(organisationId))
    throw badField(
      'organisations',
      'has the connector’s own organisation in it, which has the connector already; leave it out',
    )
  const guests = new Set(wished)
  const known = await guestsAmongEverywhere(db, [...guests])
  if (known.length < guests.size)
    throw badField('organisations', 'has one in it that does not exist or is archived; choose others')
  const former = await listGuests(db, organisationId, connectorId)
  await replaceGuests(db, organisationId, connectorId, [...guests])
  await record(db, services, auditContext, {
    connectorId,
    action: 'connector.organisations_assigned',
    detail: { before: former.map(({ id }) => id), after: [...guests] },
  })
  return listGuests(db, organisationId, connectorId)
}
