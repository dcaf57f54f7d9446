/** Queries of the overview. */
import type { DayOutcome, OverviewIncident } from '@tributary/contract/overview'
import { readyByLimits } from '@tributary/contract/limits'
import type { PromiseCounts } from '@tributary/contract/ready-by'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import { selectMembers } from '../../identity/people/members.ts'
import type { CalendarDay } from '../../kernel/zoned-time.ts'
import type { Db } from '../../kernel/store/store.ts'

/** By name. Leaves out deleted connectors. */
export async function listConnectorHealth(db: Db, organisationId: string, visible: ConnectorVisibility, now: Date) {
  const fires = await listScheduledFires(db, [organisationId], now)
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

/** Kept and missed promises of *Ready by* in 30 days. Null if none has come due. */
export async function sumPromises(
  db: Db,
  organisationId: string,
  connectorIds: readonly string[],
): Promise<Camel<PromiseCounts> | null> {
  const counts = await db
    .selectFrom('readyByOutcome')
    .select(sql<number>`count(*) FILTER (WHERE isKept)`.as('kept'))
    .select(sql<number>`count(*) FILTER (WHERE NOT isKept)`.as('missed'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
    .where('dueAt', '>', sql<string>`now() - ${readyByLimits.countedDays} * interval '1 day'`)
    .executeTakeFirstOrThrow()
  return counts.kept + counts.missed === 0 ? null : counts
}

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

interface IncidentSubjects {
  readonly connectorIds: readonly string[]
  /** Whether the actions after publishing are among them. */
  readonly withActions: boolean
}

/** The oldest first. */
export function listOpenIncidents(db: Db, organisationId: string, { connectorIds, withActions }: IncidentSubjects) {
  return db
    .selectFrom('incident')
    .leftJoin('publicationAction', 'publicationAction.id', 'incident.actionId')
    .select(['incident.id', 'connectorId', 'runId', 'incident.kind', 'notice', 'openedAt as openedAtUtc'])
    .select(
      sql<Camel<OverviewIncident>['action']>`CASE WHEN actionId IS NOT NULL THEN json_build_object(
        'id', actionId, 'name', publicationAction.name, 'kind', publicationAction.kind) END`.as('action'),
    )
    .where('incident.organisationId', '=', organisationId)
    .where('closedAt', 'is', null)
    .where(sql<boolean>`(connectorId = ANY (${connectorIds}::uuid[]) OR (actionId IS NOT NULL AND ${withActions}))`)
    .orderBy('openedAt')
    .orderBy('incident.id')
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
