/** Lease reaper: requeues runs whose worker stopped sending heartbeats, and resends lost wake-up notifications. */
import { sql } from 'kysely'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { AppServices } from '../../../app-services.ts'
import { notifyOverlookedRuns } from '../claiming/wake-workers.ts'
import { attemptsMax } from '../execution/outcome.ts'
import { tryLockForTransaction } from '../../../kernel/store/locks.ts'

type LeaseReaperServices = Pick<AppServices, 'audit' | 'log' | 'metrics' | 'queue' | 'store'>

/**
 * Requeues runs whose lease has expired. Logs and counts them here, because a dead worker cannot.
 * @param leaseMs a worker without a heartbeat for this long is considered dead; its target rejects it after the next
 * claim
 */
export async function reapExpiredLeases(services: LeaseReaperServices, leaseMs: number): Promise<void> {
  const { log, metrics, store } = services
  // Across organisations: a worker serves all of them.
  const lost = await store.across((db) => reapOnce(db, services, leaseMs))
  for (const { type, status, ...run } of lost) {
    log.warn('a run was requeued because its worker stopped sending heartbeats', { ...run, code: status })
    metrics.recordRunEnd({ type, result: status === 'FAILED' ? 'failed' : 'lost' })
  }
}

async function reapOnce(db: Db, { audit, queue }: Pick<AppServices, 'audit' | 'queue'>, leaseMs: number) {
  // One reaper at a time is enough.
  if (!(await tryLockForTransaction(db, 'runSweep'))) return []
  const lost = await requeueExpired(db, leaseMs)
  for (const { organisationId, connectorId, runId, status } of lost)
    if (status === 'FAILED')
      await audit.record(db, systemAuditContext, {
        organisationId,
        action: 'sync.failed',
        outcome: 'failure',
        object: { type: 'connector', id: connectorId },
        detail: { runId, code: workersLostCode },
      })
  await notifyOverlookedRuns(db, queue)
  return lost
}

const workersLostCode = 'run.workers_lost'

/** Requeues runs of dead workers. A run that has lost several workers fails instead. */
async function requeueExpired(db: Db, leaseMs: number) {
  const lost = await db
    .updateTable('run')
    .set({
      status: sql`CASE WHEN cancelRequestedAt IS NOT NULL THEN 'CANCELLED' WHEN attempt >= ${attemptsMax} THEN 'FAILED' ELSE 'QUEUED' END`,
      completedAt: sql`CASE WHEN cancelRequestedAt IS NOT NULL OR attempt >= ${attemptsMax} THEN now() END`,
      faultKind: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN 'bug' END`,
      faultCode: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN ${workersLostCode} END`,
      notice: sql`CASE WHEN cancelRequestedAt IS NULL AND attempt >= ${attemptsMax} THEN ${workersLostNotice} END`,
      worker: null,
    })
    .where('status', '=', 'RUNNING')
    .where('heartbeatAt', '<', sql<string>`now() - ${leaseMs} * interval '1 millisecond'`)
    .returning(['id as runId', 'organisationId', 'connectorId', 'status'])
    .returning(sql<string>`(SELECT type FROM connector WHERE connector.id = run.connectorId)`.as('type'))
    .execute()
  if (lost.length === 0) return lost
  const text = 'The worker stopped answering. Rows that it had committed remain in the target.'
  await db
    .insertInto('runLine')
    .values(lost.map(({ runId, organisationId }) => ({ runId, organisationId, level: 'warn' as const, text })))
    .execute()
  return lost
}

const workersLostNotice =
  'The worker of this run stopped several times before it moved a row. No data is lost. Refresh again; if it happens again, ask the operator of Tributary to check the server log.'
