/**
 * Computes which records of the planning structure a user may use, and why. Pure: all facts are arguments. For whole
 * organisations
 * the SQL functions `usable_…` compute the same without the reasons.
 */
import type { Use } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'

type EntitlementStatus = 'active' | 'locked' | 'archived'

interface NamedRecord {
  readonly id: string
  readonly name: string
}
interface StructureRecord extends NamedRecord {
  readonly status: EntitlementStatus
}

/** The records of an organisation, in display order. */
export interface EntitlementStructure {
  readonly areas: readonly (StructureRecord & { readonly allSubareas: boolean })[]
  readonly subareas: readonly (StructureRecord & { readonly allAreas: boolean })[]
  readonly links: readonly { readonly areaId: string; readonly subareaId: string }[]
  readonly versions: readonly StructureRecord[]
  readonly milestones: readonly (StructureRecord & { readonly versionId: string })[]
  readonly helperTables: readonly AssignableRecord[]
  readonly entities: readonly AssignableRecord[]
}

interface AssignableRecord extends StructureRecord {
  readonly allUsers: boolean
  /** Assigned to the user individually. */
  readonly isAssigned: boolean
}

/** Grants an area and a subarea, or a version and a milestone; null means all of that side, current and future. */
export interface PairGrant {
  readonly outerId: string | null
  readonly innerId: string | null
}

/** An active group; inactive groups grant nothing. */
export interface EntitlementGroup extends NamedRecord {
  readonly areas: readonly PairGrant[]
  readonly versions: readonly PairGrant[]
}

export interface EntitledPerson {
  readonly groups: readonly EntitlementGroup[]
  readonly allHelperTables: boolean
  readonly allEntities: boolean
}

/** Pairs in one reply. 2,000 areas linked to 2,000 subareas would exceed the server's memory. */
const pairsMax = 10_000

/** @param search returns only pairs whose area or subarea contains it; other records are always returned */
export function computeUse(
  structure: EntitlementStructure,
  { groups, allHelperTables, allEntities }: EntitledPerson,
  search = '',
): Camel<Use> {
  const byArea = createPairExplainer(groups, (group) => group.areas, { outer: 'areas', inner: 'subareas' })
  const byVersion = createPairExplainer(groups, (group) => group.versions, { outer: 'versions', inner: 'milestones' })
  const matches = createNameFilter(search)
  const pairs = linkedPairs(
    structure,
    groups.flatMap(({ areas }) => areas),
  )
    .filter(({ outer, inner }) => matches(outer.name) || matches(inner.name))
    .map((pair) => ({ ...pair, why: byArea(pair) }))
    .filter(({ why }) => why.length > 0)
    .take(pairsMax + 1)
    .toArray()
  return {
    pairs: pairs.slice(0, pairsMax).map(({ outer, inner, why }) => ({
      areaId: outer.id,
      area: outer.name,
      subareaId: inner.id,
      subarea: inner.name,
      why,
    })),
    morePairs: pairs.length > pairsMax,
    milestones: withReasons(milestonePairs(structure), byVersion).map(({ outer, inner, mayWrite, why }) => ({
      versionId: outer.id,
      version: outer.name,
      milestoneId: inner.id,
      milestone: inner.name,
      mayWrite,
      why,
    })),
    helperTables: withReasons(
      structure.helperTables.filter(isNotArchived),
      createAssignmentExplainer(allHelperTables, 'helper tables'),
    ).map(({ id, name, status, why }) => ({ id, name, mayWrite: status !== 'locked', why })),
    entities: withReasons(
      structure.entities.filter(isNotArchived),
      createAssignmentExplainer(allEntities, 'entities'),
    ).map(({ id, name, why }) => ({
      id,
      name,
      why,
    })),
  }
}

export interface RecordPair {
  readonly outer: NamedRecord
  readonly inner: NamedRecord
}

/**
 * The existing pairs of area and subarea: linked individually, or by the flag of either side.
 * @param grants returns only pairs that these grants mention; default: all
 */
export function* linkedPairs(
  { areas, subareas, links }: Pick<EntitlementStructure, 'areas' | 'subareas' | 'links'>,
  grants: readonly PairGrant[] = [{ outerId: null, innerId: null }],
): Generator<RecordPair> {
  const linked = groupIntoSets(links, ({ areaId, subareaId }) => [areaId, subareaId])
  const mentioned = groupIntoSets(grants, ({ outerId, innerId }) => [outerId, innerId])
  const inners = subareas.filter(isNotArchived)
  for (const outer of areas.filter(isNotArchived)) {
    // Avoids enumerating all possible pairs for a few grants.
    const innerIds = new Set([...(mentioned.get(null) ?? []), ...(mentioned.get(outer.id) ?? [])])
    const isLinked = ({ id, allAreas }: (typeof inners)[number]) =>
      outer.allSubareas || allAreas || linked.get(outer.id)?.has(id) === true
    if (innerIds.size === 0) continue
    yield* inners
      .values()
      .filter((inner) => (innerIds.has(null) || innerIds.has(inner.id)) && isLinked(inner))
      .map((inner) => ({ outer, inner }))
  }
}

