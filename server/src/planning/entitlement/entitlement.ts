/**
 * What a person may use of the planning structure, and why. Pure: everything that counts is passed in. For whole
 * organisations the functions `usable_…` of the store say the same without the reasons.
 */
import type { Use } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'

type StatusName = 'active' | 'locked' | 'archived'

interface Named {
  readonly id: string
  readonly name: string
}
interface Kept extends Named {
  readonly status: StatusName
}

/** The records of an organisation, in the order in which they are told. */
export interface Structure {
  readonly areas: readonly (Kept & { readonly allSubareas: boolean })[]
  readonly subareas: readonly (Kept & { readonly allAreas: boolean })[]
  readonly links: readonly { readonly areaId: string; readonly subareaId: string }[]
  readonly versions: readonly Kept[]
  readonly milestones: readonly (Kept & { readonly versionId: string })[]
  readonly helperTables: readonly Assigned[]
  readonly entities: readonly Assigned[]
}

export interface Assigned extends Kept {
  readonly allUsers: boolean
  /** Whether it is assigned to the person, one by one. */
  readonly isAssigned: boolean
}

/** Of an area and a subarea, or a version and a milestone; null means all of that side, current and future. */
export interface Grant {
  readonly outerId: string | null
  readonly innerId: string | null
}

/** An active group. Others grant nothing. */
export interface Group extends Named {
  readonly areas: readonly Grant[]
  readonly versions: readonly Grant[]
}

export interface Person {
  readonly groups: readonly Group[]
  readonly allHelperTables: boolean
  readonly allEntities: boolean
}

/** Pairs told in one answer. 2,000 areas, all linked to 2,000 subareas, would be more than a server can hold. */
const pairsMax = 10_000

/** @param search only pairs whose area or subarea holds it; all else is told in whole. */
export function useOf(structure: Structure, { groups, allHelperTables, allEntities }: Person, search = ''): Camel<Use> {
  const byArea = explainer(groups, (group) => group.areas, { outer: 'areas', inner: 'subareas' })
  const byVersion = explainer(groups, (group) => group.versions, { outer: 'versions', inner: 'milestones' })
  const isSought = holding(search)
  const pairs = linkedPairs(
    structure,
    groups.flatMap(({ areas }) => areas),
  )
    .filter(({ outer, inner }) => isSought(outer.name) || isSought(inner.name))
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
    milestones: explained(milestonePairs(structure), byVersion).map(({ outer, inner, mayWrite, why }) => ({
      versionId: outer.id,
      version: outer.name,
      milestoneId: inner.id,
      milestone: inner.name,
      mayWrite,
      why,
    })),
    helperTables: explained(structure.helperTables.filter(isShown), whyAssigned(allHelperTables, 'helper tables')).map(
      ({ id, name, status, why }) => ({ id, name, mayWrite: status !== 'locked', why }),
    ),
    entities: explained(structure.entities.filter(isShown), whyAssigned(allEntities, 'entities')).map(
      ({ id, name, why }) => ({
        id,
        name,
        why,
      }),
    ),
  }
}

export interface Pair {
  readonly outer: Named
  readonly inner: Named
}

/**
 * The pairs of area and subarea that there are: by link, or by the flag of either side.
 * @param grants only the pairs that these speak of; absent: all.
 */
export function* linkedPairs(
  { areas, subareas, links }: Pick<Structure, 'areas' | 'subareas' | 'links'>,
  grants: readonly Grant[] = [{ outerId: null, innerId: null }],
): Generator<Pair> {
  const linked = setsOf(links, ({ areaId, subareaId }) => [areaId, subareaId])
  const spoken = setsOf(grants, ({ outerId, innerId }) => [outerId, innerId])
  const inners = subareas.filter(isShown)
  for (const outer of areas.filter(isShown)) {
    // Few grants must not cost a look at every pair that there could be.
    const wanted = new Set([...(spoken.get(null) ?? []), ...(spoken.get(outer.id) ?? [])])
    const isLinked = ({ id, allAreas }: (typeof inners)[number]) =>
      outer.allSubareas || allAreas || linked.get(outer.id)?.has(id) === true
    if (wanted.size === 0) continue
    yield* inners
      .values()
      .filter((inner) => (wanted.has(null) || wanted.has(inner.id)) && isLinked(inner))
      .map((inner) => ({ outer, inner }))
  }
}

