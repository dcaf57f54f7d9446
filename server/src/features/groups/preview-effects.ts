/** Previews what each member would gain and lose by a change of a group's grants. */
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
import type { Db } from '../../kernel/store/store.ts'
import { type GrantsByKind, readGrants, type ParsedGrants } from './grants.ts'
import { requireGrants } from './groups.ts'
import { getGroup, listMembers } from './queries.ts'

const maxListedPairs = 50

/** The members who gain or lose something, by first name. Empty for a group that is not active. */
export async function previewGroup(
  db: Db,
  organisationId: string,
  groupId: string,
  { granted, named }: ParsedGrants,
): Promise<Camel<Effect>[]> {
  const group = await getGroup(db, organisationId, groupId)
  await requireGrants(db, organisationId, named)
  if (group.status.name !== 'active') return []

  const changed = findPairChanges(
    await readPairStructure(db, organisationId),
    await readGrants(db, organisationId, groupId),
    granted,
  )
  const members = await listMembers(db, organisationId, groupId)
  const groupsOfMembers = db
    .selectFrom('groupUser')
    .select('groupId')
    .where('userId', 'in', db.selectFrom('groupUser as one').select('one.userId').where('one.groupId', '=', groupId))
  const others = (await listActiveGroups(db, organisationId, groupsOfMembers)).filter(({ id }) => id !== groupId)
  const grantedBy = new Map(others.map((other) => [other.id, findCovered(changed, other)]))

  return members.flatMap(({ userId, name, groupIds }) => {
    const covered = groupIds.flatMap((id) => grantedBy.get(id) ?? [])
    const effective = changed.filter((change) => !covered.some((pairs) => pairs.has(change)))
    const [gains, loses] = [effective.filter(({ isGained }) => isGained), effective.filter(({ isGained }) => !isGained)]
    if (effective.length === 0) return []
    return [
      {
        userId,
        name,
        gains: listPairNames(gains),
        loses: listPairNames(loses),
        gainCount: gains.length,
        lossCount: loses.length,
      },
    ]
  })
}

interface PairChange {
  readonly kind: keyof GrantsByKind
  readonly pair: RecordPair
  readonly isGained: boolean
}

/** The pairs that the change adds or removes. */
function findPairChanges(
  plan: Awaited<ReturnType<typeof readPairStructure>>,
  stored: GrantsByKind,
  granted: GrantsByKind,
): readonly PairChange[] {
  const pairs = { areas: linkedPairs(plan), versions: milestonePairs(plan).values() }
  return (['areas', 'versions'] as const).flatMap((kind) => {
    const [wasGranted, willBeGranted] = [createCoverageCheck(stored[kind]), createCoverageCheck(granted[kind])]
    return pairs[kind]
      .filter((pair) => wasGranted(pair) !== willBeGranted(pair))
      .map((pair) => ({ kind, pair, isGained: willBeGranted(pair) }))
      .toArray()
  })
}

/** The changes without effect for members of the other group, because it grants the same pairs. */
function findCovered(changed: readonly PairChange[], group: EntitlementGroup): ReadonlySet<PairChange> {
  const covers = { areas: createCoverageCheck(group.areas), versions: createCoverageCheck(group.versions) }
  return new Set(changed.filter(({ kind, pair }) => covers[kind](pair)))
}

function listPairNames(changes: readonly PairChange[]): string[] {
  return changes.slice(0, maxListedPairs).map(({ pair }) => `${pair.outer.name} / ${pair.inner.name}`)
}
