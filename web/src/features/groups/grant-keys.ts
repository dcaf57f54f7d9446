/**
 * What a group grants, as a set of pairs that both views of the wizard read and write. Of areas and subareas, one view shows
 * the subareas of an area, the other the areas of a subarea; what is ticked in one is the same pair in the other.
 */
import type { Grants, PermissionGroup } from '@tributary/contract/groups'
import type { LinkItem, Links } from '../../domain/link-editor/links.ts'

/** Each 'outer inner'; on one side `any` means all of that side, current and future. */
export type GrantKeys = ReadonlySet<string>
export type Side = 'outer' | 'inner'

const any = '*'

export function keyOf(outerId: string | null, innerId: string | null): string {
  return `${outerId ?? any} ${innerId ?? any}`
}

const everythingKey = keyOf(null, null)

/** What there is to grant: areas with subareas, or versions with milestones. */
export interface Plane {
  readonly outer: readonly LinkItem[]
  readonly inner: readonly LinkItem[]
  /** Of each outer one the inner ones that belong to it: nothing else can be granted. */
  readonly linked: ReadonlyMap<string, ReadonlySet<string>>
}

export function hasEverything(keys: GrantKeys): boolean {
  return keys.has(everythingKey)
}

export function withEverything(keys: GrantKeys, isOn: boolean): GrantKeys {
  return isOn ? keys.union(new Set([everythingKey])) : keys.difference(new Set([everythingKey]))
}

export interface Pane {
  readonly items: readonly LinkItem[]
  readonly links: Links
}

/** What one subject has. What it has by a choice made in the other view is shown, and changed only there. */
export function paneOf(plane: Plane, keys: GrantKeys, side: Side, subjectId: string): Pane {
  const others = side === 'outer' ? plane.inner : plane.outer
  const ids = new Set<string>()
  const items = others.flatMap((other) => {
    const isGranted = keys.has(pairKey(side, subjectId, other.id))
    const isWhole = keys.has(wholeKey(side === 'outer' ? 'inner' : 'outer', other.id))
    const isLinked = isLinkedTo(plane, side, subjectId, other.id)
    if (!isLinked && !isGranted) return []
    if (isGranted || isWhole) ids.add(other.id)
    if (isWhole) return [{ ...other, isFixed: true, detail: wholeWords[side] }]
    return [isLinked ? other : { ...other, detail: 'Not linked any more' }]
  })
  return { items, links: { ids, all: hasEverything(keys) || keys.has(wholeKey(side, subjectId)) } }
}

const wholeWords: Readonly<Record<Side, string>> = {
  outer: 'With all areas, current and future: see step 2',
  inner: 'With all subareas, current and future: see step 1',
}

/** The same with what one subject has changed to `next`. */
export function withPane(
  keys: GrantKeys,
  side: Side,
  subjectId: string,
  { items, next }: { items: readonly LinkItem[]; next: Links },
): GrantKeys {
  const result = new Set(keys)
  for (const { id, isFixed } of items) {
    const key = pairKey(side, subjectId, id)
    if (!next.ids.has(id)) result.delete(key)
    // What the other view holds is not granted a second time.
    else if (isFixed !== true) result.add(key)
  }
  const whole = wholeKey(side, subjectId)
  if (next.all) result.add(whole)
  else result.delete(whole)
  return result
}

function pairKey(side: Side, subjectId: string, otherId: string): string {
  return side === 'outer' ? keyOf(subjectId, otherId) : keyOf(otherId, subjectId)
}

function wholeKey(side: Side, id: string): string {
  return side === 'outer' ? keyOf(id, null) : keyOf(null, id)
}

function isLinkedTo({ linked }: Plane, side: Side, subjectId: string, otherId: string): boolean {
  return (side === 'outer' ? linked.get(subjectId)?.has(otherId) : linked.get(otherId)?.has(subjectId)) === true
}

export function areaKeys({ PermissionGroupAreasSubAreas }: PermissionGroup): GrantKeys {
  return new Set(PermissionGroupAreasSubAreas.map(({ B2SAreaId, B2SSubareaId }) => keyOf(B2SAreaId, B2SSubareaId)))
}

export function versionKeys({ B2SGroupVersionMilestones }: PermissionGroup): GrantKeys {
  return new Set(
    B2SGroupVersionMilestones.map(({ B2SVersionId, B2SMilestoneId }) => keyOf(B2SVersionId, B2SMilestoneId)),
  )
}

export function grantsOf(pairs: GrantKeys, milestones: GrantKeys): Grants {
  return {
    areas: needed(pairs).map(([areaId, subareaId]) => ({
      areaId,
      subareaId,
      allAreas: areaId === null,
      allSubareas: subareaId === null,
    })),
    versions: needed(milestones).map(([versionId, milestoneId]) => ({
      versionId,
      milestoneId,
      allVersions: versionId === null,
      allMilestones: milestoneId === null,
    })),
  }
}

type Sides = readonly [outerId: string | null, innerId: string | null]

/** What a wider grant covers anyway was kept only so that taking the wider one back would show it again. */
function needed(keys: GrantKeys): readonly Sides[] {
  return [...keys].map(sidesOf).filter(([outerId, innerId]) => {
    const wider = [everythingKey, keyOf(outerId, null), keyOf(null, innerId)]
    return !wider.some((key) => key !== keyOf(outerId, innerId) && keys.has(key))
  })
}

export function sidesOf(key: string): Sides {
  const [outer = any, inner = any] = key.split(' ')
  return [outer === any ? null : outer, inner === any ? null : inner]
}
