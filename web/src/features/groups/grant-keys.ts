/**
 * The grants of a group as a set of keys that both views of the wizard share. One view shows the subareas of an area,
 * the other the areas of a subarea; both edit the same pairs.
 */
import type { GroupGrants, PermissionGroup } from '@tributary/contract/groups'
import type { LinkCount, LinkItem, LinkSelection } from '../../domain/link-editor/links.ts'

/** Keys `outerId innerId`; `*` on a side means all of that side, current and future. */
export type GrantKeys = ReadonlySet<string>
export type DimensionSide = 'outer' | 'inner'

const wildcard = '*'

export function grantKey(outerId: string | null, innerId: string | null): string {
  return `${outerId ?? wildcard} ${innerId ?? wildcard}`
}

const everythingKey = grantKey(null, null)

/** A scope dimension that can be granted: areas with subareas, or versions with milestones. */
export interface ScopeDimension {
  readonly outer: readonly LinkItem[]
  readonly inner: readonly LinkItem[]
  /** The inner items linked to each outer item; other pairs cannot be granted. */
  readonly linked: ReadonlyMap<string, ReadonlySet<string>>
}

export function hasEverything(keys: GrantKeys): boolean {
  return keys.has(everythingKey)
}

export function withEverything(keys: GrantKeys, isOn: boolean): GrantKeys {
  return isOn ? keys.union(new Set([everythingKey])) : keys.difference(new Set([everythingKey]))
}

/** Links of one subject. Links that come from a grant of the other view are shown but fixed. */
export function subjectPane(dimension: ScopeDimension, keys: GrantKeys, side: DimensionSide, subjectId: string) {
  const others = side === 'outer' ? dimension.inner : dimension.outer
  const ids = new Set<string>()
  const items = others.flatMap((other) => {
    const isGranted = keys.has(pairKey(side, subjectId, other.id))
    const isWhole = keys.has(wholeKey(side === 'outer' ? 'inner' : 'outer', other.id))
    const isLinked = isLinkedTo(dimension, side, subjectId, other.id)
    if (!isLinked && !isGranted) return []
    if (isGranted || isWhole) ids.add(other.id)
    if (isWhole) return [{ ...other, isFixed: true, detail: wholeLabels[side] }]
    return [isLinked ? other : { ...other, detail: 'Not linked any more' }]
  })
  return { items, links: { ids, all: hasEverything(keys) || keys.has(wholeKey(side, subjectId)) } }
}

const wholeLabels: Readonly<Record<DimensionSide, string>> = {
  outer: 'With all areas, current and future: see step 2',
  inner: 'With all subareas, current and future: see step 1',
}

/** The number of links of each subject, as `subjectPane` shows them. */
export function countGrantedLinks(
  dimension: ScopeDimension,
  keys: GrantKeys,
  side: DimensionSide,
): ReadonlyMap<string, LinkCount> {
  const subjects = side === 'outer' ? dimension.outer : dimension.inner
  if (hasEverything(keys)) return new Map(subjects.map(({ id }) => [id, 'all']))
  const grants = [...keys].map((key) => toSubjectGrant(key, side))
  const bySubject = Map.groupBy(grants, ({ subjectId }) => subjectId)
  const wholeIds = new Set(bySubject.get(null)?.map(({ otherId }) => otherId ?? wildcard))
  return new Map(
    subjects.map(({ id }): [string, LinkCount] => {
      const own = bySubject.get(id) ?? []
      if (own.some(({ otherId }) => otherId === null)) return [id, 'all']
      const ids = new Set(own.map(({ otherId }) => otherId ?? wildcard))
      const fromWhole = [...wholeIds].filter((otherId) => isLinkedTo(dimension, side, id, otherId))
      return [id, ids.union(new Set(fromWhole)).size]
    }),
  )
}

function toSubjectGrant(key: string, side: DimensionSide) {
  const [outerId, innerId] = parseGrantKey(key)
  return side === 'outer' ? { subjectId: outerId, otherId: innerId } : { subjectId: innerId, otherId: outerId }
}

/** Returns the keys after one subject's links change to `next`. */
export function withSubjectLinks(
  keys: GrantKeys,
  side: DimensionSide,
  subjectId: string,
  { items, next }: { items: readonly LinkItem[]; next: LinkSelection },
): GrantKeys {
  const result = new Set(keys)
  for (const { id, isFixed } of items) {
    const key = pairKey(side, subjectId, id)
    if (!next.ids.has(id)) result.delete(key)
    // A link that the other view grants is not granted twice.
    else if (isFixed !== true) result.add(key)
  }
  const whole = wholeKey(side, subjectId)
  if (next.all) result.add(whole)
  else result.delete(whole)
  return result
}

function pairKey(side: DimensionSide, subjectId: string, otherId: string): string {
  return side === 'outer' ? grantKey(subjectId, otherId) : grantKey(otherId, subjectId)
}

function wholeKey(side: DimensionSide, id: string): string {
  return side === 'outer' ? grantKey(id, null) : grantKey(null, id)
}

function isLinkedTo(
  { linked }: Pick<ScopeDimension, 'linked'>,
  side: DimensionSide,
  subjectId: string,
  otherId: string,
): boolean {
  return (side === 'outer' ? linked.get(subjectId)?.has(otherId) : linked.get(otherId)?.has(subjectId)) === true
}

export function areaKeys({ PermissionGroupAreasSubAreas }: PermissionGroup): GrantKeys {
  return new Set(PermissionGroupAreasSubAreas.map(({ B2SAreaId, B2SSubareaId }) => grantKey(B2SAreaId, B2SSubareaId)))
}

export function versionKeys({ B2SGroupVersionMilestones }: PermissionGroup): GrantKeys {
  return new Set(
    B2SGroupVersionMilestones.map(({ B2SVersionId, B2SMilestoneId }) => grantKey(B2SVersionId, B2SMilestoneId)),
  )
}

export function toGrants(pairs: GrantKeys, milestones: GrantKeys): GroupGrants {
  return {
    areas: withoutCoveredKeys(pairs).map(([areaId, subareaId]) => ({
      areaId,
      subareaId,
      allAreas: areaId === null,
      allSubareas: subareaId === null,
    })),
    versions: withoutCoveredKeys(milestones).map(([versionId, milestoneId]) => ({
      versionId,
      milestoneId,
      allVersions: versionId === null,
      allMilestones: milestoneId === null,
    })),
  }
}

type GrantKeyIds = readonly [outerId: string | null, innerId: string | null]

/** Leaves out keys that a wider grant covers. They were kept so that removing the wider grant shows them again. */
function withoutCoveredKeys(keys: GrantKeys): readonly GrantKeyIds[] {
  return [...keys].map(parseGrantKey).filter(([outerId, innerId]) => {
    const wider = [everythingKey, grantKey(outerId, null), grantKey(null, innerId)]
    return !wider.some((key) => key !== grantKey(outerId, innerId) && keys.has(key))
  })
}

export function parseGrantKey(key: string): GrantKeyIds {
  const [outer = wildcard, inner = wildcard] = key.split(' ')
  return [outer === wildcard ? null : outer, inner === wildcard ? null : inner]
}
