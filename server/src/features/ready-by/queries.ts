/** Queries of wishes, promises and outcomes. */
import type {
  ConnectorReadyBy,
  MissedPromise,
  MissReason,
  NextPromise,
  PromiseObstacle,
  ReadyByConnector,
  ReadyByWish,
} from '@tributary/contract/ready-by'
import { readyByLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface StoredWish {
  readonly connectorId: string | null
  readonly isOn: boolean
  readonly wish: Camel<ReadyByWish>
}

/** Of the organisation and, if one is given, of the connector. */
export async function listWishes(db: Db, organisationId: string, connectorId: string | null): Promise<StoredWish[]> {
  const rows = await db
    .selectFrom('readyByWish')
    .select(['connectorId', 'isOn', 'minute', 'days', 'maxAgeHours'])
    .where('organisationId', '=', organisationId)
    .where((eb) =>
      eb.or([eb('connectorId', 'is', null), ...(connectorId === null ? [] : [eb('connectorId', '=', connectorId)])]),
    )
    .execute()
  return rows.map(({ connectorId: id, isOn, minute, days, maxAgeHours }) => ({
    connectorId: id,
    isOn,
    wish: { time: formatTime(minute), days, maxAgeHours },
  }))
}

function formatTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function parseTime(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Replaces the wish; undefined removes it. */
export async function saveWish(
  db: Db,
  organisationId: string,
  { connectorId, isOn, wish }: Omit<StoredWish, 'wish'> & { readonly wish: Camel<ReadyByWish> | undefined },
): Promise<void> {
  await db
    .deleteFrom('readyByWish')
    .where('organisationId', '=', organisationId)
    .where('connectorId', connectorId === null ? 'is' : '=', connectorId)
    .execute()
  if (wish === undefined) return
  const days = [...new Set(wish.days)].toSorted((one, other) => one - other)
  await db
    .insertInto('readyByWish')
    .values({ organisationId, connectorId, isOn, minute: parseTime(wish.time), days, maxAgeHours: wish.maxAgeHours })
    .execute()
}

const planColumns = ['dueAt', 'startAt', 'startedAt', 'runId', 'obstacle', 'readyByPlan.notice'] as const

interface PlanRow {
  readonly dueAt: string | null
  readonly startAt: string | null
  readonly startedAt: string | null
  readonly runId: string | null
  readonly obstacle: string | null
  readonly notice: string | null
}

function toNextPromise(row: PlanRow | undefined): Camel<NextPromise> | null {
  if (row === undefined || row.dueAt === null) return null
  return {
    dueAtUtc: row.dueAt,
    startAtUtc: row.startedAt === null ? row.startAt : null,
    startedAtUtc: row.startedAt,
    runId: row.runId,
    obstacle: row.obstacle as PromiseObstacle | null,
    notice: row.notice,
  }
}

export async function readPromises(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<Pick<Camel<ConnectorReadyBy>, 'next' | 'counts' | 'missed'>> {
  const next = await db
    .selectFrom('readyByPlan')
    .select(planColumns)
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirst()
  const counts = await db
    .selectFrom('readyByOutcome')
    .select([keptCount.as('kept'), missedCount.as('missed')])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where(isCounted)
    .executeTakeFirstOrThrow()
  return { next: toNextPromise(next), counts, missed: await listMissed(db, { organisationId, connectorId }) }
}

const keptCount = sql<number>`count(*) FILTER (WHERE isKept)`
const missedCount = sql<number>`count(*) FILTER (WHERE NOT isKept)`
const isCounted = sql<boolean>`readyByOutcome.dueAt > now() - ${readyByLimits.countedDays} * interval '1 day'`

/** The latest first. */
async function listMissed(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<Camel<MissedPromise>[]> {
  const rows = await db
    .selectFrom('readyByOutcome')
    .select(['dueAt as dueAtUtc', 'reason', 'notice', 'runId'])
    .select(
      sql<
        string | null
      >`(SELECT min(coalesce(run.verifyingSince, run.completedAt)) FROM run WHERE run.connectorId = readyByOutcome.connectorId
        AND run.status = 'COMPLETED' AND run.onlyStreams IS NULL AND ${isSyncRun}
        AND coalesce(run.startedAt, run.queuedAt) >= readyByOutcome.earliestAt)`.as('readyAtUtc'),
    )
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('isKept', '=', false)
    .where(isCounted)
    .orderBy('dueAt', 'desc')
    .execute()
  return rows.map(({ reason, ...row }) => ({ ...row, reason: (reason ?? 'notStarted') as MissReason }))
}

/** Connectors with a promise: first those that will miss it, then by name. */
export async function listPromises(
  db: Db,
  organisationId: string,
  visible: ConnectorVisibility,
): Promise<Camel<ReadyByConnector>[]> {
  const rows = await selectVisibleConnectors(db, organisationId, visible)
    .innerJoin('readyByPlan', 'readyByPlan.connectorId', 'connector.id')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('readyByOutcome')
          .select([keptCount.as('kept'), missedCount.as('missed')])
          .whereRef('readyByOutcome.connectorId', '=', 'connector.id')
          .where(isCounted)
          .as('counted'),
      (join) => join.onTrue(),
    )
    .select(['connector.id', 'connector.name', 'connector.type', 'counted.kept', 'counted.missed', ...planColumns])
    .orderBy(sql`readyByPlan.obstacle IS NULL`)
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
    .execute()
  return rows.map(({ id, name, type, kept, missed, ...plan }) => ({
    id,
    name,
    type,
    next: toNextPromise(plan),
    counts: { kept: kept ?? 0, missed: missed ?? 0 },
  }))
}

export async function countReasons(db: Db, organisationId: string, connectorIds: readonly string[]) {
  const rows = await db
    .selectFrom('readyByOutcome')
    .select(['reason', sql<number>`count(*)`.as('missed')])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
    .where('isKept', '=', false)
    .where(isCounted)
    .groupBy('reason')
    .orderBy('missed', 'desc')
    .orderBy('reason')
    .execute()
  return rows.map(({ reason, missed }) => ({ reason: (reason ?? 'notStarted') as MissReason, missed }))
}
