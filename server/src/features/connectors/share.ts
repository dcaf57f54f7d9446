/** Shares connectors with other organisations, which can see and run them. */
import type { Connector, SharedWith } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { listSharedIds } from '../../connections/connectors/connector-access.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import { listConnectors } from './queries.ts'
import { filterActiveOrganisations, listGuests, replaceGuests } from './share-queries.ts'
import { recordConnectorEvent } from './save-connector.ts'
import { toGuestConnector } from './replies.ts'

/** The connectors that are shared with the organisation, for its administrators. */
export async function listShared(
  store: Store,
  organisationId: string,
  { actor, ...filter }: { readonly actor: Actor; readonly type?: string | undefined; readonly now: Date },
): Promise<Camel<Connector>[]> {
  const shared: Camel<Connector>[] = []
  for (const [ownerId, ids] of await listSharedIds(store, organisationId, actor)) {
    const rows = await store.within(ownerId, (db) =>
      listConnectors(db, ownerId, { assignedTo: null, among: ids, ...filter }),
    )
    shared.push(...rows.map(toGuestConnector))
  }
  return shared
}

/** Replaces the list of guests. @param db a transaction across organisations */
export async function shareConnector(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { connectorId, requested }: { readonly connectorId: string; readonly requested: readonly string[] },
): Promise<Camel<SharedWith>[]> {
  const { organisationId } = auditContext
  const connector = { organisationId, connectorId }
  await lockUndeletedConnector(db, connector)
  if (requested.includes(organisationId))
    throw badField('organisations', 'contains the connector’s own organisation; remove it')
  const guests = new Set(requested)
  const known = await filterActiveOrganisations(db, [...guests])
  if (known.length < guests.size)
    throw badField('organisations', 'contains an organisation that does not exist or is archived; remove it')
  const former = await listGuests(db, connector)
  await replaceGuests(db, connector, [...guests])
  await recordConnectorEvent(db, services, auditContext, {
    connectorId,
    action: 'connector.organisations_assigned',
    detail: { before: former.map(({ id }) => id), after: [...guests] },
  })
  return listGuests(db, connector)
}
