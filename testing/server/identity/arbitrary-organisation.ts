/** Generates small organisations of every shape, for property tests of entitlements. */
import fc from 'fast-check'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { statusIds } from '../app/fixed-ids.ts'

type StatusName = keyof typeof statusIds

interface ModelRecord {
  readonly id: string
  readonly name: string
  readonly status: StatusName
}
/** A pair of ids; null grants all of that side. */
export type ModelGrant = readonly [outerId: string | null, innerId: string | null]
interface ModelGroup extends ModelRecord {
  readonly areas: readonly ModelGrant[]
  readonly versions: readonly ModelGrant[]
}
export interface ModelMember {
  readonly id: string
  readonly groupIds: readonly string[]
  readonly helperTableIds: readonly string[]
  readonly entityIds: readonly string[]
  readonly allHelperTables: boolean
  readonly allEntities: boolean
}
export interface ModelOrganisation {
  readonly areas: readonly (ModelRecord & { readonly all: boolean })[]
  readonly subareas: readonly (ModelRecord & { readonly all: boolean })[]
  readonly links: readonly ModelGrant[]
  readonly versions: readonly ModelRecord[]
  readonly milestones: readonly (ModelRecord & { readonly versionId: string })[]
  readonly helperTables: readonly (ModelRecord & { readonly all: boolean })[]
  readonly entities: readonly (ModelRecord & { readonly all: boolean })[]
  readonly groups: readonly ModelGroup[]
  readonly members: readonly ModelMember[]
}

const most = 4
const status = fc.constantFrom<StatusName>('active', 'active', 'active', 'active', 'locked', 'archived')
const flag = fc.constantFrom(true, false, false)
const index = fc.nat(most - 1)
const indexes = fc.uniqueArray(index, { minLength: 1, maxLength: 3 })
const pairs = (side: fc.Arbitrary<number | null>) => fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 6 })
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: most, size: 'max' })

