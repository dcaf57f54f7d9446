/** Decides whether a set moves forward, and writes down the publication that is then made in its target. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { heldBecause, type MemberState } from './publication-rule.ts'
import {
  findPublication,
  insertPublication,
  listMemberStates,
  lockSet,
  type SetLocation,
  type ShownPublication,
  type StoredSet,
  updateHeld,
  updateSet,
} from './queries.ts'

/** A publication that the target does not show yet. */
export interface DecidedPublication extends SetLocation {
  readonly number: number
  readonly kind: StoredSet['kind']
  readonly name: string
  readonly runs: ShownPublication['runs']
}

/**
 * Returns the publication to make, or null if the set stays as it is. A decided publication is made before the next decision, so that a
 * worker that was killed in between is continued. The decision itself is one transaction.
 */
export async function decidePublication(
  db: Db,
  organisationId: string,
  setId: string,
): Promise<DecidedPublication | null> {
  const set = await lockSet(db, organisationId, setId)
  if (set === undefined) return null
  const pending = await findPublication(db, organisationId, setId, 'pending')
  if (pending === undefined && !(await insertNext(db, set))) return null
  const decided = pending ?? (await findPublication(db, organisationId, setId, 'pending'))
  if (decided === undefined) return null
  return { organisationId, setId, number: decided.number, kind: set.kind, name: set.name, runs: decided.runs }
}

/** Returns false if the set stays. */
async function insertNext(db: Db, set: StoredSet): Promise<boolean> {
  const { organisationId, id: setId } = set
  const shown = await findPublication(db, organisationId, setId, 'shown')
  const members = set.isOn
    ? await listMemberStates(db, organisationId, { setId, days: set.verifiedWithinDays ?? 0 })
    : []
  const isHeld = await updateReasons(db, set, members)
  // Without connectors there is nothing to publish.
  await updateSet(db, organisationId, setId, { decidedAt: sql<string>`now()`, isOn: set.isOn && members.length > 0 })
  if (isHeld) {
    await updateSet(db, organisationId, setId, { staysSince: sql<string>`coalesce(staysSince, now())` })
    return false
  }
  if (isShown(members, shown)) {
    // The notice of a set that is switched off says what is left to do.
    if (set.isOn) await updateSet(db, organisationId, setId, { staysSince: null, notice: null })
    return false
  }
  const number = set.lastNumber + 1
  await insertPublication(db, organisationId, { setId, number, members: members.filter(isPublishable) })
  await updateSet(db, organisationId, setId, { lastNumber: number })
  return true
}

/** Stores for each connector why it is held. Returns whether one is. */
async function updateReasons(db: Db, set: StoredSet, members: readonly MemberState[]): Promise<boolean> {
  const reasons = members.map((member) => ({ member, reason: heldBecause(member, set) }))
  for (const { member, reason } of reasons)
    if (reason !== member.heldBecause) await updateHeld(db, set.organisationId, member.connectorId, reason)
  return reasons.some(({ reason }) => reason !== null)
}

function isPublishable(
  member: MemberState,
): member is MemberState & { readonly runId: string; readonly moment: string } {
  return member.runId !== null && member.moment !== null
}

function isShown(members: readonly MemberState[], shown: ShownPublication | undefined): boolean {
  const runs = new Set(shown?.runs.map(({ runId }) => runId))
  return members.length === runs.size && members.every(({ runId }) => runId !== null && runs.has(runId))
}
