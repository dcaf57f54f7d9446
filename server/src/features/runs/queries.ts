/** What the screens ask about runs. Names are the contract's. */
import type { SchemaDecision } from '@tributary/engine/sync/sync-request'
import { sql } from 'kysely'
import { findTimeZone } from '../../identity/people/organisations.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Rows and page numbers as the list asks for them; without a page, as many of the latest as one answer can hold. */
export interface Page {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

const pageSizeDefault = 50
const unpagedMax = 1_000

export async function listRuns(db: Db, organisationId: string, connectorId: string, { page, pageSize }: Page) {
  const isPaged = page !== undefined || pageSize !== undefined
  const size = isPaged ? (pageSize ?? pageSizeDefault) : unpagedMax
  const rows = await shownRuns(db, organisationId)
    .where('run.connectorId', '=', connectorId)
    .orderBy('run.queuedAt', 'desc')
    .orderBy('run.id')
    .limit(size)
    .offset(((page ?? 1) - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export function findRun(db: Db, organisationId: string, connectorId: string, runId: string) {
  return shownRuns(db, organisationId)
    .where('run.connectorId', '=', connectorId)
    .where('run.id', '=', runId)
    .executeTakeFirst()
}

function shownRuns(db: Db, organisationId: string) {
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
      'run.notice',
      'run.rowsRead',
      'run.rowsWritten',
      'run.rowsUpdated',
      'run.rowsDeleted',
      'run.rowsRejected',
      'tieOut.state as tieOut',
    ])
    .where('run.organisationId', '=', organisationId)
}

export function listStreams(db: Db, organisationId: string, runId: string) {
  return db
    .selectFrom('runStream')
    .select([
      'name',
      'tableName as table',
      'phase',
      'rowsRead',
      'rowsWritten',
      'rowsUpdated',
      'rowsDeleted',
      'rowsRejected',
      'rowsEstimate',
      'notice',
    ])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('ordinal')
    .orderBy('name')
    .execute()
}

/** The latest lines, oldest of them first. */
export async function listLines(db: Db, organisationId: string, runId: string) {
  const latest = await db
    .selectFrom('runLine')
    .select(['at as atUtc', 'level', 'text'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('id', 'desc')
    .limit(linesShown)
    .execute()
  return latest.toReversed()
}

const linesShown = 1_000
/** As many rejected rows of a run as are kept for the screen; the target keeps as many of each load of a stream. */
export const rejectedKept = 1_000

export async function listRejected(db: Db, organisationId: string, runId: string) {
  const rows = await db
    .selectFrom('runRejected')
    .select(['tableName as table', 'columnName as column', 'reason', 'row'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .orderBy('id')
    .limit(rejectedKept)
    .execute()
  return rows.map((rejected) => ({ ...rejected, row: rejected.row as Record<string, string | null> }))
}

/**
 * A run that nobody has taken ends at once; one that is under way is asked to end, and its worker sees that within a
 * second. Answers whether there was anything to end.
 */
export async function requestCancel(
  db: Db,
  organisationId: string,
  { runId, by, notice }: { readonly runId: string; readonly by: string | null; readonly notice: string },
): Promise<boolean> {
  const changed = await db
    .updateTable('run')
    .set({
      cancelRequestedAt: sql`coalesce(cancelRequestedAt, now())`,
      cancelledBy: by,
      notice,
      status: sql`CASE status WHEN 'RUNNING' THEN status ELSE 'CANCELLED' END`,
      completedAt: sql`CASE status WHEN 'RUNNING' THEN NULL ELSE now() END`,
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export async function findConnectorId(db: Db, organisationId: string, key: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('key', '=', key)
    .executeTakeFirst()
  return found?.id
}

/** What people have decided about changes that are not made yet. */
export async function listDecisions(db: Db, organisationId: string, connectorId: string): Promise<SchemaDecision[]> {
  const rows = await db
    .selectFrom('schemaChange')
    .select(['tableName as table', 'columnName as column', 'after', 'status'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['ACCEPTED', 'REJECTED'])
    .execute()
  return rows.map(({ status, ...change }) => ({ ...change, decision: status === 'ACCEPTED' ? 'accepted' : 'rejected' }))
}

export async function countPending(db: Db, organisationId: string, connectorId: string): Promise<number> {
  const { pending } = await db
    .selectFrom('schemaChange')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', '=', 'PENDING')
    .executeTakeFirstOrThrow()
  return pending
}

/** The names of the streams that earlier runs have met; empty before the first. */
export async function knownStreams(db: Db, organisationId: string, connectorId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('connectorStream')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** The names of the streams that have been brought to their end at least once. */
export async function movedStreams(db: Db, organisationId: string, connectorId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connectorStream')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('freshAt', 'is not', null)
    .execute()
  return rows.map(({ name }) => name)
}

/** What a card needs to know beside the run itself. */
export async function findBackground(db: Db, organisationId: string, connectorId: string, runId: string) {
  const background = await db
    .selectFrom('run')
    .innerJoin('connector', 'connector.id', 'run.connectorId')
    .innerJoin('organisation', 'organisation.id', 'run.organisationId')
    .select([
      'run.remedy',
      'connector.type',
      'organisation.timeZone',
      sql<boolean>`connector.schemaPolicy = 'stop'`.as('stopsOnChanges'),
      sql<boolean>`connector.targetDownSince IS NOT NULL AND connector.nextRunAt IS NOT NULL`.as('resumesByItself'),
      sql<string | null>`(SELECT good.completedAt FROM run AS good
        WHERE good.connectorId = connector.id AND good.status = 'COMPLETED' AND good.queuedAt < run.queuedAt
        ORDER BY good.queuedAt DESC LIMIT 1)`.as('lastGoodAt'),
    ])
    .where('run.organisationId', '=', organisationId)
    .where('run.id', '=', runId)
    .executeTakeFirstOrThrow()
  return { ...background, pending: await countPending(db, organisationId, connectorId) }
}

/**
 * Every day of the last so many, on the clock of the organisation; a run belongs to the day on which it was started. One during which
 * the clock was set back took no time.
 */
export async function listDays(db: Db, organisationId: string, connectorId: string, days: number) {
  const timeZone = await findTimeZone(db, organisationId)
  const { rows } = await sql<DayRow>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day,
           count(run.id) AS runs,
           count(run.id) FILTER (WHERE run.status = 'FAILED') AS failed,
           coalesce(sum(run.rowsRead), 0)::int8 AS rowsRead,
           coalesce(sum(run.rowsWritten), 0)::int8 AS rowsWritten,
           coalesce(sum(run.rowsUpdated), 0)::int8 AS rowsUpdated,
           coalesce(sum(run.rowsDeleted), 0)::int8 AS rowsDeleted,
           coalesce(sum(run.rowsRejected), 0)::int8 AS rowsRejected,
           coalesce(round(sum(greatest(extract(epoch FROM run.completedAt - coalesce(run.startedAt, run.queuedAt)), 0))), 0)::int8 AS seconds
    FROM (SELECT (now() AT TIME ZONE ${timeZone})::date AS today) AS clock
    CROSS JOIN LATERAL generate_series(today - ${days - 1}::int, today, interval '1 day') AS day
    LEFT JOIN run ON run.organisationId = ${organisationId} AND run.connectorId = ${connectorId}
      AND run.queuedAt >= day::timestamp AT TIME ZONE ${timeZone}
      AND run.queuedAt < (day + interval '1 day')::timestamp AT TIME ZONE ${timeZone}
    GROUP BY day ORDER BY day`.execute(db)
  return rows
}

interface DayRow {
  readonly day: string
  readonly runs: number
  readonly failed: number
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly rowsUpdated: number
  readonly rowsDeleted: number
  readonly rowsRejected: number
  readonly seconds: number
}
