/** Saving links: whatever is asked for, what is stored is held, compared with what is wanted, and changed in one step. */
import type { LinkedRecords, LinkReplacement } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import {
  type ChangedNames,
  summariseForLog,
  loggedMax,
  describeChangedNames,
} from '../../kernel/text/added-and-removed.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { deleteLinks, insertLinks, listOthers, lockOne, type Other, setAll } from './queries.ts'
import type { LinkView } from './link-views.ts'

/** One side's links as they are stored. */
interface Stored {
  readonly id: string
  readonly hasAll: boolean
  /** Everything that there is on the other side. */
  readonly others: readonly Other[]
}
interface Wanted {
  readonly hasAll: boolean
  readonly ids: ReadonlySet<string>
}

/** Throws `notFound`, `changedMeanwhile`, and `badInput` for what cannot be unlinked from this side. */
export async function replaceLinks(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id, whole }: ViewedRecord & { readonly whole: LinkReplacement },
): Promise<Camel<LinkedRecords>> {
  const { allCurrentAndFuture: hasAll = false, before } = whole
  if (hasAll && view.one.allColumn === null)
    throw badField('allCurrentAndFuture', `is not for ${view.other.words}; name each of them`)
  const stored = await read(db, auditContext.organisationId, view, id)
  if (before !== undefined) requireUnchanged(stored, before)
  // With all of them chosen the single ones count for nothing, but what is another's is not taken without a word.
  requireKnown(stored, whole.ids)
  const ids = hasAll ? new Set<string>() : wantedIds(view, stored, whole)
  return save(db, services, auditContext, { view, stored, wanted: { hasAll, ids } })
}

function wantedIds(view: LinkView, { others }: Stored, whole: LinkReplacement): Set<string> {
  const ids = new Set(whole.ids)
  const held = others.find((other) => other.hasAll && !other.isArchived && !ids.has(other.id))
  if (held !== undefined) throw heldByOther(view, held, 'ids')
  // What the other side has by its flag is linked without a word of ours, and stays so when all else is said anew.
  for (const { id, hasAll, isLinked } of others) if (hasAll && !isLinked) ids.delete(id)
  if (whole.before === undefined) return ids

  // An archived one that nobody was shown keeps its link for the day when it comes back.
  const shown = new Set(whole.before.ids)
  const unseen = others.filter(({ id, isLinked, isArchived }) => isLinked && isArchived && !shown.has(id))
  return new Set([...ids, ...unseen.map(({ id }) => id)])
}

/** Nothing changes where it is linked already. */
export async function addLink(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id, otherId }: OneLink,
): Promise<void> {
  const stored = await read(db, auditContext.organisationId, view, id)
  await save(db, services, auditContext, {
    view,
    stored,
    wanted: { hasAll: stored.hasAll, ids: linkedIds(stored).add(otherId) },
  })
}

/** All current and future ones. Those that were linked one by one stay so, too. */
export async function addAll(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id }: ViewedRecord,
): Promise<void> {
  const stored = await read(db, auditContext.organisationId, view, id)
  await save(db, services, auditContext, { view, stored, wanted: { hasAll: true, ids: linkedIds(stored) } })
}

/** Nothing changes where it is not linked; throws `badInput` where the link is one of all current and future ones. */
export async function removeLink(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id, otherId }: OneLink,
): Promise<void> {
  const stored = await read(db, auditContext.organisationId, view, id)
  const other = stored.others.find((one) => one.id === otherId)
  if (other === undefined) throw new ApiFault('notFound')
  if (stored.hasAll) {
    const sentence = `is one of all ${view.other.words}, current and future, which were chosen; choose single ones instead`
    throw badField(view.other.idColumn, sentence)
  }
  if (other.hasAll) throw heldByOther(view, other, view.other.idColumn)
  const ids = linkedIds(stored)
  ids.delete(otherId)
  await save(db, services, auditContext, { view, stored, wanted: { hasAll: false, ids } })
}

/** What the other side has by its own 'all current and future' is the other side's, and stays. */
export async function removeAll(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id }: ViewedRecord,
): Promise<void> {
  const stored = await read(db, auditContext.organisationId, view, id)
  await save(db, services, auditContext, { view, stored, wanted: { hasAll: false, ids: new Set() } })
}

/** No longer all current and future ones; those that were linked one by one stay. */
export async function removeFlag(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, id }: ViewedRecord,
): Promise<void> {
  const stored = await read(db, auditContext.organisationId, view, id)
  await save(db, services, auditContext, { view, stored, wanted: { hasAll: false, ids: linkedIds(stored) } })
}

/** A record and the kind of its links. */
export interface ViewedRecord {
  readonly view: LinkView
  readonly id: string
}

export interface OneLink extends ViewedRecord {
  readonly otherId: string
}

