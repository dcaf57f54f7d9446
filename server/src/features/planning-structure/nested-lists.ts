/** The lists inside a list: each comes with the same statement, however many records there are. */
import { type RawBuilder, sql } from 'kysely'

/** Parts of the statement that lists records; they see what is listed as `listed`. */
export interface Nested {
  /** What the list is called in each record. */
  readonly name: string
  /** What is worked out once for all: `bulk.size`, how many will be gathered at most, and whatever `records` needs. */
  readonly once: (scope: Scope) => RawBuilder<unknown>
  /** The JSON array of one listed record. */
  readonly records: (scope: Scope) => RawBuilder<unknown>
  /** How many it holds, where that is told beside it. */
  readonly count?: (scope: Scope) => RawBuilder<unknown>
}

interface Scope {
  readonly organisationId: string
  /** Whether a row of `other` is shown. */
  readonly isShown: RawBuilder<boolean>
}

/**
 * The most that is gathered for one answer. Every area linked to every subarea would be a number of links that no answer
 * can hold, and one organisation must not bring the server down; whoever is refused asks for a smaller page.
 */
export const nestedMax = 500_000

const columns = {
  area: { id: 'areaId', all: 'allAreas' },
  subarea: { id: 'subareaId', all: 'allSubareas' },
} as const

export const subareasOfAreas: Nested = {
  name: 'subareas',
  ...links('area', 'subarea', sql`json_build_object('id', id, 'name', name)`),
}

export const areasOfSubareas: Nested = {
  name: 'areasSubareas',
  ...links('subarea', 'area', sql`json_build_object('area', json_build_object('id', id, 'name', name))`),
}

export const milestonesOfVersions: Nested = {
  name: 'milestones',
  once: () => sql`bulk AS (SELECT count(*) AS size FROM listed JOIN milestone ON versionId = listed.id)`,
  records: ({ isShown }) => sql`(
    SELECT json_agg(json_build_object('id', other.id, 'name', other.name, 'versionId', versionId, 'listOrder', listOrder,
                                      'status', json_build_object('id', status.id, 'name', status.name),
                                      'groupCount', (SELECT count(DISTINCT groupId) FROM groupMilestone WHERE milestoneId = other.id))
                    ORDER BY other.name COLLATE naturalOrder, other.id)
    FROM milestone AS other JOIN status ON status.id = other.statusId WHERE versionId = listed.id AND ${isShown})`,
}

/**
 * Pairs are linked one by one, or by a flag on either side that stands for all current and future ones of the other. What
 * the flags stand for is the same for many records, so it is gathered once; only single links are looked up for each.
 */
function links(one: 'area' | 'subarea', other: 'area' | 'subarea', shown: RawBuilder<unknown>): Omit<Nested, 'name'> {
  const hasAll = sql.ref(`listed.${columns[other].all}`)
  const isOfAll = sql.ref(`other.${columns[one].all}`)
  const [ownerId, otherId] = [sql.ref(columns[one].id), sql.ref(columns[other].id)]
  const gathered = sql`json_agg(${shown} ORDER BY name COLLATE naturalOrder, id)`
  return {
    once: ({ organisationId, isShown }) => sql`
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