function setsOf<Row, Key, Value>(
  rows: readonly Row[],
  pair: (row: Row) => readonly [Key, Value],
): ReadonlyMap<Key, ReadonlySet<Value>> {
  const sets = new Map<Key, Set<Value>>()
  for (const [key, value] of rows.map(pair)) sets.set(key, (sets.get(key) ?? new Set()).add(value))
  return sets
}

function holding(search: string): (name: string) => boolean {
  const term = search.trim().toLowerCase()
  return (name) => name.toLowerCase().includes(term)
}

export function milestonePairs({
  versions,
  milestones,
}: Pick<Structure, 'versions' | 'milestones'>): readonly (Pair & { readonly mayWrite: boolean })[] {
  const outers = new Map(versions.filter(isShown).map((version) => [version.id, version]))
  const ofVersion = Map.groupBy(milestones.filter(isShown), ({ versionId }) => versionId)
  return [...outers.values()].flatMap((outer) =>
    (ofVersion.get(outer.id) ?? []).map((inner) => ({
      outer,
      inner,
      mayWrite: outer.status !== 'locked' && inner.status !== 'locked',
    })),
  )
}

function isShown({ status }: Kept): boolean {
  return status !== 'archived'
}

/** Whether one of these grants covers a pair. */
export function coverage(grants: readonly Grant[]): (pair: Pair) => boolean {
  const granted = keysOf(grants)
  return ({ outer, inner }) => covering(outer.id, inner.id).some((key) => granted.has(key))
}

type Why = readonly { readonly group: string | null; readonly because: string }[]

/** What there is a reason for, with the reasons. */
function explained<Thing extends object>(
  things: readonly Thing[],
  whyOf: (thing: Thing) => Why,
): (Thing & { readonly why: Why })[] {
  return things.flatMap((thing) => {
    const why = whyOf(thing)
    return why.length === 0 ? [] : [{ ...thing, why }]
  })
}

function explainer(
  groups: readonly Group[],
  grantsOf: (group: Group) => readonly Grant[],
  words: { readonly outer: string; readonly inner: string },
): (pair: Pair) => Why {
  const granting = groups.map((group) => ({ group: group.name, granted: keysOf(grantsOf(group)) }))
  const sentences = ({ outer, inner }: Pair) => [
    'granted one by one',
    `all ${words.inner} of ${outer.name}, current and future`,
    `all ${words.outer} of ${inner.name}, current and future`,
    `all ${words.outer} and ${words.inner}, current and future`,
  ]
  return (pair) => {
    const keys = covering(pair.outer.id, pair.inner.id)
    return granting.flatMap(({ group, granted }) =>
      keys.flatMap((key, form) => (granted.has(key) ? [{ group, because: sentences(pair)[form] ?? '' }] : [])),
    )
  }
}

/** The four grants that cover a pair, in the order of the sentences. */
function covering(outerId: string, innerId: string): readonly string[] {
  return [keyOf(outerId, innerId), keyOf(outerId, null), keyOf(null, innerId), keyOf(null, null)]
}

function keysOf(grants: readonly Grant[]): ReadonlySet<string> {
  return new Set(grants.map(({ outerId, innerId }) => keyOf(outerId, innerId)))
}

export function keyOf(outerId: string | null, innerId: string | null): string {
  return `${outerId ?? 'all'} ${innerId ?? 'all'}`
}

function whyAssigned(hasAll: boolean, kind: string): (thing: Assigned) => Why {
  return ({ name, allUsers, isAssigned }) => [
    ...(isAssigned ? [{ group: null, because: 'assigned' }] : []),
    ...(hasAll ? [{ group: null, because: `all ${kind}, current and future` }] : []),
    ...(allUsers ? [{ group: null, because: `all users of ${name}, current and future` }] : []),
  ]
}
