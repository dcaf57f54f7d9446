/** Queries of incidents and their deliveries. */
import type { Incident } from '@tributary/contract/alerts'
import { stalledAfterMs } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { type IncidentScope, isInScope } from './incident-scope.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'

export interface ConnectorFailure extends ConnectorLocation {
  readonly runId: string | null
  readonly kind: string
  readonly notice: string
}

const stalledNotice = 'This connector seems to be taking longer than expected.'
const targetNotice =
  'The target does not respond. Scheduled runs are paused. One run catches up when the target responds again.'
const unknownNotice = 'The run failed.'

/** An incident about runs, and not about what they compared. */
const isOfRuns = sql<boolean>`incident.kind NOT IN ('tieOut', 'verification', 'closedPeriod', 'publication', 'readyBy')`

/**
 * Connectors with a problem and no open incident. Ignores problems from before the last incident was closed, and archived
 * organisations. Tie-outs, verifications, closed periods, publications and *Ready by* have separate incidents.
 */
export function listFailingEverywhere(db: Db, scope: IncidentScope = 'all'): Promise<ConnectorFailure[]> {
  const lastClosedAt = sql`coalesce((SELECT max(closedAt) FROM incident WHERE incident.connectorId = connector.id AND ${isOfRuns}), '-infinity')`
  const isStalled = sql<boolean>`underWay.stalledAt < now() AND underWay.stalledAt > ${lastClosedAt}`
  const isWaiting = sql<boolean>`underWay.status = 'WAITING' AND underWay.faultKind IN ('settings', 'signIn') AND underWay.queuedAt > ${lastClosedAt}`
  const hasFailed = sql<boolean>`ended.status = 'FAILED' AND ended.completedAt > ${lastClosedAt}`
  const isDown = sql<boolean>`targetDownSince > ${lastClosedAt}`
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.id', 'run.status', 'run.faultKind', 'run.notice', 'run.completedAt'])
          .whereRef('run.connectorId', '=', 'connector.id')
          .where('run.status', 'in', ['COMPLETED', 'FAILED'])
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('ended'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.id', 'run.status', 'run.faultKind', 'run.notice', 'run.queuedAt'])
          // Waiting for the daily limit of a source to reset does not count as slow.
          .select(sql`greatest(queuedAt, retryAt) + ${stalledAfterMs} * interval '1 millisecond'`.as('stalledAt'))
          .whereRef('run.connectorId', '=', 'connector.id')
          .where('run.status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('underWay'),
      (join) => join.onTrue(),
    )
    .select(['connector.organisationId', 'connector.id as connectorId'])
    .select([
      sql<string | null>`CASE WHEN ${isDown} THEN NULL WHEN ${hasFailed} THEN ended.id ELSE underWay.id END`.as(
        'runId',
      ),
      sql<string>`CASE WHEN ${isDown} THEN 'passing' WHEN ${hasFailed} THEN coalesce(ended.faultKind, 'bug') WHEN ${isWaiting} THEN underWay.faultKind ELSE 'stalled' END`.as(
        'kind',
      ),
      sql<string>`CASE WHEN ${isDown} THEN ${targetNotice}
        WHEN ${hasFailed} THEN coalesce(ended.notice, ${unknownNotice})
        WHEN ${isWaiting} THEN coalesce(underWay.notice, ${unknownNotice}) ELSE ${stalledNotice} END`.as('notice'),
    ])
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.awaitsApproval', '=', false)
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND closedAt IS NULL AND ${isOfRuns})`,
    )
    .where(sql<boolean>`(${isDown} OR ${hasFailed} OR ${isWaiting} OR ${isStalled})`)
    .where(isInScope(scope))
    .execute()
}

export interface OpenIncident extends ConnectorLocation {
  readonly id: string
  /** False if the connector or its organisation is inactive: the incident closes without a message. */
  readonly hasRecovered: boolean
}

const isInactive = sql<boolean>`(connector.status <> 'CONNECTED' OR connector.awaitsApproval OR organisation.archivedAt IS NOT NULL)`

interface EndedIncidents {
  readonly kind: string
  /** The problem is over, as a condition on `incident` and `connector`. */
  readonly isOver: RawBuilder<boolean>
  readonly connector: ConnectorLocation | undefined
}

/** Open incidents of a kind to close: the problem is over, or the connector is inactive. */
export function listEndedEverywhere(db: Db, { kind, isOver, connector }: EndedIncidents): Promise<OpenIncident[]> {
  return db
    .selectFrom('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .innerJoin('organisation', 'organisation.id', 'incident.organisationId')
    .select(['incident.id', 'incident.organisationId', 'connector.id as connectorId'])
    .select(sql<boolean>`NOT ${isInactive}`.as('hasRecovered'))
    .where('incident.closedAt', 'is', null)
    .where('incident.kind', '=', kind)
    .where(sql<boolean>`(${isInactive} OR ${isOver})`)
    .where(isInScope(connector ?? 'all'))
    .execute()
}

/**
 * Open incidents to close: the connector has completed a run since, or it is no longer connected. A run of some streams only closes
 * an incident that such a run opened.
 */
export function listRecoveredEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  const isHealthy = sql<boolean>`(targetDownSince IS NULL AND completedAt >= openedAt
    AND (last.onlyStreams IS NULL OR EXISTS (SELECT FROM run WHERE run.id = incident.runId AND run.onlyStreams IS NOT NULL)))`
  return db
    .selectFrom('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .innerJoin('organisation', 'organisation.id', 'incident.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.completedAt', 'run.status', 'run.onlyStreams'])
          .whereRef('run.connectorId', '=', 'incident.connectorId')
          .where('run.status', 'in', ['COMPLETED', 'FAILED'])
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['incident.id', 'incident.organisationId', 'connector.id as connectorId'])
    .select(sql<boolean>`NOT ${isInactive}`.as('hasRecovered'))
    .where('incident.closedAt', 'is', null)
    .where(isOfRuns)
    .where(sql<boolean>`(${isInactive} OR (last.status = 'COMPLETED' AND ${isHealthy}))`)
    .where(isInScope(connector ?? 'all'))
    .execute()
}

/** Returns undefined if another transaction has just opened one. */
export function insertIncident(db: Db, failure: ConnectorFailure) {
  return db
    .insertInto('incident')
    .values({ ...failure, recordsAlerts: true })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns undefined if another transaction has just closed it. */
export function closeIncident(db: Db, { organisationId, id }: OpenIncident) {
  return db
    .updateTable('incident')
    .set({ closedAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** The recipients as stored, with the encrypted secret. Throws `notFound` if the connector does not exist or is deleted. */
export function getAlerts(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connector')
    .select(['alertUsers', 'webhookUrl', 'webhookSecret'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('status', '<>', 'DELETED')
    .executeTakeFirstOrThrow(notFound)
}

/** The connector and the name of its organisation, for a message. */
export function getConnector(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select([
      'connector.id',
      'connector.name',
      'connector.type',
      'connector.alertUsers',
      'connector.webhookUrl',
      'organisation.companyName',
    ])
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .executeTakeFirstOrThrow()
}

export async function insertDelivery(
  db: Db,
  organisationId: string,
  delivery: { readonly incidentId: string; readonly event: 'opened' | 'recovered'; readonly body: string },
): Promise<void> {
  await db
    .insertInto('webhookDelivery')
    .values({ organisationId, ...delivery, dueAt: sql`now()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const maxListedIncidents = 100

export async function listIncidents(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<Camel<Incident>[]> {
  const incidents = await db
    .selectFrom('incident')
    .select(['id', 'runId', 'kind', 'notice', 'openedAt as openedAtUtc', 'closedAt as closedAtUtc'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('openedAt', 'desc')
    .orderBy('id')
    .limit(maxListedIncidents)
    .execute()
  if (incidents.length === 0) return []
  const ids = incidents.map(({ id }) => id)
  const deliveries = [
    ...(await listWebhookDeliveries(db, organisationId, ids)),
    ...(await listChannelDeliveries(db, organisationId, ids)),
  ].toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
  return incidents.map((incident) => ({
    ...incident,
    deliveries: deliveries
      .filter(({ incidentId }) => incidentId === incident.id)
      .map(({ channel, event, status, atUtc, notice }) => ({ channel, event, status, atUtc, notice })),
  }))
}

const deliveryStatus = sql<
  'WAITING' | 'DELIVERED' | 'FAILED'
>`CASE WHEN deliveredAt IS NOT NULL THEN 'DELIVERED' WHEN failedAt IS NOT NULL THEN 'FAILED' ELSE 'WAITING' END`

function listWebhookDeliveries(db: Db, organisationId: string, incidentIds: readonly string[]) {
  return db
    .selectFrom('webhookDelivery')
    .select(['incidentId', 'event', 'notice', 'createdAt', sql<string | null>`NULL`.as('channel')])
    .select([deliveryStatus.as('status'), sql<string>`coalesce(deliveredAt, failedAt, dueAt, createdAt)`.as('atUtc')])
    .where('organisationId', '=', organisationId)
    .where('incidentId', 'in', incidentIds)
    .execute()
}

/** Without the channels of people. */
function listChannelDeliveries(db: Db, organisationId: string, incidentIds: readonly string[]) {
  return db
    .selectFrom('alertDelivery')
    .innerJoin('alertChannel', 'alertChannel.id', 'alertDelivery.channelId')
    .select(['incidentId', 'event', 'notice', 'alertDelivery.createdAt', 'alertChannel.name as channel'])
    .select([
      deliveryStatus.as('status'),
      sql<string>`coalesce(deliveredAt, failedAt, dueAt, alertDelivery.createdAt)`.as('atUtc'),
    ])
    .where('alertDelivery.organisationId', '=', organisationId)
    .where('alertChannel.userId', 'is', null)
    .where('event', '<>', 'digest')
    .$narrowType<{ event: 'opened' | 'recovered' }>()
    .where('incidentId', 'in', incidentIds)
    .execute()
}
