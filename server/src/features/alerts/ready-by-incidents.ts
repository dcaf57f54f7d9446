/** Incidents of connectors whose rows will not be ready at a promised time, or were not. They are independent of incidents of runs. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import { isInScope } from './incident-scope.ts'
import { type ConnectorFailure, listEndedEverywhere, type OpenIncident } from './queries.ts'

/** The kind of these incidents in the store and in messages. */
export const readyByKind = 'readyBy'

/**
 * What a person must change is reported as soon as it is planned. What may pass by itself, or has an incident already, is reported when the hours of
 * the promise begin.
 */
const isAtRisk = sql<boolean>`(readyByPlan.obstacle IS NOT NULL AND (readyByPlan.obstacle NOT IN ('signIn', 'targetDown', 'schedulesOff', 'awaitsApproval')
  OR readyByPlan.earliestAt <= now()))`

/** The latest promise was missed. */
const latestMiss = sql`SELECT outcome.* FROM (SELECT * FROM readyByOutcome WHERE readyByOutcome.connectorId = connector.id
  ORDER BY dueAt DESC LIMIT 1) AS outcome WHERE NOT outcome.isKept`

/** The wish that applies, as '07:30'. */
const wishTime = sql<string>`(SELECT to_char(make_time(minute / 60, minute % 60, 0), 'HH24:MI') FROM readyByWish AS wish
  WHERE wish.organisationId = connector.organisationId AND (wish.connectorId IS NULL OR wish.connectorId = connector.id)
  ORDER BY wish.connectorId NULLS LAST LIMIT 1)`

/** Connectors that will miss or have missed a promise, and have had no incident about it. */
export function listLateEverywhere(db: Db, connector?: ConnectorLocation): Promise<ConnectorFailure[]> {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .innerJoin('readyByPlan', 'readyByPlan.connectorId', 'connector.id')
    .leftJoinLateral(sql<MissedOutcome>`(${latestMiss})`.as<'missed'>(sql`missed`), (join) => join.onTrue())
    .select(['connector.organisationId', 'connector.id as connectorId', 'missed.runId'])
    .select(sql<string>`${readyByKind}`.as('kind'))
    .select(
      sql<string>`CASE WHEN missed.dueAt IS NOT NULL AND NOT ${isAtRisk}
        THEN format('The rows were not ready by %s. %s', ${wishTime}, missed.notice)
        ELSE format('The rows will not be ready by %s. %s', ${wishTime}, readyByPlan.notice) END`.as('notice'),
    )
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`(${isAtRisk} OR missed.at > coalesce((SELECT max(closedAt) FROM incident
        WHERE incident.connectorId = connector.id AND incident.kind = ${readyByKind}), '-infinity'))`,
    )
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND incident.kind = ${readyByKind} AND closedAt IS NULL)`,
    )
    .where(isInScope(connector ?? 'all'))
    .execute()
}

interface MissedOutcome {
  readonly runId: string | null
  readonly dueAt: string | null
  readonly at: string | null
  readonly notice: string | null
}

/** Open incidents to close: the rows are ready after all and the next promise can be kept, there is no promise, or the connector is inactive. */
export function listReadyEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  const isReady = sql<boolean>`EXISTS (SELECT FROM run WHERE run.connectorId = connector.id AND run.status = 'COMPLETED' AND run.onlyStreams IS NULL
    AND ${isSyncRun} AND coalesce(run.startedAt, run.queuedAt) >= missed.earliestAt)`
  const isOver = sql<boolean>`NOT EXISTS (SELECT FROM readyByPlan WHERE readyByPlan.connectorId = connector.id
    AND (${isAtRisk} OR readyByPlan.planAt <= now() OR EXISTS (SELECT FROM (${latestMiss}) AS missed WHERE NOT ${isReady})))`
  return listEndedEverywhere(db, { kind: readyByKind, isOver, connector })
}
