/** Saves, changes, shares and deletes queries. What concerns shared ones is in the audit log. */
import type { SavedQuery, SavedQueryInput } from '@tributary/contract/queries'
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { warehouseId } from './database-ids.ts'
import {
  deleteSavedQuery,
  getSavedQuery,
  insertSavedQuery,
  listOwnConnectors,
  requireRoomForQuery,
  type SavedQueryColumns,
  updateSavedQuery,
} from './queries.ts'

type SavedQueryServices = Pick<AppServices, 'audit'>

export async function saveQuery(
  db: Db,
  services: SavedQueryServices,
  auditContext: CallerContext,
  input: SavedQueryInput,
): Promise<Camel<SavedQuery>> {
  const { organisationId, actor } = auditContext
  await requireRoomForQuery(db, organisationId, actor.userId)
  const columns = await toColumns(db, organisationId, input)
  const queryId = await insertSavedQuery(db, organisationId, { ...columns, userId: actor.userId })
  if (input.isShared) await record(db, services, auditContext, { action: 'query.shared', queryId, name: input.name })
  return getSavedQuery(db, organisationId, actor, queryId)
}

/** Throws `notAllowed` if the query is another person's. */
export async function changeQuery(
  db: Db,
  services: SavedQueryServices,
  auditContext: CallerContext,
  { queryId, input }: { readonly queryId: string; readonly input: SavedQueryInput },
): Promise<Camel<SavedQuery>> {
  const { organisationId, actor } = auditContext
  const former = await getSavedQuery(db, organisationId, actor, queryId)
  if (!former.isOwn) throw new ApiFault('notAllowed')
  await updateSavedQuery(db, organisationId, queryId, await toColumns(db, organisationId, input))
  const action = changeAction(former.isShared, input.isShared)
  if (action !== null) await record(db, services, auditContext, { action, queryId, name: input.name })
  return getSavedQuery(db, organisationId, actor, queryId)
}

/** Null: the query is the person's own matter. */
function changeAction(wasShared: boolean, isShared: boolean): AuditAction | null {
  if (wasShared) return isShared ? 'query.updated' : 'query.unshared'
  return isShared ? 'query.shared' : null
}

export async function removeQuery(
  db: Db,
  services: SavedQueryServices,
  auditContext: CallerContext,
  queryId: string,
): Promise<void> {
  const { organisationId, actor } = auditContext
  const { name, isShared, mayDelete } = await getSavedQuery(db, organisationId, actor, queryId)
  if (!mayDelete) throw new ApiFault('notAllowed')
  await deleteSavedQuery(db, organisationId, queryId)
  if (isShared) await record(db, services, auditContext, { action: 'query.deleted', queryId, name })
}

/** Throws `badInput` for a connector that the organisation does not have. */
async function toColumns(db: Db, organisationId: string, input: SavedQueryInput): Promise<SavedQueryColumns> {
  const { database, chart, name, statement, isShared } = input
  const connectorId = database === warehouseId ? null : database
  if (connectorId !== null && !(await listOwnConnectors(db, organisationId)).some(({ id }) => id === connectorId))
    throw badField('database', 'must be the warehouse or a connector of the organisation')
  return { name, statement, isShared, connectorId, chart: chart === null ? null : JSON.stringify(chart) }
}

async function record(
  db: Db,
  { audit }: SavedQueryServices,
  auditContext: CallerContext,
  { action, queryId, name }: { readonly action: AuditAction; readonly queryId: string; readonly name: string },
): Promise<void> {
  await audit.record(db, auditContext, {
    action,
    object: { type: 'saved_query', id: queryId },
    detail: { after: { name } },
  })
}
