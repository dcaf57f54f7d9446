/** Starting a run: one unfinished run a connector, unless the one there is has stalled. */
import { stalledAfterMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { Audit } from '../../security/audit/audit.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { lockConnector } from './connector-lock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Queue } from '../../kernel/queue/queue.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface StartRunServices {
  readonly audit: Audit
  readonly queue: Queue
}

/** The bell that calls a worker to a run. */
export const runChannel = 'run'

export interface RunRequest {
  readonly organisationId: string
  readonly connectorId: string
  readonly mode: 'incremental' | 'full'
  readonly triggeredBy: string | null
  /** Move these alone. */
  readonly onlyStreams?: readonly string[] | undefined
  /** Read again what has changed since this moment. */
  readonly readFrom?: Date | undefined
}

export interface ManualStart {
  readonly auditContext: AuditContext<string>
  readonly connectorId: string
}

/** What a person starts is in the audit log, too. Answers the run's id. */
export async function startForPerson(
  db: Db,
  { audit, queue }: StartRunServices,
  { auditContext, connectorId }: ManualStart,
  wish: Pick<RunRequest, 'mode' | 'onlyStreams' | 'readFrom'>,
): Promise<string> {
  const { organisationId, actor } = auditContext
  const triggeredBy = actor?.userId ?? null
  const runId = await startRun(db, queue, { organisationId, connectorId, triggeredBy, ...wish })
  const { mode, onlyStreams, readFrom } = wish
  const detail = {
    runId,
    mode,
    ...(onlyStreams && { streams: onlyStreams.length }),
    ...(readFrom && { from: readFrom.toISOString() }),
  }
  const object = { type: 'connector', id: connectorId }
  await audit.record(db, auditContext, { action: 'sync.triggered', outcome: 'success', object, detail })
  return runId
}

/**
 * Starts what is due by schedule, of connectors that the caller has locked, all in one go. One with an unfinished run of all its
 * tables is left out, for that run does this fire's work, too: a schedule replaces no stalled run, or it would end every run longer than half an hour.
 */
export async function startScheduled(db: Db, queue: Queue, connectorIds: readonly string[]): Promise<void> {
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
          >`CASE WHEN EXISTS (SELECT FROM connectorTenant AS tenant WHERE tenant.connectorId = connector.id AND tenant.readsAnew) THEN 'full' ELSE 'incremental' END`.as(
            'mode',
          ),
          sql<'schedule'>`'schedule'`.as('trigger'),
        ])
        .where('connector.id', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
        // It may have been archived since the connector was found to be due.
        .where('organisation.archivedAt', 'is', null),
    )
    // An unfinished run of the connector is in the way.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  await queue.notifyMany(
    db,
    runChannel,
    runs.map(({ id }) => id),
  )
}

/** Adds the run and rings for it in the caller's transaction, and answers its id. */
async function startRun(db: Db, queue: Queue, request: RunRequest): Promise<string> {
  const { organisationId, connectorId, triggeredBy, onlyStreams, readFrom } = request
  await requireConnected(db, organisationId, connectorId)
  await endStalledRun(db, request)
  await requireQueueCapacity(db, organisationId)
  const mode = (await needsFullRead(db, connectorId)) ? 'full' : request.mode
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
    // Nobody can have come in between, for the connector is locked; if the lock were ever lost, the index would still hold.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (run === undefined) throw new ApiFault('alreadyRunning')
  await queue.notify(db, runChannel, run.id)
  return run.id
}

/** Whether the rows and checkpoints in the target are of another company than the one that is connected. */
async function needsFullRead(db: Db, connectorId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorTenant')
    .select('readsAnew')
    .where('connectorId', '=', connectorId)
    .executeTakeFirst()
  return found?.readsAnew === true
}

const queuedMax = 100

/** Schedules need no bound: what they start is one run a connector at most. */
async function requireQueueCapacity(db: Db, organisationId: string): Promise<void> {
  const { queued } = await db
    .selectFrom('run')
    .select(db.fn.countAll<number>().as('queued'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'QUEUED')
    .executeTakeFirstOrThrow()
  if (queued >= queuedMax) throw new ApiFault('queueFull')
}

async function requireConnected(db: Db, organisationId: string, connectorId: string): Promise<void> {
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector === undefined) throw new ApiFault('notFound')
  const { archivedAt } = await db
    .selectFrom('organisation')
    .select('archivedAt')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  // A member's session may be a few seconds older than the archiving.
  if (archivedAt !== null) throw new ApiFault('notFound')
  if (connector.status !== 'CONNECTED') throw new ApiFault('notConnected')
}

/**
 * A person may replace a stalled run. It is ended here and fenced by the next claim: should its worker still be at it, the
 * target refuses what it writes.
 */
async function endStalledRun(db: Db, { organisationId, connectorId }: RunRequest): Promise<void> {
  const open = await db
    .selectFrom('run')
    .select(['id', sql<boolean>`queuedAt < now() - ${stalledAfterMs} * interval '1 millisecond'`.as('isStalled')])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .executeTakeFirst()
  if (open === undefined) return
  if (!open.isStalled) throw new ApiFault('alreadyRunning')
  await db
    .updateTable('run')
    .set({
      status: 'CANCELLED',
      completedAt: sql`now()`,
      notice: 'It took longer than expected and was replaced by a new run.',
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', open.id)
    .execute()
}
