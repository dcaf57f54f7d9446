/**
 * Assigns users to products. An assignment is the right to see the connector: 'Manage users' of the connector edits the
 * same rows.
 */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { type ChangedNames, summariseForLog, describeChangedNames } from '../../kernel/text/added-and-removed.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isMember } from '../../identity/people/members.ts'
import { insertAssignments, lockAssignments, deleteAssignments } from './queries.ts'

/** A user and one of the products. */
interface UserProduct<ConnectorId> {
  readonly userId: string
  readonly connectorId: ConnectorId
}

/** Idempotent. */
export async function linkUser(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { userId, connectorId }: UserProduct<string>,
): Promise<void> {
  const products = await lockUserProducts(db, auditContext.organisationId, userId)
  requireKnown(products, [connectorId])
  await saveAssignments(db, services, auditContext, {
    userId,
    products,
    connectorIds: listAssignedIds(products).add(connectorId),
  })
}

/** Removes one assignment, or all of the user's if no connector is given. */
export async function unlinkUser(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { userId, connectorId }: UserProduct<string | undefined>,
): Promise<void> {
  const products = await lockUserProducts(db, auditContext.organisationId, userId)
  const connectorIds = connectorId === undefined ? new Set<string>() : listAssignedIds(products)
  if (connectorId !== undefined) {
    requireKnown(products, [connectorId])
    connectorIds.delete(connectorId)
  }
  await saveAssignments(db, services, auditContext, { userId, products, connectorIds })
}

interface UserProductSet {
  readonly userId: string
  readonly ids: readonly string[]
  /** The assignments that the editor showed, for optimistic locking. */
  readonly before?: { readonly ids: readonly string[] } | undefined
}

/** Replaces the user's assignments; returns the new ids. @throws `changedMeanwhile`. */
export async function setUserProducts(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { userId, ids, before }: UserProductSet,
): Promise<string[]> {
  const products = await lockUserProducts(db, auditContext.organisationId, userId)
  if (before !== undefined) requireUnchanged(products, new Set(before.ids))
  requireKnown(products, ids)
  const connectorIds = new Set(ids)
  await saveAssignments(db, services, auditContext, { userId, products, connectorIds })
  return [...connectorIds]
}

type AssignableProducts = Awaited<ReturnType<typeof lockAssignments>>

async function lockUserProducts(db: Db, organisationId: string, userId: string): Promise<AssignableProducts> {
  if (!(await isMember(db, organisationId, userId))) throw new ApiFault('notFound')
  return lockAssignments(db, organisationId, userId)
}

function listAssignedIds(products: AssignableProducts): Set<string> {
  return new Set(products.filter(({ isAssigned }) => isAssigned).map(({ id }) => id))
}

function requireKnown(products: AssignableProducts, ids: readonly string[]): void {
  if (ids.some((id) => !products.some((product) => product.id === id))) throw new ApiFault('notFound')
}

function requireUnchanged(products: AssignableProducts, shown: ReadonlySet<string>): void {
  const known = new Set(products.map(({ id }) => id))
  const change = describeChangedNames({
    added: products.filter(({ id, isAssigned }) => isAssigned && !shown.has(id)).map(({ name }) => name),
    removed: [
      ...products.filter(({ id, isAssigned }) => !isAssigned && shown.has(id)).map(({ name }) => name),
      ...[...shown].filter((id) => !known.has(id)).map(() => 'one that was deleted'),
    ],
  })
  if (change !== '') throw new ApiFault('changedMeanwhile', { values: { change } })
}

interface AssignmentUpdate {
  readonly userId: string
  readonly products: AssignableProducts
  readonly connectorIds: ReadonlySet<string>
}

async function saveAssignments(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { userId, products, connectorIds }: AssignmentUpdate,
): Promise<void> {
  const { organisationId } = auditContext
  const added = products.filter(({ id, isAssigned }) => !isAssigned && connectorIds.has(id))
  const removed = products.filter(({ id, isAssigned }) => isAssigned && !connectorIds.has(id))
  if (added.length + removed.length === 0) return
  await insertAssignments(db, organisationId, { userId, connectorIds: added.map(({ id }) => id) })
  await deleteAssignments(db, organisationId, { userId, connectorIds: removed.map(({ id }) => id) })
  const names: ChangedNames = { added: added.map(({ name }) => name), removed: removed.map(({ name }) => name) }
  const detail = { links: 'accounting products of user', ...summariseForLog(names) }
  await audit.record(db, auditContext, { action: 'assignment.changed', object: { type: 'user', id: userId }, detail })
}
