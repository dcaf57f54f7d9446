/** The slices and tables that a user may load, resolved by name. Pure. */
import { plainName } from '@tributary/contract/sheet-headings'
import {
  createCoverageCheck,
  linkedPairs,
  milestonePairs,
  type RecordPair,
  type EntitledPerson,
  type EntitlementStructure,
} from '../../../planning/entitlement/entitlement.ts'
import { type SliceIds, type SliceNames, type SlicePart, partTitles, sliceParts } from '../slices.ts'

export type AdviceAudience = 'administrator' | 'user'

export interface LoadRights {
  /** What to do about missing access: administrators can change it themselves, other users must ask one. */
  readonly advice: { readonly access: string; readonly unlock: string }
  /** The milestones of a version that the user may use. */
  milestonesOf(versionId: string): readonly { readonly id: string; readonly name: string; readonly mayWrite: boolean }[]
  /** The names that the user may write in each column of a version's sheet; undefined if the list would be too long. */
  sliceChoices(versionId: string): SliceChoices
  /** Undefined for a helper table that the user may not use. */
  helperTable(id: string): { readonly mayWrite: boolean } | undefined
  /** The records with these names in their own spelling, or a fault for each name that cannot be used. */
  slice(versionId: string, names: SliceNames): UsableSlice | { readonly faults: Partial<Record<SlicePart, string>> }
}

export type SliceChoices = Readonly<Partial<Record<SlicePart, readonly string[]>>>

interface UsableSlice {
  readonly names: SliceNames
  readonly ids: SliceIds
}

const advices = {
  user: {
    access: 'Ask an administrator of the organisation for access.',
    unlock: 'ask an administrator to unlock it',
  },
  administrator: {
    access: 'Give yourself access under Excel, Security.',
    unlock: 'unlock it under Excel',
  },
} as const satisfies Record<AdviceAudience, { readonly access: string; readonly unlock: string }>

/** @param person undefined for users without a membership, who may load nothing */
export function computeLoadRights(
  structure: EntitlementStructure,
  person: EntitledPerson = noMembership,
  adviser: AdviceAudience = 'user',
): LoadRights {
  const advice = advices[adviser]
  /** The same message for unknown and for inaccessible names, so that names do not leak. */
  const unusable = (kind: string, name: string) =>
    `There is no ${kind} ‘${name}’ that you may use. Check the spelling. ${advice.access}`
  const entities = indexByName(structure.entities.filter((entity) => isAssigned(entity, person.allEntities)))
  const { areas, subareas, mayUseArea, mayUsePair } = areaRightsOf(structure, person)
  const coversMilestone = person.groups.map(({ versions }) => createCoverageCheck(versions))
  const pairs = milestonePairs(structure).filter((pair) => coversMilestone.some((covers) => covers(pair)))

  const milestonesOf = (versionId: string) =>
    pairs
      .filter(({ outer }) => outer.id === versionId)
      .map(({ inner: { id, name }, mayWrite }) => ({ id, name, mayWrite }))

  const milestoneFault = (versionId: string, name: string): string | undefined => {
    const found = findByName(indexByName(milestonesOf(versionId)), name)
    if (found === undefined) return unusable('milestone', name)
    return found.mayWrite
      ? undefined
      : `The milestone ‘${found.name}’ is locked. Choose another one, or ${advice.unlock}.`
  }

  return {
    advice,
    milestonesOf,
    sliceChoices(versionId) {
      const writable = milestonesOf(versionId).filter(({ mayWrite }) => mayWrite)
      return {
        entity: [...entities.exact.keys()],
        ...pairChoices(structure, person),
        milestone: writable.map(({ name }) => name),
      }
    },
    helperTable(id) {
      const found = structure.helperTables.find((each) => each.id === id && each.status !== 'archived')
      return found !== undefined && isAssigned(found, person.allHelperTables)
        ? { mayWrite: found.status !== 'locked' }
        : undefined
    },
    slice(versionId, names) {
      const faults: Partial<Record<SlicePart, string>> = {}
      for (const part of sliceParts)
        if (names[part] === '') faults[part] = `${partTitles[part]} is empty. Every row needs one.`
      if (findByName(entities, names.entity) === undefined) faults.entity ??= unusable('entity', names.entity)
      if (!mayUseArea(names.area)) faults.area ??= unusable('area', names.area)
      else if (!mayUsePair(names.area, names.subarea))
        faults.subarea ??= `${unusable('subarea', names.subarea)} It must belong to the area ‘${names.area}’.`
      const locked = milestoneFault(versionId, names.milestone)
      if (locked !== undefined) faults.milestone ??= locked
      if (Object.keys(faults).length > 0) return { faults }
      return toUsableSlice(
        { entity: entities, area: areas, subarea: subareas, milestone: indexByName(milestonesOf(versionId)) },
        names,
      )
    },
  }
}

