/** Reads the facts for computing what users may use. */
import { type Expression, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { EntitlementGroup, EntitledPerson, EntitlementStructure } from './entitlement.ts'

/** Undefined if the user is not a member. */
export async function findEntitledPerson(
  db: Db,
  organisationId: string,
  userId: string,
): Promise<EntitledPerson | undefined> {
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
  return { ...flags, groups: await listActiveGroups(db, organisationId, mine) }
}

/** The active groups among the given ones, by name, with their grants. */
export async function listActiveGroups(
  db: Db,
  organisationId: string,
  groupIds: GroupIdQuery,
): Promise<readonly EntitlementGroup[]> {
  const groups = await db
    .selectFrom('permissionGroup')
    .innerJoin('status', 'status.id', 'permissionGroup.statusId')
    .select(['permissionGroup.id', 'permissionGroup.name'])
    .where('organisationId', '=', organisationId)
    .where('status.name', '=', 'active')
    .where('permissionGroup.id', 'in', groupIds)
    .orderBy('permissionGroup.name', (by) => by.collate('naturalOrder'))
    .execute()
  const pairGrants = await db
    .selectFrom('groupPair')
    .select(['groupId', 'areaId as outerId', 'subareaId as innerId'])
    .where('organisationId', '=', organisationId)
    .where('groupId', 'in', groupIds)
    .execute()
  const versionGrants = await db
    .selectFrom('groupMilestone')
    .select(['groupId', 'versionId as outerId', 'milestoneId as innerId'])
    .where('organisationId', '=', organisationId)
    .where('groupId', 'in', groupIds)
    .execute()
  const areas = Map.groupBy(pairGrants, ({ groupId }) => groupId)
  const versions = Map.groupBy(versionGrants, ({ groupId }) => groupId)
  return groups.map((group) => ({ ...group, areas: areas.get(group.id) ?? [], versions: versions.get(group.id) ?? [] }))
}

/** A subquery that selects group ids. */
type GroupIdQuery = ReturnType<typeof groupIds>
function groupIds(db: Db) {
  return db.selectFrom('groupUser').select('groupId')
}

/** The structure by name, with the assignments of the user. */
export async function readStructure(db: Db, organisationId: string, userId: string): Promise<EntitlementStructure> {
  const assignedTables = db.selectFrom('helperTableUser').select('helperTableId').where('userId', '=', userId)
  const assignedEntities = db.selectFrom('entityUser').select('entityId').where('userId', '=', userId)
  return {
    ...(await readPairStructure(db, organisationId)),
    helperTables: await selectAssignable(db, organisationId, 'helperTable', assignedTables).execute(),
    entities: await selectAssignable(db, organisationId, 'entity', assignedEntities).execute(),
  }
}

/** The records that groups grant in pairs. */
export async function readPairStructure(
  db: Db,
  organisationId: string,
): Promise<Omit<EntitlementStructure, 'helperTables' | 'entities'>> {
  return {
    areas: await selectRecords(db, organisationId, 'area')
      .select(sql<boolean>`allSubareas`.as('allSubareas'))
      .execute(),
    subareas: await selectRecords(db, organisationId, 'subarea')
      .select(sql<boolean>`allAreas`.as('allAreas'))
      .execute(),
    links: await db
      .selectFrom('areaSubarea')
      .select(['areaId', 'subareaId'])
      .where('organisationId', '=', organisationId)
      .execute(),
    versions: await selectRecords(db, organisationId, 'version').execute(),
    milestones: await selectRecords(db, organisationId, 'milestone').select('versionId').execute(),
  }
}

function selectAssignable(
  db: Db,
  organisationId: string,
  table: 'helperTable' | 'entity',
  assignedIds: Expression<unknown>,
) {
  return selectRecords(db, organisationId, table).select([
    sql<boolean>`allUsers`.as('allUsers'),
    sql<boolean>`record.id IN (${assignedIds})`.as('isAssigned'),
  ])
}

/** Records by name. Typed as milestones, which have the columns that all kinds of record share. */
function selectRecords(
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
