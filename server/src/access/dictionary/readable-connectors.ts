/** Which connectors' tables a person may see in the dictionary: the same as they may read. */
import { assignmentFilter, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorChoice } from './queries.ts'

/** Administrators read every table, other people those of the connectors that they are assigned to. */
export async function listReadableConnectors(db: Db, organisationId: string, actor: Actor): Promise<ConnectorChoice> {
  const assignedTo = assignmentFilter(actor)
  if (assignedTo === null) return 'all'
  const rows = await selectVisibleConnectors(db, organisationId, { assignedTo }).select('connector.id').execute()
  return rows.map(({ id }) => id)
}
