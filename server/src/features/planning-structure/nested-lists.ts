/** Lists inside records of a list. One statement reads them with all records, which avoids a query per record. */
import { type RawBuilder, sql } from 'kysely'

/** SQL of a nested list, for the statement of `listRecords`, whose CTE `listed` has the listed records. */
export interface NestedList {
  /** The name of the list in each record. */
  readonly name: string
  /** Common table expressions for all records: `bulk.size`, the upper bound of nested records, and what `records` needs. */
  readonly commonTables: (scope: NestedListScope) => RawBuilder<unknown>
  /** The JSON array of one record. */
  readonly records: (scope: NestedListScope) => RawBuilder<unknown>
  /** The number of nested records, if the list shows it. */
  readonly count?: (scope: NestedListScope) => RawBuilder<unknown>
}

interface NestedListScope {
  readonly organisationId: string
  /** Condition for a row of `other` to be shown. */
  readonly isShown: RawBuilder<boolean>
}

/**
 * The most nested records in one response. Linking every area to every subarea could otherwise exhaust the server's memory. A
 * refused caller requests a smaller page.
 */
export const maxNestedRecords = 500_000

const linkColumns = {
  area: { id: 'areaId', all: 'allAreas' },
  subarea: { id: 'subareaId', all: 'allSubareas' },
} as const

export const subareasOfAreas: NestedList = {
  name: 'subareas',
  ...linkedList('area', 'subarea', sql`json_build_object('id', id, 'name', name)`),
}

export const areasOfSubareas: NestedList = {
  name: 'areasSubareas',
  ...linkedList('subarea', 'area', sql`json_build_object('area', json_build_object('id', id, 'name', name))`),
}

export const milestonesOfVersions: NestedList = {
  name: 'milestones',
  commonTables: () => sql`bulk AS (SELECT count(*) AS size FROM listed JOIN milestone ON versionId = listed.id)`,
  records: ({ isShown }) => sql`(
    SELECT json_agg(json_build_object('id', other.id, 'name', other.name, 'versionId', versionId, 'listOrder', listOrder,
                                      'status', json_build_object('id', status.id, 'name', status.name),
                                      'groupCount', (SELECT count(DISTINCT groupId) FROM groupMilestone WHERE milestoneId = other.id))
                    ORDER BY other.name COLLATE naturalOrder, other.id)
    FROM milestone AS other JOIN status ON status.id = other.statusId WHERE versionId = listed.id AND ${isShown})`,
}

/**
 * Pairs are linked one by one, or by a flag on either side for all current and future records of the other. The records that a flag
 * stands for are the same for many records, so a CTE collects them once. Only single links are looked up per record.
 */
function linkedList(
  one: 'area' | 'subarea',
  other: 'area' | 'subarea',
  shown: RawBuilder<unknown>,
): Omit<NestedList, 'name'> {
  const hasAll = sql.ref(`listed.${linkColumns[other].all}`)
  const isOfAll = sql.ref(`other.${linkColumns[one].all}`)
  const [ownerId, otherId] = [sql.ref(linkColumns[one].id), sql.ref(linkColumns[other].id)]
  const gathered = sql`json_agg(${shown} ORDER BY name COLLATE naturalOrder, id)`
  return {
    commonTables: ({ organisationId, isShown }) => sql`
      everything AS MATERIALIZED (
        SELECT ${gathered} AS records FROM ${sql.table(other)} AS other
        WHERE organisationId = ${organisationId} AND ${isShown}),
      ofAll AS MATERIALIZED (
        SELECT id, name FROM ${sql.table(other)} AS other WHERE organisationId = ${organisationId} AND ${isOfAll} AND ${isShown}),
      bulk AS MATERIALIZED (
        SELECT (SELECT count(*) FROM listed JOIN areaSubarea ON ${ownerId} = listed.id)
             + (SELECT count(*) FROM listed JOIN ${sql.table(other)} AS other ON ${hasAll} WHERE other.organisationId = ${organisationId})
             + (SELECT count(*) FROM listed) * (SELECT count(*) FROM ofAll) AS size)`,
    records: ({ isShown }) => sql`
      CASE WHEN ${hasAll} THEN (SELECT records FROM everything) ELSE (
        SELECT ${gathered} FROM (
          SELECT id, name FROM ofAll
          UNION ALL
          SELECT other.id, other.name FROM areaSubarea JOIN ${sql.table(other)} AS other ON other.id = ${otherId}
          WHERE ${ownerId} = listed.id AND NOT ${isOfAll} AND ${isShown}
        ) AS linked) END`,
    count: ({ organisationId, isShown }) => sql`
      CASE WHEN ${hasAll} THEN (
        SELECT count(*) FROM ${sql.table(other)} AS other WHERE organisationId = ${organisationId} AND ${isShown}
      ) ELSE (SELECT count(*) FROM ofAll) + (
        SELECT count(*) FROM areaSubarea JOIN ${sql.table(other)} AS other ON other.id = ${otherId}
        WHERE ${ownerId} = listed.id AND NOT ${isOfAll} AND ${isShown}) END`,
  }
}
