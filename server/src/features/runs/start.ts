/** Starting a run: one unfinished run a connector, unless the one there is has stalled. */
import { stalledAfterMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { lockConnector } from '../../platform/connector-lock.ts'
import { ApiFault } from '../../platform/fault.ts'
import type { Queue } from '../../platform/queue.ts'
import type { Db } from '../../platform/store.ts'

/** The bell that calls a worker to a run. */
export const runBell = 'run'

export interface RunRequest {
  readonly organisationId: string
  readonly connectorId: string
  readonly mode: 'incremental' | 'full'
  readonly trigger: 'person' | 'schedule'
  readonly triggeredBy: string | null
}

/** Adds the run and rings for it in the caller's transaction, and answers its id. */
export async function startRun(db: Db, queue: Queue, request: RunRequest): Promise<string> {
  const { organisationId, connectorId, mode, trigger, triggeredBy } = request
  await lockConnected(db, organisationId, connectorId)
  await makeWay(db, request)
  const run = await db
    .insertInto('run')
    .values({ organisationId, connectorId, mode, trigger, triggeredBy })
    // Nobody can have come in between, for the connector is locked; if the lock were ever lost, the index would still hold.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (run === undefined) throw new ApiFault('alreadyRunning')
  await queue.ring(db, runBell, run.id)
  return run.id
}

async function lockConnected(db: Db, organisationId: string, connectorId: string): Promise<void> {
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector === undefined) throw new ApiFault('notFound')
  const { archivedAt } = await db.selectFrom('organisation').select('archivedAt').where('id', '=', organisationId).executeTakeFirstOrThrow()
  // A member's session may be a few seconds older than the archiving.
  if (archivedAt !== null) throw new ApiFault('notFound')
  if (connector.status !== 'CONNECTED') throw new ApiFault('notConnected')
}

/**
 * A person may replace a stalled run; a schedule may not, or it would end every run longer than half an hour. The old run
 * is ended here and fenced by the next claim: should its worker still be at it, the target refuses what it writes.
 */
async function makeWay(db: Db, { organisationId, connectorId, trigger }: RunRequest): Promise<void> {
  const open = await db
    .selectFrom('run')
    .select(['id', sql<boolean>`queued_at < now() - ${stalledAfterMs} * interval '1 millisecond'`.as('isStalled')])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .executeTakeFirst()
  if (open === undefined) return
  if (!open.isStalled || trigger === 'schedule') throw new ApiFault('alreadyRunning')
  await db
    .updateTable('run')
    .set({ status: 'CANCELLED', completedAt: sql`now()`, notice: 'It took longer than expected and was replaced by a new run.' })
    .where('organisationId', '=', organisationId)
    .where('id', '=', open.id)
    .execute()
}
