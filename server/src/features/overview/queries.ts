/** Queries of the overview. */
import type { DayOutcome } from '@tributary/contract/overview'
import { sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import { selectMembers } from '../../identity/people/members.ts'
import type { CalendarDay } from '../../kernel/zoned-time.ts'
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

/** The outcome of each of the days on which runs ended. A run counts on the day it was queued. */
export async function listDayOutcomes(
  db: Db,
  organisationId: string,
  { connectorIds, days }: { readonly connectorIds: readonly string[]; readonly days: readonly CalendarDay[] },
): Promise<readonly ConnectorDays[]> {
  const midnights = sql`${days.map(({ beganAt }) => beganAt.toISOString())}::timestamptz[]`
  const { rows } = await sql<ConnectorDays>`
    WITH ended AS (
      SELECT connectorId, width_bucket(queuedAt, ${midnights}) AS day, sum(rowsWritten) AS written,
             bool_or(status = 'COMPLETED') AS hasCompleted, bool_or(status = 'FAILED') AS hasFailed
      FROM run
      WHERE organisationId = ${organisationId} AND connectorId = ANY (${connectorIds}::uuid[])
        AND ${isSyncRun} AND completedAt IS NOT NULL AND queuedAt >= (${midnights})[1]
      GROUP BY connectorId, day
    )
    SELECT connectorId, array_agg(day::int) AS days,
           array_agg(CASE WHEN hasFailed AND hasCompleted THEN 'partly' WHEN hasFailed THEN 'failed'
                          WHEN hasCompleted THEN 'completed' ELSE 'none' END) AS outcomes,
           coalesce(sum(written) FILTER (WHERE day = ${days.length}), 0)::int8 AS rowsToday
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
    .$narrowType<{ connectorId: string }>()
    .execute()
}

export type IncidentRow = Awaited<ReturnType<typeof listOpenIncidents>>[number]

const administratorsMax = 5

/** Active administrators by name, without the provider's people. */
export function listAdministrators(db: Db, organisationId: string) {
  return selectMembers(db, organisationId)
    .innerJoin('role', 'role.id', 'membership.roleId')
    .select(['firstName', 'lastName', 'emailAddress'])
    .where('role.name', '=', 'admin')
    .where('status.name', '=', 'active')
    .where('portalUser.providerRoleId', 'is', null)
    .where('portalUser.isService', '=', false)
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('portalUser.id')
    .limit(administratorsMax)
    .execute()
}
