/** Counts the planning structure and finds what is missing in it, in one statement. */
import {
  gapRecordsMax,
  type StructureGap,
  structureGapKinds,
  type StructureMap,
} from '@tributary/contract/structure-map'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

type Gap = Camel<StructureGap>
type MapRow = Omit<Camel<StructureMap>, 'gaps'> & { readonly gaps: readonly Gap[] }

/** @param place where the organisation's tables are now */
export async function readStructureMap(db: Db, organisationId: string, place: string): Promise<Camel<StructureMap>> {
  const { rows } = await sql<MapRow>`
    WITH ${shownRecords(organisationId, place)},
    gap AS (${sql.join(gapQueries(), sql` UNION ALL `)}),
    found AS (
      SELECT kind, count(*) AS "count",
             to_json((array_agg(json_build_object('id', id, 'name', name) ORDER BY name COLLATE naturalOrder, id))[1:${sql.lit(gapRecordsMax)}]) AS records
      FROM gap GROUP BY kind)
    SELECT (SELECT count(*) FROM shownArea) AS areas,
           (SELECT count(*) FROM shownSubarea) AS subareas,
           ${countLinks} AS links,
           (SELECT count(*) FROM shownVersion) AS versions,
           (SELECT count(*) FROM shownMilestone) AS milestones,
           (SELECT count(*) FROM shownHelperTable) AS "helperTables",
           (SELECT count(*) FROM shownVersion WHERE hasTable) + (SELECT count(*) FROM shownHelperTable WHERE hasTable) AS tables,
           (SELECT count(*) FROM shownGroup) AS "groups",
           (SELECT count(*) FROM shownEntity) AS entities,
           (SELECT count(*) FROM person) AS people,
           (SELECT coalesce(json_agg(json_build_object('kind', kind, 'count', "count", 'records', records)), '[]') FROM found) AS gaps`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('A statement of counts returned no row.')
  const order = (gap: Gap) => structureGapKinds.indexOf(gap.kind)
  return { ...row, gaps: row.gaps.toSorted((one, other) => order(one) - order(other)) }
}

/** The records of each step that are not archived, and the active members. */
function shownRecords(organisationId: string, place: string): RawBuilder<unknown> {
  const isShown = sql`organisationId = ${organisationId} AND statusId <> (SELECT id FROM status WHERE name = 'archived')`
  return sql`
    shownArea AS MATERIALIZED (SELECT id, name, allSubareas FROM area WHERE ${isShown}),
    shownSubarea AS MATERIALIZED (SELECT id, name, allAreas FROM subarea WHERE ${isShown}),
    shownVersion AS MATERIALIZED (SELECT id, name, tablePlace IS NOT DISTINCT FROM ${place} AS hasTable FROM version WHERE ${isShown}),
    shownMilestone AS MATERIALIZED (
      SELECT milestone.id, versionId FROM milestone JOIN shownVersion ON shownVersion.id = versionId WHERE ${isShown}),
    shownHelperTable AS MATERIALIZED (SELECT id, name, tablePlace IS NOT DISTINCT FROM ${place} AS hasTable FROM helperTable WHERE ${isShown}),
    shownGroup AS MATERIALIZED (SELECT id, name FROM permissionGroup WHERE ${isShown}),
    shownEntity AS MATERIALIZED (SELECT id, allUsers FROM entity WHERE ${isShown}),
    shownLink AS MATERIALIZED (
      SELECT areaId, subareaId FROM areaSubarea JOIN shownArea ON shownArea.id = areaId JOIN shownSubarea ON shownSubarea.id = subareaId
      WHERE organisationId = ${organisationId}),
    pairGrant AS MATERIALIZED (
      SELECT areaId, subareaId FROM groupPair JOIN shownGroup ON shownGroup.id = groupId WHERE organisationId = ${organisationId}),
    versionGrant AS MATERIALIZED (
      SELECT versionId FROM groupMilestone JOIN shownGroup ON shownGroup.id = groupId WHERE organisationId = ${organisationId}),
    person AS MATERIALIZED (
      SELECT portalUser.id, firstName || ' ' || lastName AS name, allEntities
      FROM membership JOIN portalUser ON portalUser.id = membership.userId JOIN status ON status.id = portalUser.statusId
      WHERE membership.organisationId = ${organisationId} AND status.name = 'active')`
}

