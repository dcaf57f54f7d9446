/** What the screens ask about runs. Names are the contract's. */
import { sql } from 'kysely'
import type { Db } from '../../platform/store.ts'

/** Rows and page numbers as the list asks for them; without a page, everything. */
export interface Page {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

const pageSizeDefault = 50

export async function listRuns(db: Db, organisationId: string, connectorId: string, { page, pageSize }: Page) {
  const size = pageSize ?? pageSizeDefault
  const isPaged = page !== undefined || pageSize !== undefined
  const rows = await shownRuns(db, organisationId)
    .where('run.connectorId', '=', connectorId)
    .orderBy('run.queuedAt', 'desc')
    .orderBy('run.id')
    .$if(isPaged, (query) => query.limit(size).offset(((page ?? 1) - 1) * size))
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
  return shownRuns(db, organisationId).where('run.connectorId', '=', connectorId).where('run.id', '=', runId).executeTakeFirst()
}

function shownRuns(db: Db, organisationId: string) {
  return db
    .selectFrom('run')
    .leftJoin('portalUser', 'portalUser.id', 'run.triggeredBy')
    .select([
      'run.id',
      'run.connectorId',
      'run.status',
      'run.mode',
      'run.trigger',
      sql<string | null>`portal_user.first_name || ' ' || portal_user.last_name`.as('triggeredBy'),
      'run.queuedAt as queuedAtUtc',
      'run.startedAt as startedAtUtc',
      'run.completedAt as completedAtUtc',
      'run.retryAt as retryAtUtc',
      'run.attempt',
      'run.faultKind',
      'run.faultCode',
      'run.notice',
      'run.rowsRead',
      'run.rowsWritten',
      'run.rowsUpdated',
      'run.rowsDeleted',
      'run.rowsRejected',
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
/** As many rejected rows as are kept for the screen; the target keeps them all. */
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
export async function requestCancel(db: Db, organisationId: string, runId: string, notice: string): Promise<boolean> {
  const changed = await db
    .updateTable('run')
    .set({
      cancelRequestedAt: sql`coalesce(cancel_requested_at, now())`,
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
