/** Saves links. Every change locks the stored links, compares them with the desired ones and applies the difference atomically. */
import type { LinkedRecords, LinkReplacement } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import {
  type ChangedNames,
  summariseForLog,
  loggedMax,
  describeChangedNames,
} from '../../kernel/text/added-and-removed.ts'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { deleteLinks, insertLinks, listCandidates, lockRecord, type LinkCandidate, setAllFlag } from './queries.ts'
import type { LinkView } from './link-views.ts'

/** The stored links of one record. */
interface StoredLinks {
  readonly id: string
  readonly hasAll: boolean
  /** All records of the other side, linked or not. */
  readonly candidates: readonly LinkCandidate[]
}
interface DesiredLinks {
  readonly hasAll: boolean
  readonly ids: ReadonlySet<string>
}

/** Computes the links that a record has after an edit. */
export type LinkEdit = (stored: StoredLinks, view: LinkView) => DesiredLinks

interface LinkChange {
  readonly view: LinkView
  readonly id: string
  readonly edit: LinkEdit
}

/** Throws `notFound`, and the faults of the edit. */
export async function editLinks(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { view, id, edit }: LinkChange,
): Promise<Camel<LinkedRecords>> {
  const stored = await readLinks(db, auditContext.organisationId, view, id)
  return applyLinks(db, services, auditContext, { view, stored, desired: edit(stored, view) })
}

/** Replaces all links. Throws `notFound`, `changedMeanwhile`, and `badInput` if a link cannot be removed from this side. */
export function replaceLinks(replacement: LinkReplacement): LinkEdit {
  const { allCurrentAndFuture: hasAll = false, before } = replacement
  return (stored, view) => {
    if (hasAll && view.one.allColumn === null)
      throw badField('allCurrentAndFuture', `is not available for ${view.other.pluralNoun}; choose each of them`)
    if (before !== undefined) requireUnchanged(stored, before)
    // If all are chosen the single ids are ignored, but ids of another organisation are still refused.
    requireKnown(stored, replacement.ids)
    return { hasAll, ids: hasAll ? new Set() : desiredIds(view, stored, replacement) }
  }
}

function desiredIds(view: LinkView, { candidates }: StoredLinks, replacement: LinkReplacement): Set<string> {
  const ids = new Set(replacement.ids)
  const heldLink = candidates.find((other) => other.hasAll && !other.isArchived && !ids.has(other.id))
  if (heldLink !== undefined) throw linkedByOtherFault(view, heldLink, 'ids')
  // A record that is linked by its own flag needs no single link.
  for (const { id, hasAll, isLinked } of candidates) if (hasAll && !isLinked) ids.delete(id)
  if (replacement.before === undefined) return ids

  // Archived records are not shown, so they keep their links until they are restored.
  const shown = new Set(replacement.before.ids)
  const unseen = candidates.filter(({ id, isLinked, isArchived }) => isLinked && isArchived && !shown.has(id))
  return new Set([...ids, ...unseen.map(({ id }) => id)])
}

/** Idempotent. */
export function addLink(otherId: string): LinkEdit {
  return (stored) => ({ hasAll: stored.hasAll, ids: linkedIds(stored).add(otherId) })
}

/** Idempotent. Throws `badInput` if the record is linked to all current and future ones. */
export function removeLink(otherId: string): LinkEdit {
  return (stored, view) => {
    const other = requireFound(stored.candidates.find((one) => one.id === otherId))
    if (stored.hasAll) {
      const sentence = `is linked because all ${view.other.pluralNoun}, current and future, are chosen; choose single ones instead`
      throw badField(view.other.idColumn, sentence)
    }
    if (other.hasAll) throw linkedByOtherFault(view, other, view.other.idColumn)
    const ids = linkedIds(stored)
    ids.delete(otherId)
    return { hasAll: false, ids }
  }
}

/** Removes all links of the record. Keeps links by the 'all current and future' of other records. */
export const removeAllLinks: LinkEdit = () => ({ hasAll: false, ids: new Set() })

/** Links the record to all current and future ones. Keeps its single links. */
export const addAllFlag: LinkEdit = (stored) => ({ hasAll: true, ids: linkedIds(stored) })

/** Removes the choice of all current and future ones. Keeps single links. */
export const removeAllFlag: LinkEdit = (stored) => ({ hasAll: false, ids: linkedIds(stored) })

async function readLinks(db: Db, organisationId: string, view: LinkView, id: string): Promise<StoredLinks> {
  const one = requireFound(await lockRecord(db, organisationId, view, id))
  return { id, hasAll: one.hasAll, candidates: await listCandidates(db, organisationId, view, id) }
}

function linkedIds({ candidates }: StoredLinks): Set<string> {
  return new Set(candidates.filter(({ isLinked }) => isLinked).map(({ id }) => id))
}

