/** Looks after runs that nobody looks after: those of dead workers, and those whose ring was lost. */
import { sql } from 'kysely'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import type { Queue } from '../../../kernel/queue/queue.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { AppServices } from '../../../app-services.ts'
import { isReady, runsAtOnce } from '../execution/claim-run.ts'
import { attemptsMax } from '../execution/outcome.ts'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import { tryLockForTransaction } from '../../../kernel/store/locks.ts'

type LeaseReaperServices = Pick<AppServices, 'audit' | 'log' | 'metrics' | 'queue' | 'store'>

/**
 * @param leaseMs a worker not heard of for this long is taken for dead; its target refuses it from the next claim on. It can tell nobody,
 * so whoever takes its runs back does.
 */
export async function sweep(services: LeaseReaperServices, leaseMs: number): Promise<void> {
  const { log, metrics, store } = services
  // Across: a worker looks after the runs of every organisation.
  const lost = await store.across((db) => sweepOnce(db, services, leaseMs))
  for (const { type, status, ...run } of lost) {
    log.warn('a run was taken back from a worker that stopped answering', { ...run, code: status })
    metrics.recordRunEnd({ type, result: status === 'FAILED' ? 'failed' : 'lost' })
  }
}

async function sweepOnce(
  db: Db,
  { audit, queue }: Pick<AppServices, 'audit' | 'queue'>,
  leaseMs: number,
): Promise<readonly LostRun[]> {
  // One worker is enough; the others find nothing left to do.
  if (!(await tryLockForTransaction(db, 'runSweep'))) return []
  const lost = await takeBack(db, leaseMs)
  for (const { organisationId, connectorId, runId, status } of lost)
    if (status === 'FAILED')
      await audit.record(db, systemAuditContext, {
        organisationId,
        action: 'sync.failed',
        outcome: 'failure',
        object: { type: 'connector', id: connectorId },
        detail: { runId, code: workersLostCode },
      })
  await ringReady(db, queue)
  return lost
}

interface LostRun {
  readonly runId: string
  readonly organisationId: string
  readonly connectorId: string
  readonly type: string
  readonly status: string
}

const workersLostCode = 'run.workers_lost'

/** Runs of dead workers go back to the queue; one that has cost several workers their lives goes no further. */
async function takeBack(db: Db, leaseMs: number): Promise<readonly LostRun[]> {
  const lost = await db
    .updateTable('run')
    .set({
      status: sql`CASE WHEN cancelRequestedAt IS NOT NULL THEN 'CANCELLED' WHEN attempt >= ${attemptsMax} THEN 'FAILED' ELSE 'QUEUED' END`,
      completedAt: sql`CASE WHEN cancelRequestedAt IS NOT NULL OR attempt >= ${attemptsMax} THEN now() END`,
      faultKind: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN 'bug' END`,
      faultCode: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN ${workersLostCode} END`,
      notice: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN ${workersLost} END`,
      worker: null,
    })
    .where('status', '=', 'RUNNING')
    .where('heartbeatAt', '<', sql<string>`now() - ${leaseMs} * interval '1 millisecond'`)
    .returning(['id as runId', 'organisationId', 'connectorId', 'status'])
    .returning(sql<string>`(SELECT type FROM connector WHERE connector.id = run.connectorId)`.as('type'))
    .execute()
  if (lost.length === 0) return lost
  const text = 'The worker stopped answering. What it had committed stays.'
  await db
    .insertInto('runLine')
    .values(lost.map(({ runId, organisationId }) => ({ runId, organisationId, level: 'warn' as const, text })))
    .execute()
  return lost
}

const workersLost =
  'The run ended its worker several times without moving a row. Nothing is lost. Refresh again; if it happens again, ask whoever runs Tributary to look into the server log.'

/** Rings for the oldest runs that could start now, as many as their organisations have places free. */
export async function ringReady(db: Db, queue: Queue, organisationId?: string): Promise<void> {
  const ready = db
    .selectFrom('run')
    .select([
      'id',
      'organisationId',
      sql<number>`row_number() OVER (PARTITION BY organisationId ORDER BY queuedAt)`.as('place'),
    ])
    .where(isReady)
    .$if(organisationId !== undefined, (query) => query.where('organisationId', '=', organisationId ?? ''))
  const runs = await db
    .with('ready', () => ready)
    .selectFrom('ready')
    .select('id')
    .where((eb) =>
      eb(
        'place',
        '<=',
        eb
          .selectFrom('run')
          .select((inner) => sql<number>`${runsAtOnce} - ${inner.fn.countAll()}`.as('free'))
          .whereRef('run.organisationId', '=', 'ready.organisationId')
          .where('run.status', '=', 'RUNNING'),
      ),
    )
    .execute()
  for (const { id } of runs) await queue.notify(db, runChannel, id)
}
