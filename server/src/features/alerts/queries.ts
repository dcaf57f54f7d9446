/** Incidents and who is told of them, as the store has them. */
import type { Alerts, Incident } from '@tributary/contract/alerts'
import { stalledAfterMs } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface Place {
  readonly organisationId: string
  readonly connectorId: string
}

export interface Trouble extends Place {
  readonly runId: string | null
  readonly kind: string
  readonly notice: string
}

const stalledNotice = 'This connector seems to be taking longer than expected.'
const targetNotice = 'The target does not answer. Scheduled runs wait for it, and one catches up once it answers again.'
const unknownNotice = 'The run failed.'

/**
 * Connectors that need somebody and have no open incident. What happened before the last one was closed has been told.
 * Archived organisations are at rest. Whether the rows add up is another matter: see tie-out-trouble.ts.
 */
export function listTroubledEverywhere(db: Db): Promise<Trouble[]> {
  return troubled(db).execute()
}

export function findTrouble(db: Db, organisationId: string, connectorId: string): Promise<Trouble | undefined> {
  return troubled(db)
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .executeTakeFirst()
}

function troubled(db: Db) {
  const told = sql`coalesce((SELECT max(closedAt) FROM incident WHERE incident.connectorId = connector.id AND kind <> 'tieOut'), '-infinity')`
  const isStalled = sql<boolean>`underWay.stalledAt < now() AND underWay.stalledAt > ${told}`
  const waits = sql<boolean>`underWay.status = 'WAITING' AND underWay.faultKind IN ('settings', 'signIn') AND underWay.queuedAt > ${told}`
  const hasFailed = sql<boolean>`ended.status = 'FAILED' AND ended.completedAt > ${told}`
  const isDown = sql<boolean>`targetDownSince > ${told}`
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
          // What waited until a source's day was over has not been slow.
          .select(sql`greatest(queuedAt, retryAt) + ${stalledAfterMs} * interval '1 millisecond'`.as('stalledAt'))
          .whereRef('run.connectorId', '=', 'connector.id')
          .where('run.status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
          .as('underWay'),
      (join) => join.onTrue(),
    )
    .select(['connector.organisationId', 'connector.id as connectorId'])
    .select([
      sql<string | null>`CASE WHEN ${isDown} THEN NULL WHEN ${hasFailed} THEN ended.id ELSE underWay.id END`.as(
        'runId',
      ),
      sql<string>`CASE WHEN ${isDown} THEN 'passing' WHEN ${hasFailed} THEN coalesce(ended.faultKind, 'bug') WHEN ${waits} THEN underWay.faultKind ELSE 'stalled' END`.as(
        'kind',
      ),
      sql<string>`CASE WHEN ${isDown} THEN ${targetNotice}
        WHEN ${hasFailed} THEN coalesce(ended.notice, ${unknownNotice})
        WHEN ${waits} THEN coalesce(underWay.notice, ${unknownNotice}) ELSE ${stalledNotice} END`.as('notice'),
    ])
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND closedAt IS NULL AND kind <> 'tieOut')`,
    )
    .where(sql<boolean>`(${isDown} OR ${hasFailed} OR ${waits} OR ${isStalled})`)
}

export interface OpenIncident extends Place {
  readonly id: string
  /** False where the connector rests: nobody need be told. */
  readonly hasRecovered: boolean
}

/**
 * Open incidents that are over: the connector has completed a run since, or it is no longer connected. A run of some streams alone
 * shows that they are well, which is all that is needed only where it was such a run that failed.
 */
export function listEndedEverywhere(db: Db): Promise<OpenIncident[]> {
  return ended(db).execute()
}

export function findEnded(db: Db, organisationId: string, connectorId: string): Promise<OpenIncident | undefined> {
  return ended(db)
    .where('incident.organisationId', '=', organisationId)
    .where('incident.connectorId', '=', connectorId)
    .executeTakeFirst()
}

function ended(db: Db) {
  const rests = sql<boolean>`(connector.status <> 'CONNECTED' OR organisation.archivedAt IS NOT NULL)`
  const isWell = sql<boolean>`(targetDownSince IS NULL AND completedAt >= openedAt
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
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['incident.id', 'incident.organisationId', 'incident.connectorId'])
    .select(sql<boolean>`NOT ${rests}`.as('hasRecovered'))
    .where('incident.closedAt', 'is', null)
    .where('incident.kind', '<>', 'tieOut')
    .where(sql<boolean>`(${rests} OR (last.status = 'COMPLETED' AND ${isWell}))`)
}

