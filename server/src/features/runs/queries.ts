/** Queries about runs. Columns carry the contract's names. */
import type { DayOfRuns, runs } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import type { SchemaDecision } from '@tributary/engine/sync/sync-request'
import type * as z from 'zod'
import { sql } from 'kysely'
import { cancelRuns } from '../../connections/connectors/connector-queries.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import { isPaged, pageOf } from '../../kernel/http/paging.ts'
import type { CalendarDay } from '../../kernel/zoned-time.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Columns with the number of rows that a run, or one of its streams, moved. */
export const rowCounts = ['rowsRead', 'rowsWritten', 'rowsUpdated', 'rowsDeleted', 'rowsRejected'] as const

/** Without page and page size, the list holds the latest 1,000 runs. */
type RunListQuery = z.output<typeof runs.list.query>

const unpagedMax = 1_000

export async function listRuns(db: Db, { organisationId, connectorId }: ConnectorLocation, query: RunListQuery) {
  const { limit, offset } = isPaged(query) ? pageOf(query) : { limit: unpagedMax, offset: 0 }
  const rows = await selectRuns(db, organisationId)
    .where('run.connectorId', '=', connectorId)
    .orderBy('run.queuedAt', 'desc')
    .orderBy('run.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export interface RunKey extends ConnectorLocation {
  readonly runId: string
}

export function findRun(db: Db, { organisationId, connectorId, runId }: RunKey) {
  return selectRuns(db, organisationId)
    .where('run.connectorId', '=', connectorId)
    .where('run.id', '=', runId)
    .executeTakeFirst()
}

function selectRuns(db: Db, organisationId: string) {
  return db
    .selectFrom('run')
    .leftJoin('portalUser', 'portalUser.id', 'run.triggeredBy')
    .leftJoin('tieOut', 'tieOut.runId', 'run.id')
    .select([
      'run.id',
      'run.connectorId',
      'run.status',
      'run.mode',
      'run.onlyStreams',
      'run.readFrom as fromUtc',
      'run.trigger',
      sql<string | null>`portalUser.firstName || ' ' || portalUser.lastName`.as('triggeredBy'),
      'run.queuedAt as queuedAtUtc',
      'run.startedAt as startedAtUtc',
      'run.completedAt as completedAtUtc',
      sql<string | null>`CASE run.status WHEN 'WAITING' THEN run.retryAt END`.as('retryAtUtc'),
      'run.attempt',
      'run.faultKind',
      'run.faultCode',
      sql<string | null>`coalesce(run.notice, ${waitingNotice})`.as('notice'),
      'run.rowsRead',
      'run.rowsWritten',
      'run.rowsUpdated',
      'run.rowsDeleted',
      'run.rowsRejected',
      'tieOut.state as tieOut',
    ])
    .where('run.organisationId', '=', organisationId)
}

/** Free workers claim a run within a second. */
const longSeconds = 10

/** Why a queued run has not begun. */
const waitingNotice = sql`CASE run.status WHEN 'QUEUED' THEN (
  SELECT CASE
    WHEN waitsFor = 'share' THEN 'Waiting because this organisation already uses its share of ' || runsMax || CASE runsMax WHEN 1 THEN ' run' ELSE ' runs' END
      || ' at once. The run begins when one of them ends.'
    WHEN waitsFor = 'verification' THEN 'Waiting until the verification of the run before it has stopped.'
    WHEN waitsFor IS NULL AND queuedAt < now() - ${longSeconds} * interval '1 second'
      THEN 'Waiting for a worker with enough free memory. The run begins by itself.'
  END FROM unclaimedRun WHERE unclaimedRun.id = run.id) END`

export function listStreams(db: Db, { organisationId, runId }: RunKey) {
  return db
    .selectFrom('runStream')
    .select(['name', 'tableName as table', 'phase', ...rowCounts, 'rowsEstimate', 'notice'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('ordinal')
    .orderBy('name')
    .execute()
}

/** The latest 1,000 log lines, oldest first. */
export async function listLogLines(db: Db, { organisationId, runId }: RunKey) {
  const latest = await db
    .selectFrom('runLine')
    .select(['at as atUtc', 'level', 'text'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('id', 'desc')
    .limit(logLinesMax)
    .execute()
  return latest.toReversed()
}

const logLinesMax = 1_000
/** Rejected rows that are stored and shown for each run; the target keeps as many for each load of a stream. */
export const rejectedRowsMax = 1_000

export async function listRejectedRows(db: Db, { organisationId, runId }: RunKey) {
  const rows = await db
    .selectFrom('runRejected')
    .select(['tableName as table', 'columnName as column', 'reason', 'row'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('id')
    .limit(rejectedRowsMax)
    .execute()
  return rows.map((rejected) => ({ ...rejected, row: rejected.row as Record<string, string | null> }))
}

/**
 * Cancels a run that no worker has claimed. Otherwise requests cancellation; the worker sees it within a second.
 * Returns false if the run had already ended.
 */
export async function requestCancellation(
  db: Db,
  organisationId: string,
  { runId, by, notice }: { readonly runId: string; readonly by: string | null; readonly notice: string },
): Promise<boolean> {
  const changed = await cancelRuns(db, organisationId, { notice, cancelledBy: by })
    .where('id', '=', runId)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Decided schema changes that no run has applied yet. */
export async function listDecisions(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<SchemaDecision[]> {
  const rows = await db
    .selectFrom('schemaChange')
    .select(['tableName as table', 'columnName as column', 'after', 'status'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['ACCEPTED', 'REJECTED'])
    .execute()
  return rows.map(({ status, ...change }) => ({ ...change, decision: status === 'ACCEPTED' ? 'accepted' : 'rejected' }))
}

export async function countUndecidedChanges(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<number> {
  const { pending } = await db
    .selectFrom('schemaChange')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', '=', 'PENDING')
    .executeTakeFirstOrThrow()
  return pending
}

/** Names of the streams that have completed at least once. */
export async function listSyncedStreams(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<string[]> {
  const rows = await db
    .selectFrom('connectorStream')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('freshAt', 'is not', null)
    .execute()
  return rows.map(({ name }) => name)
}

/** Facts for a fault card in addition to the run itself. */
export async function findFaultContext(db: Db, run: RunKey) {
  const background = await db
    .selectFrom('run')
    .innerJoin('connector', 'connector.id', 'run.connectorId')
    .select([
      'run.remedy',
      'connector.type',
      sql<boolean>`connector.schemaPolicy = 'stop'`.as('stopsOnChanges'),
      sql<boolean>`connector.targetDownSince IS NOT NULL AND connector.nextRunAt IS NOT NULL`.as('resumesByItself'),
      sql<string | null>`(SELECT good.completedAt FROM run AS good
        WHERE good.connectorId = connector.id AND good.status = 'COMPLETED' AND good.mode IN ('incremental', 'full') AND good.queuedAt < run.queuedAt
        ORDER BY good.queuedAt DESC LIMIT 1)`.as('lastGoodAt'),
    ])
    .where('run.organisationId', '=', run.organisationId)
    .where('run.id', '=', run.runId)
    .executeTakeFirstOrThrow()
  return { ...background, pending: await countUndecidedChanges(db, run) }
}

/**
 * Totals for each of the days, oldest first. A run counts on the day it was queued. A run during which the clock was
 * set back counts as zero seconds.
 */
export async function listDailyTotals(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  days: readonly CalendarDay[],
) {
  const beganAt = days.map((one) => one.beganAt.toISOString())
  const { rows } = await sql<Camel<DayOfRuns>>`
    SELECT day,
           count(run.id) AS runs,
           count(run.id) FILTER (WHERE run.status = 'FAILED') AS failed,
           coalesce(sum(run.rowsRead), 0)::int8 AS rowsRead,
           coalesce(sum(run.rowsWritten), 0)::int8 AS rowsWritten,
           coalesce(sum(run.rowsUpdated), 0)::int8 AS rowsUpdated,
           coalesce(sum(run.rowsDeleted), 0)::int8 AS rowsDeleted,
           coalesce(sum(run.rowsRejected), 0)::int8 AS rowsRejected,
           coalesce(round(sum(greatest(extract(epoch FROM run.completedAt - coalesce(run.startedAt, run.queuedAt)), 0))), 0)::int8 AS seconds
    FROM (SELECT day, beganAt, lead(beganAt, 1, 'infinity') OVER (ORDER BY beganAt) AS endedAt
          FROM unnest(${days.map(({ day }) => day)}::text[], ${beganAt}::timestamptz[]) AS one (day, beganAt)) AS calendar
    LEFT JOIN run ON run.organisationId = ${organisationId} AND run.connectorId = ${connectorId}
      AND run.queuedAt >= beganAt AND run.queuedAt < endedAt AND ${isSyncRun}
    GROUP BY day ORDER BY day`.execute(db)
  return rows
}
