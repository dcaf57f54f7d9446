/**
 * Starts runs. A connector has at most one unfinished run; a person may replace one that has stalled. A run that only verifies counts
 * as finished: the new one is queued, the verification ends for it, and then it begins.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import { stalledAfterMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { lockConnector } from './connector-lock.ts'
import {
  endVerificationsEverywhere,
  isVerification,
  movesRows,
  type RunMode,
} from '../verifications/verification-runs.ts'
import type { ConnectorLocation } from './connector-settings.ts'
import { ApiFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Queue } from '../../kernel/queue/queue.ts'
import type { Db } from '../../kernel/store/store.ts'

export type StartRunServices = Pick<SecurityServices, 'audit' | 'queue'>

/** The wake-up notification that makes a worker claim a run. */
export const runChannel = 'run'

export interface RunRequest extends ConnectorLocation {
  readonly mode: RunMode
  readonly triggeredBy: string | null
  /** Move only these streams. */
  readonly onlyStreams?: readonly string[] | undefined
  /** Read everything again that has changed since this time. */
  readonly readFrom?: Date | undefined
}

export interface ManualStart {
  readonly auditContext: OrganisationContext
  readonly connectorId: string
}

/** Starts a run for a person and records it in the audit log. Returns the run's id. */
export async function startManualRun(
  db: Db,
  { audit, queue }: StartRunServices,
  { auditContext, connectorId }: ManualStart,
  scope: Pick<RunRequest, 'mode' | 'onlyStreams' | 'readFrom'>,
): Promise<string> {
  const { organisationId, actor } = auditContext
  const triggeredBy = actor?.userId ?? null
  const runId = await insertRun(db, queue, { organisationId, connectorId, triggeredBy, ...scope })
  const { mode, onlyStreams, readFrom } = scope
  const detail = {
    runId,
    mode,
    ...(onlyStreams && { streams: onlyStreams.length }),
    ...(readFrom && { from: readFrom.toISOString() }),
  }
  const object = { type: 'connector', id: connectorId }
  await audit.record(db, auditContext, { action: 'sync.triggered', object, detail })
  return runId
}

/**
 * Inserts the scheduled runs of connectors that the caller has locked, in one statement. A connector with an unfinished
 * run of all its tables is skipped, because that run does the same work. A schedule never replaces a stalled run: it
 * would end every run that takes longer than half an hour. A verification gives way.
 */
export async function startScheduledRuns(db: Db, queue: Queue, connectorIds: readonly string[]): Promise<void> {
  await endVerificationsEverywhere(db, connectorIds)
  const runs = await db
    .insertInto('run')
    .columns(['organisationId', 'connectorId', 'mode', 'trigger'])
    .expression((eb) =>
      eb
        .selectFrom('connector')
        .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
        .select([
          'connector.organisationId',
          'connector.id',
          sql<
            'incremental' | 'full'
          >`CASE WHEN EXISTS (SELECT FROM connectorCompany AS company WHERE company.connectorId = connector.id AND company.readsAnew) THEN 'full' ELSE 'incremental' END`.as(
            'mode',
          ),
          sql<'schedule'>`'schedule'`.as('trigger'),
        ])
        .where('connector.id', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
        // The organisation may have been archived since the connector became due.
        .where('organisation.archivedAt', 'is', null),
    )
    // The unique index allows one unfinished run per connector, and one that verifies.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  await queue.notifyMany(
    db,
    runChannel,
    runs.map(({ id }) => id),
  )
}

/** Inserts the run and notifies a worker, in the caller's transaction. Returns the run's id. */
async function insertRun(db: Db, queue: Queue, request: RunRequest): Promise<string> {
  const { organisationId, connectorId, triggeredBy, onlyStreams, readFrom } = request
  await requireConnected(db, request)
  if (!isVerification(request.mode)) await endVerificationsEverywhere(db, [connectorId])
  await endStalledRuns(db, request)
  await requireQueueCapacity(db, organisationId)
  const mode = movesRows(request.mode) && (await needsFullRead(db, connectorId)) ? 'full' : request.mode
  const run = await db
    .insertInto('run')
    .values({
      organisationId,
      connectorId,
      mode,
      trigger: 'person',
      triggeredBy,
      onlyStreams: onlyStreams === undefined ? null : [...new Set(onlyStreams)],
      readFrom: readFrom ?? null,
    })
    // The lock on the connector already excludes a second run; the unique index is the safeguard.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (run === undefined) throw new ApiFault('alreadyRunning')
  await queue.notify(db, runChannel, run.id)
  return run.id
}

/** Whether the rows and checkpoints in the target belong to another company than the connected one. */
async function needsFullRead(db: Db, connectorId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorCompany')
    .select('connectorId')
    .where('connectorId', '=', connectorId)
    .where('readsAnew', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

const queuedMax = 100

/** Schedules need no limit, because they start at most one run per connector. */
async function requireQueueCapacity(db: Db, organisationId: string): Promise<void> {
  const { queued } = await db
    .selectFrom('run')
    .select(db.fn.countAll<number>().as('queued'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'QUEUED')
    .executeTakeFirstOrThrow()
  if (queued >= queuedMax) throw new ApiFault('queueFull')
}

async function requireConnected(db: Db, { mode, ...location }: RunRequest): Promise<void> {
  const connector = requireFound(await lockConnector(db, location))
  const { archivedAt } = await db
    .selectFrom('organisation')
    .select('archivedAt')
    .where('id', '=', location.organisationId)
    .executeTakeFirstOrThrow()
  // A cached session may be a few seconds older than the archiving.
  if (archivedAt !== null) throw new ApiFault('notFound')
  if (connector.status !== 'CONNECTED') throw new ApiFault('notConnected')
  // An erasure does not open the source.
  if (connector.awaitsApproval && mode !== 'erase') throw new ApiFault('awaitsApproval')
}

/**
 * Ends stalled runs so that a person can replace them. The next claim raises the fencing token, so the target refuses
 * what the old workers may still write.
 */
async function endStalledRuns(db: Db, { organisationId, connectorId }: RunRequest): Promise<void> {
  const open = await db
    .selectFrom('run')
    .select([
      'id',
      sql<boolean>`verifyingSince IS NOT NULL`.as('isVerifying'),
      sql<boolean>`coalesce(verifyingSince, queuedAt) < now() - ${stalledAfterMs} * interval '1 millisecond'`.as(
        'isStalled',
      ),
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .execute()
  if (open.some(({ isVerifying, isStalled }) => !isVerifying && !isStalled)) throw new ApiFault('alreadyRunning')
  const stalled = open.filter(({ isStalled }) => isStalled).map(({ id }) => id)
  if (stalled.length === 0) return
  await db
    .updateTable('run')
    .set({
      status: 'CANCELLED',
      completedAt: sql`now()`,
      notice: 'It took longer than expected and was replaced by a new run.',
    })
    .where('organisationId', '=', organisationId)
    .where('id', 'in', stalled)
    .execute()
}
