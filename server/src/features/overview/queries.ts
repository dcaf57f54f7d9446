/** Queries of the overview. */
import type { DayOutcome } from '@tributary/contract/overview'
import { overviewDays } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import { selectMembers } from '../../identity/people/members.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import type { Db } from '../../kernel/store/store.ts'

/** By name. Leaves out deleted connectors. */
export async function listConnectorHealth(db: Db, organisationId: string, visible: ConnectorVisibility, now: Date) {
  const fires = await listScheduledFires(db, organisationId, now)
  return withHealth(selectVisibleConnectors(db, organisationId, visible), fires, now)
    .select([
      'connector.id',
      'connector.name',
      'connector.type',
      'connector.schedule',
      'connector.nextRunAt',
      'organisation.timeZone',
      'latest.id as runId',
      'latest.status as runStatus',
      'latest.queuedAt',
      'latest.completedAt',
      'latest.rowsWritten',
    ])
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
    .execute()
}

export type ConnectorHealthRow = Awaited<ReturnType<typeof listConnectorHealth>>[number]

export interface ConnectorDays {
  readonly connectorId: string
  /** Numbers of the days on which runs ended, from 1; the last is today. */
  readonly days: readonly number[]
  /** How they ended, day by day. */
  readonly outcomes: readonly DayOutcome[]
  readonly rowsToday: number
}

/** The outcome of each day of the organisation's clock on which runs ended. A run counts on the day it was queued. */
export async function listDayOutcomes(
  db: Db,
  organisationId: string,
  { connectorIds, now }: { readonly connectorIds: readonly string[]; readonly now: Date },
): Promise<readonly ConnectorDays[]> {
  const timeZone = await findTimeZone(db, organisationId)
  const { rows } = await sql<ConnectorDays>`
    WITH clock AS (
      SELECT array_agg(day::timestamp AT TIME ZONE ${timeZone} ORDER BY day) AS midnights
      FROM (SELECT (${now.toISOString()}::timestamptz AT TIME ZONE ${timeZone})::date AS today) AS present
      CROSS JOIN LATERAL generate_series(today - ${overviewDays - 1}::int, today, interval '1 day') AS day
    ), ended AS (
      SELECT connectorId, width_bucket(queuedAt, midnights) AS day, sum(rowsWritten) AS written,
             bool_or(status = 'COMPLETED') AS hasCompleted, bool_or(status = 'FAILED') AS hasFailed
      FROM run CROSS JOIN clock
      WHERE organisationId = ${organisationId} AND connectorId = ANY (${connectorIds}::uuid[])
        AND completedAt IS NOT NULL AND queuedAt >= midnights[1]
      GROUP BY connectorId, day
    )
    SELECT connectorId, array_agg(day::int) AS days,
           array_agg(CASE WHEN hasFailed AND hasCompleted THEN 'partly' WHEN hasFailed THEN 'failed'
                          WHEN hasCompleted THEN 'completed' ELSE 'none' END) AS outcomes,
           coalesce(sum(written) FILTER (WHERE day = ${overviewDays}), 0)::int8 AS rowsToday
    FROM ended GROUP BY connectorId`.execute(db)
  return rows
}

/** The oldest first. */
export function listOpenIncidents(db: Db, organisationId: string, connectorIds: readonly string[]) {
  return db
    .selectFrom('incident')
    .select(['id', 'connectorId', 'runId', 'kind', 'notice', 'openedAt as openedAtUtc'])
    .where('organisationId', '=', organisationId)
    .where('closedAt', 'is', null)
    .where('connectorId', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
    .orderBy('openedAt')
    .orderBy('id')
    .execute()
}

export type IncidentRow = Awaited<ReturnType<typeof listOpenIncidents>>[number]

export async function findCompanyName(db: Db, organisationId: string): Promise<string> {
  const { companyName } = await db
    .selectFrom('organisation')
    .select('companyName')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return companyName
}

const administratorsMax = 5

/** Active administrators by name, without the provider's people. */
export function listAdministrators(db: Db, organisationId: string) {
  return selectMembers(db, organisationId)
    .innerJoin('role', 'role.id', 'membership.roleId')
    .select(['firstName', 'lastName', 'emailAddress'])
    .where('role.name', '=', 'admin')
    .where('status.name', '=', 'active')
    .where('portalUser.providerRoleId', 'is', null)
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('portalUser.id')
    .limit(administratorsMax)
    .execute()
}
