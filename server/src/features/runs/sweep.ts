/** Looks after runs that nobody looks after: those of dead workers, and those whose ring was lost. */
import { sql } from 'kysely'
import type { Queue } from '../../platform/queue.ts'
import type { Db } from '../../platform/store.ts'
import { isReady, runsAtOnce } from './claim.ts'
import { attemptsMax } from './outcome.ts'
import { runBell } from '../../platform/start-run.ts'

/** @param leaseMs a worker not heard of for this long is taken for dead; its target refuses it from the next claim on. */
export async function sweep(db: Db, queue: Queue, leaseMs: number): Promise<void> {
  // One worker is enough; the others find nothing left to do.
  const { rows } = await sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(7461893) AS free`.execute(db)
  if (rows[0]?.free !== true) return
  await takeBack(db, leaseMs)
  await ringReady(db, queue)
}

/** Runs of dead workers go back to the queue; one that has cost several workers their lives goes no further. */
async function takeBack(db: Db, leaseMs: number): Promise<void> {
  const lost = await db
    .updateTable('run')
    .set({
      status: sql`CASE WHEN cancel_requested_at IS NOT NULL THEN 'CANCELLED' WHEN attempt >= ${attemptsMax} THEN 'FAILED' ELSE 'QUEUED' END`,
      completedAt: sql`CASE WHEN cancel_requested_at IS NOT NULL OR attempt >= ${attemptsMax} THEN now() END`,
      faultKind: sql`CASE WHEN cancel_requested_at IS NULL AND attempt >= ${attemptsMax} THEN 'bug' END`,
      faultCode: sql`CASE WHEN cancel_requested_at IS NULL AND attempt >= ${attemptsMax} THEN 'run.workers_lost' END`,
      notice: sql`CASE WHEN cancel_requested_at IS NULL AND attempt >= ${attemptsMax} THEN ${workersLost} END`,
      worker: null,
    })
    .where('status', '=', 'RUNNING')
    .where('heartbeatAt', '<', sql<string>`now() - ${leaseMs} * interval '1 millisecond'`)
    .returning(['id', 'organisationId', 'status'])
    .execute()
  if (lost.length === 0) return
  const text = 'The worker stopped answering. What it had committed stays.'
  await db
    .insertInto('runLine')
    .values(lost.map(({ id, organisationId }) => ({ runId: id, organisationId, level: 'warn' as const, text })))
    .execute()
}

const workersLost =
  'The run ended its worker several times without moving a row. Nothing is lost. Refresh again; if it happens again, ask whoever runs Tributary to look into the server log.'

/** Rings for the oldest runs that could start now, as many as their organisations have places free. */
export async function ringReady(db: Db, queue: Queue, organisationId?: string): Promise<void> {
  const ready = db
    .selectFrom('run')
    .select(['id', 'organisationId', sql<number>`row_number() OVER (PARTITION BY organisation_id ORDER BY queued_at)`.as('place')])
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
  for (const { id } of runs) await queue.ring(db, runBell, id)
}
