/**
 * Who is assigned to which products. It is the same as seeing the connector: whatever 'Manage users' says of a connector stands
 * here, and the other way round.
 */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { type ChangedNames, summariseForLog, describeChangedNames } from '../../kernel/text/added-and-removed.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { assign, isMember, lockAssignments, unassign } from './queries.ts'

/** A user and one of the products. */
interface UserProduct<ConnectorId> {
  readonly userId: string
  readonly connectorId: ConnectorId
}

/** Nothing changes where it is assigned already. */
export async function linkUser(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { userId, connectorId }: UserProduct<string>,
): Promise<void> {
  const products = await read(db, auditContext.organisationId, userId)
  requireKnown(products, [connectorId])
  await save(db, services, auditContext, { userId, products, wanted: assigned(products).add(connectorId) })
}

/** That one, or all of them. */
export async function unlinkUser(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { userId, connectorId }: UserProduct<string | undefined>,
): Promise<void> {
  const products = await read(db, auditContext.organisationId, userId)
  const wanted = connectorId === undefined ? new Set<string>() : assigned(products)
  if (connectorId !== undefined) {
    requireKnown(products, [connectorId])
    wanted.delete(connectorId)
  }
  await save(db, services, auditContext, { userId, products, wanted })
}

interface Whole {
  readonly userId: string
  readonly ids: readonly string[]
  /** What the editor showed. */
  readonly before?: { readonly ids: readonly string[] } | undefined
}

/** Answers the ids as they are now. */
export async function setUser(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { userId, ids, before }: Whole,
): Promise<string[]> {
  const products = await read(db, auditContext.organisationId, userId)
  if (before !== undefined) requireUnchanged(products, new Set(before.ids))
  requireKnown(products, ids)
  const wanted = new Set(ids)
  await save(db, services, auditContext, { userId, products, wanted })
  return [...wanted]
}

type Products = Awaited<ReturnType<typeof lockAssignments>>

async function read(db: Db, organisationId: string, userId: string): Promise<Products> {
  if (!(await isMember(db, organisationId, userId))) throw new ApiFault('notFound')
  return lockAssignments(db, organisationId, userId)
}

function assigned(products: Products): Set<string> {
  return new Set(products.filter(({ isAssigned }) => isAssigned).map(({ id }) => id))
}

function requireKnown(products: Products, ids: readonly string[]): void {
  if (ids.some((id) => !products.some((product) => product.id === id))) throw new ApiFault('notFound')
}

function requireUnchanged(products: Products, shown: ReadonlySet<string>): void {
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

interface Save {
  readonly userId: string
  readonly products: Products
  readonly wanted: ReadonlySet<string>
}

async function save(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { userId, products, wanted }: Save,
): Promise<void> {
  const { organisationId } = auditContext
  const added = products.filter(({ id, isAssigned }) => !isAssigned && wanted.has(id))
  const removed = products.filter(({ id, isAssigned }) => isAssigned && !wanted.has(id))
  if (added.length + removed.length === 0) return
  await assign(db, organisationId, { userId, connectorIds: added.map(({ id }) => id) })
  await unassign(db, organisationId, { userId, connectorIds: removed.map(({ id }) => id) })
  const names: ChangedNames = { added: added.map(({ name }) => name), removed: removed.map(({ name }) => name) }
  const detail = { links: 'accounting products of user', ...summariseForLog(names) }
  await audit.record(db, auditContext, {
    action: 'assignment.changed',
    outcome: 'success',
    object: { type: 'user', id: userId },
    detail,
  })
}
