/** Queries of the Trust page. */
import { sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import type { Db } from '../../kernel/store/store.ts'

/** By name. Leaves out deleted connectors. */
export async function listSources(db: Db, organisationId: string, visible: ConnectorVisibility, now: Date) {
  const fires = await listScheduledFires(db, [organisationId], now)
  return await withHealth(selectVisibleConnectors(db, organisationId, visible), fires, now)
    .leftJoin('closedPeriod', 'closedPeriod.connectorId', 'connector.id')
    .leftJoin('publicationMember', 'publicationMember.connectorId', 'connector.id')
    .leftJoin('publicationSet', 'publicationSet.id', 'publicationMember.setId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('tieOut')
          .select(['state', 'notice', 'checkedAt', 'differing'])
          .whereRef('tieOut.connectorId', '=', 'connector.id')
          .orderBy('checkedAt', 'desc')
          .limit(1)
          .as('compared'),
      (join) => join.onTrue(),
    )
    .select([
      'connector.id as connectorId',
      'connector.name',
      'connector.type',
      'compared.state as comparison',
      'compared.notice',
      'compared.checkedAt as comparedAtUtc',
      'compared.differing as differences',
      'closedPeriod.isOn as watches',
      'closedPeriod.closedThrough',
      'publicationMember.heldBecause as publicationHeldBecause',
      'publicationSet.staysSince as publicationStaysSinceUtc',
      (eb) =>
        eb
          .selectFrom('publicationRun')
          .innerJoin('publication', (join) =>
            join
              .onRef('publication.setId', '=', 'publicationRun.setId')
              .onRef('publication.number', '=', 'publicationRun.number'),
          )
          .select('publicationRun.moment')
          .whereRef('publicationRun.connectorId', '=', 'connector.id')
          .whereRef('publicationRun.setId', '=', 'publicationSet.id')
          .where('publication.publishedAt', 'is not', null)
          .orderBy('publication.number', 'desc')
          .limit(1)
          .as('publishedMoment'),
    ])
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
    .execute()
}

export type SourceRow = Awaited<ReturnType<typeof listSources>>[number]

/** How many moved tables have a filter, by connector. */
export async function countFilteredTables(
  db: Db,
  organisationId: string,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('tableRule')
    .innerJoin('connectorStream', (join) =>
      join
        .onRef('connectorStream.connectorId', '=', 'tableRule.connectorId')
        .onRef('connectorStream.name', '=', 'tableRule.stream'),
    )
    .select(['tableRule.connectorId', sql<number>`count(*)::int`.as('count')])
    .where('tableRule.organisationId', '=', organisationId)
    .where('tableRule.connectorId', '=', sql<string>`ANY (${[...connectorIds]})`)
    .where(sql<boolean>`tableRule.conditions <> '[]'::jsonb`)
    .groupBy('tableRule.connectorId')
    .execute()
  return new Map(rows.map(({ connectorId, count }) => [connectorId, count]))
}

/** The changes that are not acknowledged, and the months that they are in, by connector. */
export async function listChangedPeriods(db: Db, organisationId: string, connectorIds: readonly string[]) {
  const { rows } = await sql<{ connectorId: string; count: number; periods: string[] }>`
    SELECT connectorId, count(DISTINCT id)::int AS count, array_agg(DISTINCT period ORDER BY period) AS periods
    FROM closedPeriodChange LEFT JOIN LATERAL unnest(periods) AS period ON true
    WHERE organisationId = ${organisationId} AND connectorId = ANY (${connectorIds}::uuid[]) AND acknowledgedAt IS NULL
    GROUP BY connectorId`.execute(db)
  return rows
}

export function listMarks(db: Db, organisationId: string, connectorIds: readonly string[]) {
  return db
    .selectFrom('reportMark')
    .select(['connectorId', 'id', 'name', 'periodEnd', 'createdAt as createdAtUtc'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
    .where('supersededAt', 'is', null)
    .orderBy('periodEnd', 'desc')
    .orderBy('createdAt', 'desc')
    .execute()
}