async function read(db: Db, organisationId: string, view: LinkView, id: string): Promise<Stored> {
  const one = await lockOne(db, organisationId, view, id)
  if (one === undefined) throw new ApiFault('notFound')
  return { id, hasAll: one.hasAll, others: await listOthers(db, organisationId, view, id) }
}

function linkedIds({ others }: Stored): Set<string> {
  return new Set(others.filter(({ isLinked }) => isLinked).map(({ id }) => id))
}

/** What is linked as people see it: by either flag, too, but nothing archived. */
function effective({ hasAll, others }: Stored): Other[] {
  return others.filter((other) => !other.isArchived && (hasAll || other.hasAll || other.isLinked))
}

function requireUnchanged(stored: Stored, before: NonNullable<LinkReplacement['before']>): void {
  const hadAll = before.allCurrentAndFuture ?? false
  const change =
    stored.hasAll === hadAll
      ? hadAll
        ? ''
        : describeChangedNames(since(stored, before.ids))
      : describeChangedNames(sinceFlag(stored))
  if (change !== '') throw new ApiFault('changedMeanwhile', { values: { change } })
}

function sinceFlag({ hasAll }: Stored): ChangedNames {
  const flag = ['all current and future']
  return hasAll ? { added: flag, removed: [] } : { added: [], removed: flag }
}

function since(stored: Stored, ids: readonly string[]): ChangedNames {
  const [shown, now] = [new Set(ids), new Set(effective(stored).map(({ id }) => id))]
  const known = new Set(stored.others.map(({ id }) => id))
  return {
    added: stored.others.filter(({ id }) => now.has(id) && !shown.has(id)).map(({ name }) => name),
    removed: [
      ...stored.others
        .filter(({ id, isArchived }) => shown.has(id) && !now.has(id) && !isArchived)
        .map(({ name }) => name),
      ...ids.filter((id) => !known.has(id)).map(() => 'one that was deleted'),
    ],
  }
}

interface Save {
  readonly view: LinkView
  readonly stored: Stored
  readonly wanted: Wanted
}

async function save(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { view, stored, wanted }: Save,
): Promise<Camel<LinkedRecords>> {
  const { organisationId } = auditContext
  requireKnown(stored, [...wanted.ids])
  const others = stored.others.map((other) => ({ ...other, isLinked: wanted.ids.has(other.id) }))
  const after = { id: stored.id, hasAll: wanted.hasAll, others }
  const added = others.filter((other, at) => other.isLinked && stored.others[at]?.isLinked === false)
  const removed = others.filter((other, at) => !other.isLinked && stored.others[at]?.isLinked === true)
  if (wanted.hasAll !== stored.hasAll) await setAll(db, organisationId, view, after)
  if (removed.length > 0)
    await deleteLinks(db, organisationId, view, { id: stored.id, ids: removed.map(({ id }) => id) })
  if (added.length > 0) await insertLinks(db, organisationId, view, { id: stored.id, ids: added.map(({ id }) => id) })
  const names = { added: added.map(({ name }) => name), removed: removed.map(({ name }) => name) }
  await record(db, services, auditContext, { view, stored, after, names, added, removed })
  return { ids: effective(after).map(({ id }) => id), allCurrentAndFuture: after.hasAll }
}

function requireKnown({ others }: Stored, ids: readonly string[]): void {
  const known = new Set(others.map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) throw new ApiFault('notFound')
}

interface Saved {
  readonly view: LinkView
  readonly stored: Stored
  readonly after: Stored
  readonly names: ChangedNames
  readonly added: readonly Other[]
  readonly removed: readonly Other[]
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  saved: Saved,
): Promise<void> {
  const { view, stored, after, names } = saved
  if (stored.hasAll === after.hasAll && names.added.length + names.removed.length === 0) return
  const action = view.table === 'areaSubarea' ? 'structure.links_changed' : 'assignment.changed'
  const type = view.one.table === 'membership' ? 'user' : view.one.table
  const detail = {
    links: view.name,
    before: { allCurrentAndFuture: stored.hasAll },
    after: { allCurrentAndFuture: after.hasAll },
    ...summariseForLog(names),
    ...(view.other.table === 'membership' && loggedPeople(saved)),
  }
  await audit.record(db, auditContext, {
    action,
    outcome: 'success',
    object: { type, id: stored.id },
    detail,
  })
}

/** People by their ids, too: their names go with them once they are erased. */
function loggedPeople({ added, removed }: Saved): object {
  const idsOf = (others: readonly Other[]) => others.slice(0, loggedMax).map(({ id }) => id)
  return { addedIds: idsOf(added), removedIds: idsOf(removed) }
}

function heldByOther({ one }: LinkView, { name }: Other, field: string): ApiFault {
  return badField(
    field,
    `cannot leave out ${name}, which belongs to all ${one.words}, current and future; change that at ${name} first`,
  )
}