/** Areas and subareas, and which of them the user may use, alone and as pairs. */
function areaRightsOf(structure: EntitlementStructure, person: EntitledPerson) {
  const areas = indexByName(structure.areas.filter(({ status }) => status !== 'archived'))
  const subareas = indexByName(structure.subareas.filter(({ status }) => status !== 'archived'))
  const coversPair = person.groups.map(({ areas: grants }) => createCoverageCheck(grants))
  const links = new Set(structure.links.map(({ areaId, subareaId }) => `${areaId} ${subareaId}`))

  const mayUsePair = (areaName: string, subareaName: string): boolean => {
    const [outer, inner] = [findByName(areas, areaName), findByName(subareas, subareaName)]
    if (outer === undefined || inner === undefined) return false
    const link = links.has(`${outer.id} ${inner.id}`) ? [{ areaId: outer.id, subareaId: inner.id }] : []
    return [...linkedPairs({ areas: [outer], subareas: [inner], links: link })].some((pair) =>
      coversPair.some((covers) => covers(pair)),
    )
  }
  const mayUseArea = (name: string): boolean => {
    const outer = findByName(areas, name)
    if (outer === undefined) return false
    return person.groups.some((group) => group.areas.some(({ outerId }) => outerId === null || outerId === outer.id))
  }
  return { areas, subareas, mayUseArea, mayUsePair }
}

function toUsableSlice(
  records: Readonly<Record<SlicePart, NameIndex<{ readonly id: string; readonly name: string }>>>,
  names: SliceNames,
) {
  const found = sliceParts.map((part) => ({ part, record: findByName(records[part], names[part]) }))
  return {
    names: Object.fromEntries(found.map(({ part, record }) => [part, record?.name])) as SliceNames,
    ids: Object.fromEntries(found.map(({ part, record }) => [part, record?.id])) as SliceIds,
  }
}

/** More pairs would take too long to list. */
const pairsMax = 10_000

function pairChoices(
  structure: EntitlementStructure,
  { groups }: EntitledPerson,
): Pick<SliceChoices, 'area' | 'subarea'> {
  const covering = groups.map(({ areas }) => createCoverageCheck(areas))
  const grants = groups.flatMap(({ areas }) => areas)
  const usable = linkedPairs(structure, grants).filter((pair) => covering.some((covers) => covers(pair)))
  const listed = usable.take(pairsMax + 1).toArray()
  return listed.length > pairsMax ? {} : { area: distinct(listed, 'outer'), subarea: distinct(listed, 'inner') }
}

function distinct(found: readonly RecordPair[], side: 'outer' | 'inner'): readonly string[] {
  return [...new Set(found.map((pair) => pair[side].name))]
}

const noMembership: EntitledPerson = { groups: [], allHelperTables: false, allEntities: false }

function isAssigned(record: EntitlementStructure['entities'][number], hasAll: boolean): boolean {
  return record.status !== 'archived' && (hasAll || record.allUsers || record.isAssigned)
}

/** Exact spelling wins over a match that ignores case and spacing. */
interface NameIndex<Item> {
  readonly exact: ReadonlyMap<string, Item>
  readonly plain: ReadonlyMap<string, Item>
}

function indexByName<Item extends { readonly name: string }>(records: readonly Item[]): NameIndex<Item> {
  return {
    exact: new Map(records.map((record) => [record.name, record])),
    plain: new Map(records.toReversed().map((record) => [plainName(record.name), record])),
  }
}

function findByName<Item>({ exact, plain }: NameIndex<Item>, name: string): Item | undefined {
  return exact.get(name) ?? plain.get(plainName(name))
}