/** Pairs that a flag of either side stands for are counted without enumerating them. */
const countLinks = sql`(
  (SELECT count(*) FROM shownArea WHERE allSubareas) * (SELECT count(*) FROM shownSubarea)
  + (SELECT count(*) FROM shownArea WHERE NOT allSubareas) * (SELECT count(*) FROM shownSubarea WHERE allAreas)
  + (SELECT count(*) FROM shownLink JOIN shownArea ON shownArea.id = areaId JOIN shownSubarea ON shownSubarea.id = subareaId
     WHERE NOT allSubareas AND NOT allAreas))`

function gapQueries(): readonly RawBuilder<unknown>[] {
  const gap = (kind: Gap['kind'], from: RawBuilder<unknown>) =>
    sql`SELECT ${sql.lit(kind)} AS kind, one.id, one.name FROM ${from}`
  return [
    gap(
      'areasWithoutSubareas',
      sql`shownArea AS one WHERE NOT allSubareas AND NOT EXISTS (SELECT FROM shownSubarea WHERE allAreas)
          AND one.id NOT IN (SELECT areaId FROM shownLink)`,
    ),
    gap(
      'subareasWithoutAreas',
      sql`shownSubarea AS one WHERE NOT allAreas AND NOT EXISTS (SELECT FROM shownArea WHERE allSubareas)
          AND one.id NOT IN (SELECT subareaId FROM shownLink)`,
    ),
    gap(
      'versionsWithoutMilestones',
      sql`shownVersion AS one WHERE one.id NOT IN (SELECT versionId FROM shownMilestone)`,
    ),
    gap('versionsWithoutTable', sql`shownVersion AS one WHERE NOT hasTable`),
    gap('helperTablesWithoutTable', sql`shownHelperTable AS one WHERE NOT hasTable`),
    gap(
      'groupsWithoutGrants',
      sql`shownGroup AS one WHERE NOT EXISTS (SELECT FROM groupPair WHERE groupId = one.id)
          AND NOT EXISTS (SELECT FROM groupMilestone WHERE groupId = one.id)`,
    ),
    gap('groupsWithoutMembers', sql`shownGroup AS one WHERE NOT EXISTS (SELECT FROM groupUser WHERE groupId = one.id)`),
    gap('areasWithoutGroup', areasWithoutGroup),
    gap(
      'versionsWithoutGroup',
      sql`shownVersion AS one WHERE NOT EXISTS (SELECT FROM versionGrant WHERE versionId IS NULL)
          AND one.id NOT IN (SELECT versionId FROM versionGrant WHERE versionId IS NOT NULL)`,
    ),
    gap(
      'peopleWithoutGroup',
      sql`person AS one WHERE NOT EXISTS (
            SELECT FROM groupUser JOIN shownGroup ON shownGroup.id = groupId WHERE userId = one.id)`,
    ),
    gap(
      'peopleWithoutEntity',
      sql`person AS one WHERE NOT (allEntities AND EXISTS (SELECT FROM shownEntity)) AND NOT EXISTS (SELECT FROM shownEntity WHERE allUsers)
          AND NOT EXISTS (SELECT FROM entityUser JOIN shownEntity ON shownEntity.id = entityId WHERE userId = one.id)`,
    ),
  ]
}

/** A grant names an area, or a subarea with all its areas, or neither, which stands for everything. */
const areasWithoutGroup = sql`shownArea AS one
  WHERE NOT EXISTS (SELECT FROM pairGrant WHERE areaId IS NULL AND subareaId IS NULL)
    AND one.id NOT IN (SELECT areaId FROM pairGrant WHERE areaId IS NOT NULL)
    AND one.id NOT IN (
      SELECT areaId FROM shownLink WHERE subareaId IN (SELECT subareaId FROM pairGrant WHERE areaId IS NULL))
    AND NOT EXISTS (
      SELECT FROM shownSubarea WHERE (one.allSubareas OR allAreas) AND id IN (SELECT subareaId FROM pairGrant WHERE areaId IS NULL))`
