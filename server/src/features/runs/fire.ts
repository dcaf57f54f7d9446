/** The schedules: turns connectors that have come due into runs. */
import { sql } from 'kysely'
import { ApiFault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Queue } from '../../platform/queue.ts'
import { nextFire } from '../../platform/schedule.ts'
import type { Db } from '../../platform/store.ts'
import { startRun } from './start.ts'

const batch = 100

/** Batch after batch, so that no transaction grows with the number of schedules; nothing while schedules are switched off. */
export async function fireAllDue({ settings, store, ...parts }: Pick<Parts, 'log' | 'queue' | 'settings' | 'store'>): Promise<void> {
  if (!(await settings.read()).ScheduledRuns) return
  // Across: a worker serves every organisation.
  while ((await store.across((db) => fireDue(db, parts))) > 0);
}

/**
 * Starts what is due and moves each on to its next time, in one transaction: a connector locked by another scheduler is
 * skipped, and one that has been moved on is due no more. Answers how many were due. After a long sleep each fires once.
 */
export async function fireDue(db: Db, { log, queue }: Pick<Parts, 'log' | 'queue'>): Promise<number> {
  const due = await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.id', 'connector.organisationId', 'connector.schedule', 'organisation.timeZone', sql<string>`now()`.as('now')])
    .where('connector.nextRunAt', '<=', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .orderBy('connector.nextRunAt')
    .limit(batch)
    .forUpdate('connector')
    .skipLocked()
    .execute()
  for (const connector of due) {
    const { id, organisationId } = connector
    const next = nextTime(log, connector)
    await db.updateTable('connector').set({ nextRunAt: next }).where('organisationId', '=', organisationId).where('id', '=', id).execute()
    await startUnlessRunning(db, queue, { organisationId, connectorId: id })
  }
  return due.length
}

interface Due {
  readonly id: string
  readonly organisationId: string
  readonly schedule: string | null
  readonly timeZone: string
  readonly now: string
}

/** A zone that nobody knows any more must not keep everybody else's schedules from firing: it is read as UTC, and the operator told. */
function nextTime(log: Log, { id: connectorId, organisationId, schedule, timeZone, now }: Due): Date | null {
  if (schedule === null) return null
  for (const zone of [timeZone, 'UTC']) {
    try {
      return nextFire(schedule, zone, new Date(now))
    } catch (error) {
      log.warn('a schedule could not be read in its time zone', { organisationId, connectorId, error })
    }
  }
  return null
}

/** A run that is still going does this fire's work, too; of an organisation archived just now nothing starts any more. */
async function startUnlessRunning(db: Db, queue: Queue, of: { organisationId: string; connectorId: string }): Promise<void> {
  try {
    await startRun(db, queue, { ...of, mode: 'incremental', trigger: 'schedule', triggeredBy: null })
  } catch (error) {
    if (error instanceof ApiFault && ['alreadyRunning', 'notFound'].includes(error.code)) return
    throw error
  }
}
