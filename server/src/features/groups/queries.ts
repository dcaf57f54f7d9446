import type { PermissionGroup } from '@tributary/contract/groups'
import type { RecordQuery } from '@tributary/contract/planning-records'
import type { Camel } from '@tributary/contract/wire'
import { sql, type UpdateObject } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import { badField, notFound, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isPaged, onePage } from '../../kernel/http/paging.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'

export type ListedGroup = Camel<PermissionGroup>

/** The most grants in one response, so that one organisation cannot exhaust the server's memory. */
const maxGrants = 500_000

/** Groups by name, read in one statement. Counts `total` only for a paginated list. */
export async function listGroups(
  db: Db,
  organisationId: string,
  query: RecordQuery,
): Promise<{ readonly groups: readonly ListedGroup[]; readonly total: number | null }> {
  const selection = selectGroups(db, organisationId, query)
  const groups = await loadGroups(db, organisationId, { selection: onePage(selection, query), sort: query.sort })
  if (!isPaged(query)) return { groups, total: null }
  const { total } = await selection
    .clearOrderBy()
    .select(db.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { groups, total }
}

/** Throws `notFound`. */
export async function getGroup(db: Db, organisationId: string, id: string): Promise<ListedGroup> {
  const selection = selectGroups(db, organisationId, { archived: true }).where('record.id', '=', id)
  const [group] = await loadGroups(db, organisationId, { selection, sort: 'asc' })
  return requireFound(group)
}

function selectGroups(db: Db, organisationId: string, { search, sort = 'asc', archived = false }: RecordQuery) {
  return db
    .selectFrom('permissionGroup as record')
    .where('record.organisationId', '=', organisationId)
    .where(matchesSearch(sql.ref('name'), search))
    .$if(!archived, (some) =>
      some.where(sql<boolean>`record.statusId <> (SELECT id FROM status WHERE name = 'archived')`),
    )
    .orderBy('name', (by) => by[sort]().collate('naturalOrder'))
    .orderBy('record.id', sort)
}

interface GroupSelection {
  readonly selection: ReturnType<typeof selectGroups>
  readonly sort: 'asc' | 'desc' | undefined
}

async function loadGroups(
  db: Db,
  organisationId: string,
  { selection, sort = 'asc' }: GroupSelection,
): Promise<ListedGroup[]> {
  const { rows } = await sql<
    Omit<ListedGroup, keyof WireGrants> & { areas: readonly PairGrant[]; versions: readonly PairGrant[] }
  >`
    WITH listed AS (${selection.selectAll('record')}),
    areas AS (
      SELECT groupId, json_agg(json_build_object('outerId', areaId, 'innerId', subareaId)) AS grants
      FROM (SELECT groupPair.* FROM groupPair JOIN listed ON listed.id = groupId WHERE groupPair.organisationId = ${organisationId}
            LIMIT ${maxGrants + 1}) AS granted GROUP BY groupId
    ), versions AS (
      SELECT groupId, json_agg(json_build_object('outerId', versionId, 'innerId', milestoneId)) AS grants
      FROM (SELECT groupMilestone.* FROM groupMilestone JOIN listed ON listed.id = groupId WHERE groupMilestone.organisationId = ${organisationId}
            LIMIT ${maxGrants + 1}) AS granted GROUP BY groupId
    )
    SELECT listed.id, listed.name, listed.revision, json_build_object('id', status.id, 'name', status.name) AS status,
           coalesce(areas.grants, '[]') AS areas, coalesce(versions.grants, '[]') AS versions,
           (SELECT count(*) FROM groupUser WHERE groupUser.groupId = listed.id) AS members
    FROM listed JOIN status ON status.id = listed.statusId
    LEFT JOIN areas ON areas.groupId = listed.id LEFT JOIN versions ON versions.groupId = listed.id
    ORDER BY listed.name COLLATE naturalOrder ${sql.raw(sort)}, listed.id ${sql.raw(sort)}`.execute(db)
  const count = rows.reduce((sum, { areas, versions }) => sum + areas.length + versions.length, 0)
  if (count > maxGrants)
    throw badField('pageSize', `is missing or too large: these groups grant more than ${maxGrants} pairs in all`)
  return rows.map(({ areas, versions, ...group }) => ({ ...group, ...toWireGrants(areas, versions) }))
}

type WireGrants = Pick<Camel<PermissionGroup>, 'permissionGroupAreasSubAreas' | 'b2SGroupVersionMilestones'>

function toWireGrants(areas: readonly PairGrant[], versions: readonly PairGrant[]): WireGrants {
  return {
    permissionGroupAreasSubAreas: areas.map(({ outerId: areaId, innerId: subareaId }) => ({
      b2SAreaId: areaId,
      b2SSubareaId: subareaId,
      b2SAreaSubarea: { areaId, subareaId },
      b2SSubAreaAllCurrentAndFuture: subareaId === null,
      b2SAreaAllCurrentAndFuture: areaId === null,
    })),
    b2SGroupVersionMilestones: versions.map(({ outerId: versionId, innerId: milestoneId }) => ({
      b2SVersionId: versionId,
      b2SMilestoneId: milestoneId,
      b2SMilestoneAllCurrentAndFuture: milestoneId === null,
    })),
  }
}

/**
 * Throws `notFound`. Locks the group until the transaction ends. Reads the status with a subquery: a join would lose the row after waiting for a
 * concurrent change of status.
 */
export function lockGroup(db: Db, organisationId: string, id: string) {
  return db
    .selectFrom('permissionGroup')
    .select([
      'id',
      'name',
      'revision',
      sql<string>`(SELECT status.name FROM status WHERE status.id = statusId)`.as('status'),
    ])
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the id, or undefined if the name is taken. */
export async function insertGroup(db: Db, organisationId: string, name: string): Promise<string | undefined> {
  const inserted = await db
    .insertInto('permissionGroup')
    .values({ organisationId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function updateGroup(
  db: Db,
  organisationId: string,
  { id, ...set }: UpdateObject<StoreSchema, 'permissionGroup'> & { readonly id: string },
): Promise<void> {
  await db
    .updateTable('permissionGroup')
    .set(set)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteGroup(db: Db, organisationId: string, id: string): Promise<void> {
  await db.deleteFrom('permissionGroup').where('organisationId', '=', organisationId).where('id', '=', id).execute()
}

export async function findStatus(db: Db, id: string): Promise<string | undefined> {
  const found = await db.selectFrom('status').select('name').where('id', '=', id).executeTakeFirst()
  return found?.name
}

/**
 * The audit events of changes after `revision`, oldest first. Searches only the newest thousand events of the organisation, because
 * a caller who saves has read the group within their session.
 */
export function listChangesSince(
  db: Db,
  organisationId: string,
  { id, revision }: { readonly id: string; readonly revision: number },
) {
  const recent = db
    .selectFrom('auditEvent')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .orderBy('id', 'desc')
    .limit(1_000)
  return db
    .selectFrom(recent.as('recent'))
    .leftJoin('portalUser', 'portalUser.id', 'recent.actorId')
    .select([selectFullName('actorId').as('actor'), 'detail'])
    .where('objectType', '=', 'permissionGroup')
    .where('objectId', '=', id)
    .where(sql<boolean>`(detail ->> 'revision')::int > ${revision}`)
    .orderBy('recent.id')
    .execute()
}

/** The members of the group, each with all their groups. */
export function listMembers(db: Db, organisationId: string, groupId: string) {
  return db
    .selectFrom('groupUser')
    .innerJoin('portalUser', 'portalUser.id', 'groupUser.userId')
    .select(['userId', sql<string>`firstName || ' ' || lastName`.as('name')])
    .select(
      sql<
        readonly string[]
      >`ARRAY(SELECT every.groupId FROM groupUser AS every WHERE every.organisationId = ${organisationId} AND every.userId = portalUser.id)`.as(
        'groupIds',
      ),
    )
    .where('organisationId', '=', organisationId)
    .where('groupId', '=', groupId)
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('userId')
    .execute()
}
