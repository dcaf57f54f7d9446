/** The schedules: turns connectors that have come due into runs. */
import { sql } from 'kysely'
import { ApiFault } from '../../platform/fault.ts'
import type { Queue } from '../../platform/queue.ts'
import { nextFire } from '../../platform/schedule.ts'
import type { Db } from '../../platform/store.ts'
import { startRun } from './start.ts'

const batch = 100

/**
 * Starts what is due and moves each on to its next time, in one transaction: a connector locked by another scheduler is
 * skipped, and one that has been moved on is due no more. Answers how many were due. After a long sleep each fires once.
 */
export async function fireDue(db: Db, queue: Queue): Promise<number> {
  const due = await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.id', 'connector.organisationId', 'connector.schedule', 'organisation.timeZone', sql<string>`now()`.as('now')])
    .where('connector.nextRunAt', '<=', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .orderBy('connector.nextRunAt')
    .limit(batch)
    .forUpdate('connector')
    .skipLocked()
    .execute()
  for (const { id, organisationId, schedule, timeZone, now } of due) {
    const next = schedule === null ? null : nextFire(schedule, timeZone, new Date(now))
    await db.updateTable('connector').set({ nextRunAt: next }).where('organisationId', '=', organisationId).where('id', '=', id).execute()
    await startUnlessRunning(db, queue, { organisationId, connectorId: id })
  }
  return due.length
}

/** A run that is still going does this fire's work, too. */
async function startUnlessRunning(db: Db, queue: Queue, of: { organisationId: string; connectorId: string }): Promise<void> {
  try {
    await startRun(db, queue, { ...of, mode: 'incremental', trigger: 'schedule', triggeredBy: null })
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'alreadyRunning') return
    throw error
  }
}
