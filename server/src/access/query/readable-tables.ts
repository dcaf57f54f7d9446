/**
 * Who reads which tables of an organisation's warehouse. Administrators read all, a person reads the tables of the connectors that
 * they are assigned to, and what their groups, entities and helper tables entitle them to. Permissions themselves are decided
 * elsewhere: roles in the contract, entitlements in `planning/entitlement`.
 */
import { may, roleLevels } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { isMembershipOpen } from '../../identity/people/auditor-rooms.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'

/** A view of a mark that an auditor room covers. */
interface MarkedView {
  readonly connectorId: string
  readonly name: string
}

/** Facts about a person in an organisation. */
export interface ReaderFacts {
  /** Null: the person has no role in the organisation. */
  readonly roleLevel: number | null
  /** False for accounts that are locked or archived. */
  readonly isActive: boolean
  /** The existing connectors that the person is assigned to. */
  readonly connectorIds: readonly string[]
  /** The views of single marks that the person's auditor room covers. */
  readonly markedViews: readonly MarkedView[]
  /** Versions of which the person may use at least one milestone. */
  readonly versionIds: readonly string[]
  /** Helper tables that the person may use. */
  readonly helperTableIds: readonly string[]
  /** Whether the person is in an active group or may use an entity. */
  readonly hasGroupsOrEntities: boolean
}

export interface ReadableTables {
  readonly mayRead: boolean
  /** Whether the person's logins are kept, so that they work again once there is something to read. */
  readonly keepsLogins: boolean
  /** The connectors of which all tables are readable. */
  readonly connectors: 'all' | readonly string[]
  /** The versions of whose tables rows are readable: all rows for administrators, otherwise those that the person is entitled to. */
  readonly versions: 'all' | readonly string[]
  readonly helperTables: 'all' | readonly string[]
  /** Views that are readable without the tables that they show. */
  readonly markedViews: readonly MarkedView[]
}

export const readsNothing: ReadableTables = {
  mayRead: false,
  keepsLogins: false,
  connectors: [],
  versions: [],
  helperTables: [],
  markedViews: [],
}
const readsAll: ReadableTables = {
  mayRead: true,
  keepsLogins: true,
  connectors: 'all',
  versions: 'all',
  helperTables: 'all',
  markedViews: [],
}

/** Pure. */
export function computeReadableTables(facts: ReaderFacts): ReadableTables {
  const { roleLevel, isActive, connectorIds, markedViews, versionIds, helperTableIds, hasGroupsOrEntities } = facts
  if (roleLevel === null || !isActive) return readsNothing
  if (may(roleLevel, 'seeWarehouse')) return readsAll
  const isGuest = roleLevel >= roleLevels.guest
  const planned = isGuest ? { versions: [], helperTables: [] } : { versions: versionIds, helperTables: helperTableIds }
  const mayReadPlans = !isGuest && (hasGroupsOrEntities || versionIds.length > 0 || helperTableIds.length > 0)
  const mayRead = connectorIds.length > 0 || markedViews.length > 0 || mayReadPlans
  return { mayRead, keepsLogins: mayRead || !isGuest, connectors: connectorIds, markedViews, ...planned }
}

/** What a person reads in the organisation, by the state of the store. */
export async function listReadableTables(
  db: Db,
  organisationId: string,
  { userId }: Pick<Actor, 'userId'>,
): Promise<ReadableTables> {
  return (await listReadableTablesOf(db, organisationId, [userId])).get(userId) ?? readsNothing
}