/** The linked records as people see them: including links by a flag of either side, without archived records. */
function listEffective({ hasAll, candidates }: StoredLinks): LinkCandidate[] {
  return candidates.filter((other) => !other.isArchived && (hasAll || other.hasAll || other.isLinked))
}

function requireUnchanged(stored: StoredLinks, before: NonNullable<LinkReplacement['before']>): void {
  const hadAll = before.allCurrentAndFuture ?? false
  const change =
    stored.hasAll === hadAll
      ? hadAll
        ? ''
        : describeChangedNames(changesSince(stored, before.ids))
      : describeChangedNames(flagChange(stored))
  if (change !== '') throw new ApiFault('changedMeanwhile', { values: { change } })
}

function flagChange({ hasAll }: StoredLinks): ChangedNames {
  const flag = ['all current and future']
  return hasAll ? { added: flag, removed: [] } : { added: [], removed: flag }
}

function changesSince(stored: StoredLinks, ids: readonly string[]): ChangedNames {
  const [shown, now] = [new Set(ids), new Set(listEffective(stored).map(({ id }) => id))]
  const known = new Set(stored.candidates.map(({ id }) => id))
  return {
    added: stored.candidates.filter(({ id }) => now.has(id) && !shown.has(id)).map(({ name }) => name),
    removed: [
      ...stored.candidates
        .filter(({ id, isArchived }) => shown.has(id) && !now.has(id) && !isArchived)
        .map(({ name }) => name),
      ...ids.filter((id) => !known.has(id)).map(() => 'one that was deleted'),
    ],
  }
}

interface LinkUpdate {
  readonly view: LinkView
  readonly stored: StoredLinks
  readonly desired: DesiredLinks
}

async function applyLinks(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { view, stored, desired }: LinkUpdate,
): Promise<Camel<LinkedRecords>> {
  const { organisationId } = auditContext
  requireKnown(stored, [...desired.ids])
  const candidates = stored.candidates.map((other) => ({ ...other, isLinked: desired.ids.has(other.id) }))
  const after = { id: stored.id, hasAll: desired.hasAll, candidates }
  const added = candidates.filter((other, at) => other.isLinked && stored.candidates[at]?.isLinked === false)
  const removed = candidates.filter((other, at) => !other.isLinked && stored.candidates[at]?.isLinked === true)
  if (desired.hasAll !== stored.hasAll) await setAllFlag(db, organisationId, view, after)
  if (removed.length > 0)
    await deleteLinks(db, organisationId, view, { id: stored.id, ids: removed.map(({ id }) => id) })
  if (added.length > 0) await insertLinks(db, organisationId, view, { id: stored.id, ids: added.map(({ id }) => id) })
  const names = { added: added.map(({ name }) => name), removed: removed.map(({ name }) => name) }
  await auditChange(db, services, auditContext, { view, stored, after, names, added, removed })
  return { ids: listEffective(after).map(({ id }) => id), allCurrentAndFuture: after.hasAll }
}

function requireKnown({ candidates }: StoredLinks, ids: readonly string[]): void {
  const known = new Set(candidates.map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) throw new ApiFault('notFound')
}

interface AppliedLinkChange {
  readonly view: LinkView
  readonly stored: StoredLinks
  readonly after: StoredLinks
  readonly names: ChangedNames
  readonly added: readonly LinkCandidate[]
  readonly removed: readonly LinkCandidate[]
}

async function auditChange(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  change: AppliedLinkChange,
): Promise<void> {
  const { view, stored, after, names } = change
  if (stored.hasAll === after.hasAll && names.added.length + names.removed.length === 0) return
  const action = view.table === 'areaSubarea' ? 'structure.links_changed' : 'assignment.changed'
  const type = view.one.table === 'membership' ? 'user' : view.one.table
  const detail = {
    links: view.name,
    before: { allCurrentAndFuture: stored.hasAll },
    after: { allCurrentAndFuture: after.hasAll },
    ...summariseForLog(names),
    ...(view.other.table === 'membership' && personIds(change)),
  }
  await audit.record(db, auditContext, { action, object: { type, id: stored.id }, detail })
}

/** Ids of linked people, because erasing a person deletes their name from the audit log. */
function personIds({ added, removed }: AppliedLinkChange): object {
  const idsOf = (candidates: readonly LinkCandidate[]) => candidates.slice(0, loggedMax).map(({ id }) => id)
  return { addedIds: idsOf(added), removedIds: idsOf(removed) }
}

function linkedByOtherFault({ one }: LinkView, { name }: LinkCandidate, field: string): ApiFault {
  return badField(
    field,
    `cannot leave out ${name}, which belongs to all ${one.pluralNoun}, current and future; change that at ${name} first`,
  )
}