const records = many(fc.record({ status, all: flag, of: index }))
const granted = pairs(fc.option(index, { freq: 3 }))
const drawn = fc.record({
  areas: records,
  subareas: records,
  versions: records,
  milestones: records,
  helperTables: records,
  entities: records,
  links: pairs(index),
  groups: many(fc.record({ status, areas: granted, versions: granted })),
  members: fc.array(
    fc.record({ groups: indexes, helperTables: indexes, entities: indexes, allHelperTables: flag, allEntities: flag }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
})

/** @param userIds ids of at least three members */
export function arbitraryOrganisation(userIds: readonly string[]): fc.Arbitrary<ModelOrganisation> {
  return drawn.map((draw) => {
    const areas = named(draw.areas, 'Area')
    const subareas = named(draw.subareas, 'Subarea')
    const versions = named(draw.versions, 'Version')
    const milestones = named(draw.milestones, 'Milestone').flatMap(({ of, ...milestone }) => {
      const versionId = versions[of]?.id
      return versionId === undefined ? [] : [{ ...milestone, versionId }]
    })
    const groups = named(draw.groups, 'Group').map((group) => ({
      ...group,
      areas: chosen(group.areas, areas, subareas),
      versions: chosen(group.versions, versions, milestones).filter(([outer, inner]) =>
        isMilestone(milestones, outer, inner),
      ),
    }))
    const helperTables = named(draw.helperTables, 'Table')
    const entities = named(draw.entities, 'Entity')
    const members = draw.members.map((member, at) => ({
      ...member,
      id: userIds[at] ?? '',
      groupIds: idsAt(groups, member.groups),
      helperTableIds: idsAt(helperTables, member.helperTables),
      entityIds: idsAt(entities, member.entities),
    }))
    return {
      areas,
      subareas,
      links: chosen(draw.links, areas, subareas),
      versions,
      milestones,
      helperTables,
      entities,
      groups,
      members,
    }
  })
}

function named<T extends object>(
  drawnOnes: readonly T[],
  kind: string,
): (T & { readonly id: string; readonly name: string })[] {
  const kinds = ['Area', 'Subarea', 'Version', 'Milestone', 'Table', 'Entity', 'Group']
  return drawnOnes.map((one, at) => ({
    ...one,
    id: `00000000-0000-4000-8000-0000000009${kinds.indexOf(kind)}${at}`,
    name: `${kind} ${at}`,
  }))
}

function idsAt(things: readonly { readonly id: string }[], at: readonly number[]): readonly string[] {
  return at.flatMap((one) => things[one]?.id ?? [])
}

/** The pairs of existing records, without duplicates. */
function chosen(
  at: readonly (readonly [number | null, number | null])[],
  outers: readonly { readonly id: string }[],
  inners: readonly { readonly id: string }[],
): readonly ModelGrant[] {
  const found = at.flatMap(([outer, inner]): ModelGrant[] => {
    const [outerId, innerId] = [outer === null ? null : outers[outer]?.id, inner === null ? null : inners[inner]?.id]
    return outerId === undefined || innerId === undefined ? [] : [[outerId, innerId]]
  })
  return [...new Map(found.map((one) => [one.join(), one])).values()]
}

/** A grant of a milestone must name its version. A grant without a milestone is always valid. */
function isMilestone(
  milestones: ModelOrganisation['milestones'],
  versionId: string | null,
  milestoneId: string | null,
): boolean {
  return milestoneId === null || milestones.some((one) => one.id === milestoneId && one.versionId === versionId)
}

const tables = [
  'groupUser',
  'groupPair',
  'groupMilestone',
  'permissionGroup',
  'areaSubarea',
  'area',
  'subarea',
  'milestone',
  'version',
  'helperTable',
  'entity',
] as const

/** Replaces all planning records of the organisation. The members must exist. */
export async function storeOrganisation(db: Db, organisationId: string, made: ModelOrganisation): Promise<void> {
  for (const table of tables) await db.deleteFrom(table).where('organisationId', '=', organisationId).execute()
  await storeStructure(db, organisationId, made)
  for (const group of made.groups) await storeGrants(db, organisationId, group)
  for (const member of made.members) await storeMember(db, organisationId, member)
}

async function storeStructure(db: Db, organisationId: string, made: ModelOrganisation): Promise<void> {
  const columnsOf = ({ id, name, status: statusName }: ModelRecord) => ({
    organisationId,
    id,
    name,
    statusId: statusIds[statusName],
  })
  const areas = made.areas.map((area) => ({ ...columnsOf(area), allSubareas: area.all }))
  await insert(db, 'area', areas)
  const subareas = made.subareas.map((subarea) => ({ ...columnsOf(subarea), allAreas: subarea.all }))
  await insert(db, 'subarea', subareas)
  const links = made.links.map(([areaId, subareaId]) => ({ organisationId, areaId, subareaId }))
  await insert(db, 'areaSubarea', links)
  await insert(db, 'version', made.versions.map(columnsOf))
  const milestones = made.milestones.map((milestone) => ({ ...columnsOf(milestone), versionId: milestone.versionId }))
  await insert(db, 'milestone', milestones)
  const helperTables = made.helperTables.map((table) => ({
    ...columnsOf(table),
    inputTableName: table.name.replace(' ', ''),
    allUsers: table.all,
  }))
  await insert(db, 'helperTable', helperTables)
  const entities = made.entities.map((entity) => ({ ...columnsOf(entity), allUsers: entity.all }))
  await insert(db, 'entity', entities)
  await insert(db, 'permissionGroup', made.groups.map(columnsOf))
}

async function storeGrants(
  db: Db,
  organisationId: string,
  { id: groupId, areas, versions }: ModelGroup,
): Promise<void> {
  const pairs = areas.map(([areaId, subareaId]) => ({ organisationId, groupId, areaId, subareaId }))
  await insert(db, 'groupPair', pairs)
  const milestones = versions.map(([versionId, milestoneId]) => ({ organisationId, groupId, versionId, milestoneId }))
  await insert(db, 'groupMilestone', milestones)
}

async function storeMember(db: Db, organisationId: string, member: ModelMember): Promise<void> {
  const { id: userId, groupIds, helperTableIds, entityIds, allHelperTables, allEntities } = member
  const ids = { organisationId, userId }
  await db
    .updateTable('membership')
    .set({ allHelperTables, allEntities })
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .execute()
  const groups = groupIds.map((groupId) => ({ ...ids, groupId }))
  await insert(db, 'groupUser', groups)
  const helperTables = helperTableIds.map((helperTableId) => ({ ...ids, helperTableId }))
  await insert(db, 'helperTableUser', helperTables)
  const entities = entityIds.map((entityId) => ({ ...ids, entityId }))
  await insert(db, 'entityUser', entities)
}

async function insert(db: Db, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto(table as 'entity')
    .values(rows as never)
    .execute()
}
