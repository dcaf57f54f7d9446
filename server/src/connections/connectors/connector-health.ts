/**
 * The state of connectors: how fresh their rows are, against their schedules, and what is wrong with them. One query
 * serves the overview of an organisation and the provider's view of all.
 */
import { lateAfterMs, stalledAfterMs } from '@tributary/contract/limits'
import type { ConnectorState } from '@tributary/contract/overview'
import type { TieOutState } from '@tributary/contract/tie-out-state'
import { type RawBuilder, sql } from 'kysely'
import { previousFire } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hasDifferences, sourceVerification } from '../verifications/source-verification.ts'
import { isSyncRun } from '../verifications/verification-runs.ts'
import type { selectVisibleConnectors } from './connector-access.ts'

/** The latest time, a grace period ago or earlier, at which a schedule fired in a time zone. */
export interface ScheduledFire {
  readonly schedule: string
  readonly timeZone: string
  readonly at: Date
}

/** One for each pair of schedule and time zone in use in these organisations. */
export async function listScheduledFires(
  db: Db,
  organisationIds: readonly string[],
  now: Date,
): Promise<ScheduledFire[]> {
  const pairs = await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.schedule', 'organisation.timeZone'])
    .distinct()
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.schedule', 'is not', null)
    .where(isOfOrganisations(sql.ref('connector.organisationId'), organisationIds))
    .execute()
  const until = new Date(now.getTime() - lateAfterMs)
  return pairs.flatMap(({ schedule, timeZone }) => {
    const at = schedule === null ? null : previousFire(schedule, timeZone, until)
    return schedule === null || at === null ? [] : [{ schedule, timeZone, at }]
  })
}

/** Whether a column has the id of one of these organisations. */
export function isOfOrganisations(
  column: RawBuilder<unknown>,
  organisationIds: readonly string[],
): RawBuilder<boolean> {
  return sql`${column} = ANY (${organisationIds}::uuid[])`
}

const latestRunColumns = [
  'run.id',
  'run.status',
  'run.queuedAt',
  'run.completedAt',
  'run.faultKind',
  'run.faultCode',
  'run.rowsWritten',
] as const

/** Connectors with their organisation. */
type ConnectorQuery = ReturnType<typeof selectVisibleConnectors>

/** Adds how fresh the rows of each connector are. `good`: the latest completed run of all tables. */
export function withFreshness(connectors: ConnectorQuery, fires: readonly ScheduledFire[]) {
  return connectors
    .leftJoin(tableOf(fires), (join) =>
      join.onRef('fire.schedule', '=', 'connector.schedule').onRef('fire.timeZone', '=', 'organisation.timeZone'),
    )
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(sql<string>`coalesce(run.startedAt, run.queuedAt)`.as('beganAt'))
          .whereRef('run.connectorId', '=', 'connector.id')
          .where('run.status', '=', 'COMPLETED')
          .where('run.onlyStreams', 'is', null)
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('good'),
      (join) => join.onTrue(),
    )
    .select('good.beganAt as freshAtUtc')
    .select(sql<string | null>`CASE WHEN ${isLate} THEN fire.at END`.as('lateSinceUtc'))
}

/** Adds the state of each connector, and leaves out deleted ones. `latest`: the latest run that moves rows. */
export function withHealth(connectors: ConnectorQuery, fires: readonly ScheduledFire[], now: Date) {
  return withFreshness(connectors, fires)
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(latestRunColumns)
          .whereRef('run.connectorId', '=', 'connector.id')
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select([stateAt(now).as('state'), pendingChanges.as('pendingChanges'), latestTieOut.as('tieOut')])
    .select(sourceVerification.as('verification'))
    .where('connector.status', '<>', 'DELETED')
}

function tableOf(fires: readonly ScheduledFire[]) {
  return sql<{ schedule: string; timeZone: string; at: string }>`unnest(
    ${fires.map(({ schedule }) => schedule)}::text[], ${fires.map(({ timeZone }) => timeZone)}::text[],
    ${fires.map(({ at }) => at.toISOString())}::timestamptz[])`.as<'fire'>(sql`fire(schedule, timeZone, at)`)
}

const isLate = sql<boolean>`(connector.status = 'CONNECTED' AND NOT connector.awaitsApproval AND coalesce(good.beganAt, connector.createdAt) < fire.at)`

const pendingChanges = sql<number>`(SELECT count(*) FROM schemaChange
  WHERE schemaChange.connectorId = connector.id AND schemaChange.status = 'PENDING')`

const latestTieOut = sql<TieOutState | null>`(SELECT tieOut.state FROM tieOut
  WHERE tieOut.connectorId = connector.id ORDER BY checkedAt DESC LIMIT 1)`

const isUnfinished = sql<boolean>`latest.status IN ('QUEUED', 'RUNNING', 'WAITING')`

/** The worst of its problems, in the order of `connectorStates`. */
function stateAt(now: Date): RawBuilder<ConnectorState> {
  const stalledBefore = new Date(now.getTime() - stalledAfterMs)
  return sql`CASE
    WHEN connector.status <> 'CONNECTED' THEN 'disconnected'
    WHEN connector.awaitsApproval THEN 'awaitsApproval'
    WHEN latest.status = 'FAILED' AND latest.faultKind = 'signIn'
      AND latest.faultCode IS DISTINCT FROM 'target.login_refused' THEN 'forbidden'
    WHEN connector.targetDownSince IS NOT NULL THEN 'targetDown'
    WHEN latest.status = 'FAILED' THEN 'failed'
    WHEN ${latestTieOut} = 'red' THEN 'tieOut'
    WHEN ${hasDifferences} THEN 'differences'
    WHEN ${pendingChanges} > 0 THEN 'changes'
    WHEN ${isUnfinished} AND latest.queuedAt <= ${stalledBefore} THEN 'stalled'
    WHEN ${isUnfinished} THEN 'running'
    WHEN ${isLate} THEN 'late'
    WHEN latest.id IS NULL THEN 'never'
    ELSE 'fresh' END`
}
