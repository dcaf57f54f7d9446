/** Wakes workers. A wake-up names a run, but a worker claims what is next in the fair order. */
import { sql } from 'kysely'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import type { Queue } from '../../../kernel/queue/queue.ts'
import type { Db } from '../../../kernel/store/store.ts'

/** Wakes a worker if the organisation has a claimable run: the worker that ended a run may lack the memory for it. */
export async function notifyOrganisation(db: Db, queue: Queue, organisationId: string): Promise<void> {
  const next = await db
    .selectFrom('unclaimedRun')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('waitsFor', 'is', null)
    .orderBy('queuedAt')
    .limit(1)
    .executeTakeFirst()
  if (next !== undefined) await queue.notify(db, runChannel, next.id)
}

/** Enough to wake every worker; each one claims until its memory is used. */
const wakeUpsMax = 20

/** Puts organisations with claimable runs back in the order, for example for a retry that is due, and repeats lost wake-ups. */
export async function notifyOverlookedRuns(db: Db, queue: Queue): Promise<void> {
  await sql`SELECT tributaryQueueOrganisations(ARRAY(SELECT DISTINCT unclaimedRun.organisationId FROM unclaimedRun
    LEFT JOIN runQueue ON runQueue.organisationId = unclaimedRun.organisationId
    WHERE unclaimedRun.waitsFor IS NULL AND runQueue.isWaiting IS NOT TRUE))`.execute(db)
  const { rows } = await sql<{ id: string }>`SELECT claimable.id
    FROM (SELECT organisationId FROM runQueue WHERE isWaiting ORDER BY virtualStart, waitingSince LIMIT ${wakeUpsMax}) AS place
    JOIN LATERAL (SELECT id FROM unclaimedRun WHERE organisationId = place.organisationId AND waitsFor IS NULL
      ORDER BY queuedAt LIMIT 1) AS claimable ON true`.execute(db)
  for (const { id } of rows) await queue.notify(db, runChannel, id)
}

/** Puts the organisations of these runs back in the order: of retries that are due, and of runs that a claim has overlooked. */
export async function queueWokenRuns(db: Db, runIds: readonly string[]): Promise<void> {
  await sql`SELECT tributaryQueueOrganisations(ARRAY(SELECT DISTINCT organisationId FROM run
    WHERE id = ANY (${runIds}::uuid[]) AND (status = 'QUEUED' OR (status = 'WAITING' AND retryAt <= now()))))`.execute(
    db,
  )
}