function groupIntoSets<Row, Key, Value>(
  rows: readonly Row[],
  pair: (row: Row) => readonly [Key, Value],
): ReadonlyMap<Key, ReadonlySet<Value>> {
  const sets = new Map<Key, Set<Value>>()
  for (const [key, value] of rows.map(pair)) sets.set(key, (sets.get(key) ?? new Set()).add(value))
  return sets
}

function createNameFilter(search: string): (name: string) => boolean {
  const term = search.trim().toLowerCase()
  return (name) => name.toLowerCase().includes(term)
}

export function milestonePairs({
  versions,
  milestones,
}: Pick<EntitlementStructure, 'versions' | 'milestones'>): readonly (RecordPair & { readonly mayWrite: boolean })[] {
  const outers = new Map(versions.filter(isNotArchived).map((version) => [version.id, version]))
  const ofVersion = Map.groupBy(milestones.filter(isNotArchived), ({ versionId }) => versionId)
  return [...outers.values()].flatMap((outer) =>
    (ofVersion.get(outer.id) ?? []).map((inner) => ({
      outer,
      inner,
      mayWrite: outer.status !== 'locked' && inner.status !== 'locked',
    })),
  )
}

function isNotArchived({ status }: StructureRecord): boolean {
  return status !== 'archived'
}

/** Returns a predicate: true if one of the grants covers the pair. */
export function createCoverageCheck(grants: readonly PairGrant[]): (pair: RecordPair) => boolean {
  const granted = toGrantKeys(grants)
  return ({ outer, inner }) => coveringGrantKeys(outer.id, inner.id).some((key) => granted.has(key))
}

type UseReasons = readonly { readonly group: string | null; readonly because: string }[]

/** The items that have at least one reason, with their reasons. */
function withReasons<Item extends object>(
  items: readonly Item[],
  reasonsOf: (item: Item) => UseReasons,
): (Item & { readonly why: UseReasons })[] {
  return items.flatMap((item) => {
    const why = reasonsOf(item)
    return why.length === 0 ? [] : [{ ...item, why }]
  })
}

function createPairExplainer(
  groups: readonly EntitlementGroup[],
  grantsOf: (group: EntitlementGroup) => readonly PairGrant[],
  words: { readonly outer: string; readonly inner: string },
): (pair: RecordPair) => UseReasons {
  const granting = groups.map((group) => ({ group: group.name, granted: toGrantKeys(grantsOf(group)) }))
  const sentences = ({ outer, inner }: RecordPair) => [
    'granted one by one',
    `all ${words.inner} of ${outer.name}, current and future`,
    `all ${words.outer} of ${inner.name}, current and future`,
    `all ${words.outer} and ${words.inner}, current and future`,
  ]
  return (pair) => {
    const keys = coveringGrantKeys(pair.outer.id, pair.inner.id)
    return granting.flatMap(({ group, granted }) =>
      keys.flatMap((key, form) => (granted.has(key) ? [{ group, because: sentences(pair)[form] ?? '' }] : [])),
    )
  }
}

/** Keys of the four grants that can cover a pair, in the order of the sentences. */
function coveringGrantKeys(outerId: string, innerId: string): readonly string[] {
  return [toGrantKey(outerId, innerId), toGrantKey(outerId, null), toGrantKey(null, innerId), toGrantKey(null, null)]
}

function toGrantKeys(grants: readonly PairGrant[]): ReadonlySet<string> {
  return new Set(grants.map(({ outerId, innerId }) => toGrantKey(outerId, innerId)))
}

export function toGrantKey(outerId: string | null, innerId: string | null): string {
  return `${outerId ?? 'all'} ${innerId ?? 'all'}`
}

function createAssignmentExplainer(hasAll: boolean, kind: string): (thing: AssignableRecord) => UseReasons {
  return ({ name, allUsers, isAssigned }) => [
    ...(isAssigned ? [{ group: null, because: 'assigned' }] : []),
    ...(hasAll ? [{ group: null, because: `all ${kind}, current and future` }] : []),
    ...(allUsers ? [{ group: null, because: `all users of ${name}, current and future` }] : []),
  ]
}
