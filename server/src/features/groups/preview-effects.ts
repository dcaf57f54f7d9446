/** What a change of a group's grants would do to each of its members. */
import type { Effect } from '@tributary/contract/groups'
import type { Camel } from '@tributary/contract/wire'
import {
  createCoverageCheck,
  type EntitlementGroup,
  linkedPairs,
  milestonePairs,
  type RecordPair,
} from '../../planning/entitlement/entitlement.ts'
import { listActiveGroups, readPairStructure } from '../../planning/entitlement/queries.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type Granted, readGrants, type Sent } from './grants.ts'
import { requireGrants } from './groups.ts'
import { findGroup, listMembers } from './queries.ts'

const told = 50

/** Those who gain or lose something, by first name. Nobody does by a group that is not active. */
export async function previewGroup(
  db: Db,
  organisationId: string,
  groupId: string,
  { granted: wanted, named }: Sent,
): Promise<Camel<Effect>[]> {
  const group = await findGroup(db, organisationId, groupId)
  if (group === undefined) throw new ApiFault('notFound')
  await requireGrants(db, organisationId, named)
  if (group.status.name !== 'active') return []

  const changed = changedPairs(
    await readPairStructure(db, organisationId),
    await readGrants(db, organisationId, groupId),
    wanted,
  )
  const members = await listMembers(db, organisationId, groupId)
  const theirs = db
    .selectFrom('groupUser')
    .select('groupId')
    .where('userId', 'in', db.selectFrom('groupUser as one').select('one.userId').where('one.groupId', '=', groupId))
  const others = (await listActiveGroups(db, organisationId, theirs)).filter(({ id }) => id !== groupId)
  const grantedBy = new Map(others.map((other) => [other.id, grantedAnyway(changed, other)]))

  return members.flatMap(({ userId, name, groupIds }) => {
    const kept = groupIds.flatMap((id) => grantedBy.get(id) ?? [])
    const felt = changed.filter((change) => !kept.some((pairs) => pairs.has(change)))
    const [gains, loses] = [felt.filter(({ isGained }) => isGained), felt.filter(({ isGained }) => !isGained)]
    if (felt.length === 0) return []
    return [
      { userId, name, gains: namesOf(gains), loses: namesOf(loses), gainCount: gains.length, lossCount: loses.length },
    ]
  })
}

interface Change {
  readonly kind: keyof Granted
  readonly pair: RecordPair
  readonly isGained: boolean
}

/** What the group grants and would not, or would and does not. */
function changedPairs(
  plan: Awaited<ReturnType<typeof readPairStructure>>,
  stored: Granted,
  wanted: Granted,
): readonly Change[] {
  const pairs = { areas: linkedPairs(plan), versions: milestonePairs(plan).values() }
  return (['areas', 'versions'] as const).flatMap((kind) => {
    const [isGranted, willBe] = [createCoverageCheck(stored[kind]), createCoverageCheck(wanted[kind])]
    return pairs[kind]
      .filter((pair) => isGranted(pair) !== willBe(pair))
      .map((pair) => ({ kind, pair, isGained: willBe(pair) }))
      .toArray()
  })
}

/** What does not change for who is in this other group, too. */
function grantedAnyway(changed: readonly Change[], group: EntitlementGroup): ReadonlySet<Change> {
  const covers = { areas: createCoverageCheck(group.areas), versions: createCoverageCheck(group.versions) }
  return new Set(changed.filter(({ kind, pair }) => covers[kind](pair)))
}

function namesOf(changes: readonly Change[]): string[] {
  return changes.slice(0, told).map(({ pair }) => `${pair.outer.name} / ${pair.inner.name}`)
}