/** The same for several people. Reads nothing: people who are not listed. */
export async function listReadableTablesOf(
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ReadableTables>> {
  const facts = await readReaderFacts(db, organisationId, userIds)
  return new Map(facts.map(({ userId, ...one }) => [userId, computeReadableTables(one)]))
}

interface PersonFacts extends ReaderFacts {
  readonly userId: string
}

/** In an archived organisation only the provider has a role, and after the end of an auditor room its person has none. */
async function readReaderFacts(
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<readonly PersonFacts[]> {
  const { rows } = await sql<PersonFacts>`
    WITH milestones AS MATERIALIZED (
      SELECT userId, array_agg(DISTINCT versionId) AS ids FROM usableMilestones(${organisationId}) WHERE userId = ANY (${userIds}) GROUP BY userId
    ), helperTables AS MATERIALIZED (
      SELECT userId, array_agg(helperTableId) AS ids FROM usableHelperTables(${organisationId}) WHERE userId = ANY (${userIds}) GROUP BY userId
    ), entities AS MATERIALIZED (
      SELECT DISTINCT userId FROM usableEntities(${organisationId}) WHERE userId = ANY (${userIds})
    ), members AS (
      SELECT membership.userId, membership.roleId FROM membership JOIN organisation ON organisation.id = membership.organisationId
      WHERE membership.organisationId = ${organisationId} AND organisation.archivedAt IS NULL AND ${isMembershipOpen}
    )
    SELECT portalUser.id AS userId, coalesce(providerRole.roleLevel, memberRole.roleLevel) AS roleLevel, status.name = 'active' AS isActive,
      ARRAY(SELECT link.connectorId FROM connectorUser AS link JOIN connector ON connector.id = link.connectorId
        WHERE link.organisationId = ${organisationId} AND link.userId = portalUser.id AND connector.status <> 'DELETED') AS connectorIds,
      ARRAY(SELECT jsonb_build_object('connectorId', mark.connectorId, 'name', marked.name)
        FROM auditorRoom AS room JOIN reportMark AS mark ON mark.organisationId = room.organisationId AND mark.id = ANY (room.markIds)
        JOIN connector ON connector.id = mark.connectorId AND connector.status <> 'DELETED' CROSS JOIN unnest(mark.views) AS marked (name)
        WHERE room.organisationId = ${organisationId} AND room.userId = portalUser.id AND room.endedAt IS NULL) AS markedViews,
      coalesce(milestones.ids, '{}') AS versionIds, coalesce(helperTables.ids, '{}') AS helperTableIds,
      entities.userId IS NOT NULL OR EXISTS (SELECT FROM groupUser AS link JOIN permissionGroup ON permissionGroup.id = link.groupId
        WHERE link.organisationId = ${organisationId} AND link.userId = portalUser.id
          AND permissionGroup.statusId = (SELECT id FROM status WHERE name = 'active')) AS hasGroupsOrEntities
    FROM portalUser JOIN status ON status.id = portalUser.statusId
    LEFT JOIN role AS providerRole ON providerRole.id = portalUser.providerRoleId
    LEFT JOIN members ON members.userId = portalUser.id
    LEFT JOIN role AS memberRole ON memberRole.id = members.roleId
    LEFT JOIN milestones ON milestones.userId = portalUser.id
    LEFT JOIN helperTables ON helperTables.userId = portalUser.id
    LEFT JOIN entities ON entities.userId = portalUser.id
    WHERE portalUser.id = ANY (${userIds})`.execute(db)
  return rows
}

/**
 * The slices of version tables whose rows each person may read, by user id: those whose area and subarea, milestone and entity they
 * are all entitled to. For people who read all rows the list says nothing.
 */
export async function listReadableSlices(
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<{ userId: string; sliceIds: readonly string[] }>`
    SELECT pairs.userId, array_agg(slice.sliceId ORDER BY slice.sliceId) AS sliceIds
    FROM slice
    JOIN usablePairs(${organisationId}) AS pairs ON pairs.areaId = slice.areaId AND pairs.subareaId = slice.subareaId
    JOIN usableMilestones(${organisationId}) AS milestones
      ON milestones.userId = pairs.userId AND milestones.milestoneId = slice.milestoneId
    JOIN usableEntities(${organisationId}) AS entities ON entities.userId = pairs.userId AND entities.entityId = slice.entityId
    WHERE slice.organisationId = ${organisationId} AND pairs.userId = ANY (${userIds})
    GROUP BY pairs.userId`.execute(db)
  return new Map(rows.map(({ userId, sliceIds }) => [userId, sliceIds]))
}