/** Answers undefined where somebody else has just opened one. */
export function insertIncident(
  db: Db,
  organisationId: string,
  { connectorId, runId, kind, notice }: Omit<Trouble, 'organisationId'>,
) {
  return db
    .insertInto('incident')
    .values({ organisationId, connectorId, runId, kind, notice })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Answers undefined where somebody else has just closed it. */
export function closeIncident(db: Db, organisationId: string, id: string) {
  return db
    .updateTable('incident')
    .set({ closedAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Who is told, as it is stored: the secret sealed. Undefined for a connector that is not there or deleted. */
export function findAlerts(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('connector')
    .select(['alertUsers', 'webhookUrl', 'webhookSecret'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('status', '<>', 'DELETED')
    .executeTakeFirst()
}

/** With its organisation's name, for a message. */
export function getConnector(db: Db, organisationId: string, connectorId: string) {
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

/** The addresses of those who are told: the members named, or the organisation's administrators; of either those who may sign in. */
export async function listRecipients(
  db: Db,
  organisationId: string,
  userIds: Alerts['Users'],
): Promise<readonly string[]> {
  if (userIds?.length === 0) return []
  const rows = await db
    .selectFrom('membership')
    .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
    .innerJoin('role', 'role.id', 'membership.roleId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select('portalUser.emailAddress')
    .where('membership.organisationId', '=', organisationId)
    .where(sql<boolean>`status.name = 'active'`)
    .$if(userIds !== null, (query) => query.where('membership.userId', 'in', [...(userIds ?? [])]))
    .$if(userIds === null, (query) =>
      query.where('role.name', '=', 'admin').where('portalUser.providerRoleId', 'is', null),
    )
    .orderBy('portalUser.emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}

/** Whether the source takes the connector's authorisation no more, which was told to the administrators when it was found out. */
export async function isSignedOut(db: Db, organisationId: string, connectorId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorTenant')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'connectorTenant.grantId')
    .select('connectorId')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('toldAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function areMembers(db: Db, organisationId: string, userIds: readonly string[]): Promise<boolean> {
  if (userIds.length === 0) return true
  const rows = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', 'in', [...userIds])
    .execute()
  return rows.length === userIds.length
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

const incidentsShown = 100

export async function listIncidents(db: Db, organisationId: string, connectorId: string): Promise<Camel<Incident>[]> {
  const incidents = await db
    .selectFrom('incident')
    .select(['id', 'runId', 'kind', 'notice', 'openedAt as openedAtUtc', 'closedAt as closedAtUtc'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('openedAt', 'desc')
    .orderBy('id')
    .limit(incidentsShown)
    .execute()
  if (incidents.length === 0) return []
  const deliveries = await db
    .selectFrom('webhookDelivery')
    .select(['incidentId', 'event', 'notice'])
    .select([
      sql<
        'WAITING' | 'DELIVERED' | 'FAILED'
      >`CASE WHEN deliveredAt IS NOT NULL THEN 'DELIVERED' WHEN failedAt IS NOT NULL THEN 'FAILED' ELSE 'WAITING' END`.as(
        'status',
      ),
      sql<string>`coalesce(deliveredAt, failedAt, dueAt, createdAt)`.as('atUtc'),
    ])
    .where('organisationId', '=', organisationId)
    .where(
      'incidentId',
      'in',
      incidents.map(({ id }) => id),
    )
    .orderBy('createdAt', 'desc')
    .execute()
  return incidents.map((incident) => ({
    ...incident,
    deliveries: deliveries
      .filter(({ incidentId }) => incidentId === incident.id)
      .map(({ event, status, atUtc, notice }) => ({ event, status, atUtc, notice })),
  }))
}
