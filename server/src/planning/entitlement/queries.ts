/** What the computation of what people may use is given. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { Assigned, Grant, Group, Person, Structure } from './entitlement.ts'

/** Undefined for who is no member. */
export async function findPerson(db: Db, organisationId: string, userId: string): Promise<Person | undefined> {
  const flags = await db
    .selectFrom('membership')
    .select(['allHelperTables', 'allEntities'])
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (flags === undefined) return undefined
  const mine = db
    .selectFrom('groupUser')
    .select('groupId')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
  return { ...flags, groups: await listGroups(db, organisationId, mine) }
}

/** The active ones among those groups, by name, with their grants. */
export async function listGroups(db: Db, organisationId: string, which: GroupIds): Promise<readonly Group[]> {
  const groups = await db
    .selectFrom('permissionGroup')
    .innerJoin('status', 'status.id', 'permissionGroup.statusId')
    .select(['permissionGroup.id', 'permissionGroup.name'])
    .where('organisationId', '=', organisationId)
    .where('status.name', '=', 'active')
    .where('permissionGroup.id', 'in', which)
    .orderBy('permissionGroup.name', (by) => by.collate('naturalOrder'))
    .execute()
  const [areas, versions] = [
    await listPairGrants(db, organisationId, which),
    await listVersionGrants(db, organisationId, which),
  ]
  return groups.map((group) => ({ ...group, areas: areas.get(group.id) ?? [], versions: versions.get(group.id) ?? [] }))
}

/** A statement that answers their ids. */
export type GroupIds = ReturnType<typeof groupIds>
function groupIds(db: Db) {
  return db.selectFrom('groupUser').select('groupId')
}

async function listPairGrants(db: Db, organisationId: string, which: GroupIds): Promise<Map<string, Grant[]>> {
  const rows = await db
    .selectFrom('groupPair')
    .select(['groupId', 'areaId as outerId', 'subareaId as innerId'])
    .where('organisationId', '=', organisationId)
    .where('groupId', 'in', which)
    .execute()
  return Map.groupBy(rows, ({ groupId }) => groupId)
}

async function listVersionGrants(db: Db, organisationId: string, which: GroupIds): Promise<Map<string, Grant[]>> {
  const rows = await db
    .selectFrom('groupMilestone')
    .select(['groupId', 'versionId as outerId', 'milestoneId as innerId'])
    .where('organisationId', '=', organisationId)
    .where('groupId', 'in', which)
    .execute()
  return Map.groupBy(rows, ({ groupId }) => groupId)
}

/** By name, with what is assigned to that person. */
export async function readStructure(db: Db, organisationId: string, userId: string): Promise<Structure> {
  return {
    ...(await readPlan(db, organisationId)),
    helperTables: await listHelperTables(db, organisationId, userId),
    entities: await listEntities(db, organisationId, userId),
  }
}

/** What groups grant pairs of. */
export async function readPlan(db: Db, organisationId: string): Promise<Omit<Structure, 'helperTables' | 'entities'>> {
  return {
    areas: await records(db, organisationId, 'area')
      .select(sql<boolean>`allSubareas`.as('allSubareas'))
      .execute(),
    subareas: await records(db, organisationId, 'subarea')
      .select(sql<boolean>`allAreas`.as('allAreas'))
      .execute(),
    links: await db
      .selectFrom('areaSubarea')
      .select(['areaId', 'subareaId'])
      .where('organisationId', '=', organisationId)
      .execute(),
    versions: await records(db, organisationId, 'version').execute(),
    milestones: await records(db, organisationId, 'milestone').select('versionId').execute(),
  }
}

function listHelperTables(db: Db, organisationId: string, userId: string): Promise<Assigned[]> {
  const assigned = db.selectFrom('helperTableUser').select('helperTableId').where('userId', '=', userId)
  return records(db, organisationId, 'helperTable')
    .select([sql<boolean>`allUsers`.as('allUsers'), sql<boolean>`record.id IN (${assigned})`.as('isAssigned')])
    .execute()
}

function listEntities(db: Db, organisationId: string, userId: string): Promise<Assigned[]> {
  const assigned = db.selectFrom('entityUser').select('entityId').where('userId', '=', userId)
  return records(db, organisationId, 'entity')
    .select([sql<boolean>`allUsers`.as('allUsers'), sql<boolean>`record.id IN (${assigned})`.as('isAssigned')])
    .execute()
}

/** By name. A milestone has the columns that all kinds of record have. */
function records(
  db: Db,
  organisationId: string,
  table: 'area' | 'subarea' | 'version' | 'milestone' | 'helperTable' | 'entity',
) {
  return db
    .selectFrom(`${table as 'milestone'} as record`)
    .innerJoin('status', 'status.id', 'record.statusId')
    .select(['record.id', 'record.name', sql<'active' | 'locked' | 'archived'>`status.name`.as('status')])
    .where('organisationId', '=', organisationId)
    .orderBy('record.name', (by) => by.collate('naturalOrder'))
    .orderBy('record.id')
}
