/** The schedules: turns connectors that have come due into runs. */
import { sql } from 'kysely'
import { dueConnectors } from '../../../connections/connectors/due-connectors.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { AppServices } from '../../../app-services.ts'
import { nextFire } from '../../../kernel/cron-schedule.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { startScheduled } from '../../../connections/connectors/start-run.ts'

type ScheduleServices = Pick<AppServices, 'log' | 'queue' | 'settings' | 'store'>

/** Larger ones hold connectors locked for longer, smaller ones cost more round trips. */
const batch = 500

/** Batch after batch, so that no transaction grows with the number of schedules; nothing while schedules are switched off. */
export async function fireAllDue({ settings, store, ...services }: ScheduleServices): Promise<void> {
  if (!(await settings.read()).ScheduledRuns) return
  // Across: a worker serves every organisation.
  while ((await store.across((db) => fireDue(db, services))) > 0);
}

/**
 * Starts what is due and moves each on to its next time, in one transaction: a connector locked by another scheduler is
 * skipped, and one that has been moved on is due no more. Answers how many were due. After a long sleep each fires once.
 */
export async function fireDue(db: Db, { log, queue }: Pick<AppServices, 'log' | 'queue'>): Promise<number> {
  const due = await dueConnectors(db)
    .select([
      'connector.id',
      'connector.organisationId',
      'connector.schedule',
      'organisation.timeZone',
      sql<string>`now()`.as('now'),
    ])
    .orderBy('connector.nextRunAt')
    .limit(batch)
    .forUpdate('connector')
    .skipLocked()
    .execute()
  if (due.length === 0) return 0
  await moveOn(db, due, nextTimes(log, due))
  await startScheduled(
    db,
    queue,
    due.map(({ id }) => id),
  )
  return due.length
}

interface Due {
  readonly id: string
  readonly organisationId: string
  readonly schedule: string | null
  readonly timeZone: string
  readonly now: string
}

async function moveOn(db: Db, due: readonly Due[], times: readonly (Date | null)[]): Promise<void> {
  const ids = due.map(({ id }) => id)
  await sql`UPDATE connector SET nextRunAt = moved.next FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS moved (id, next)
    WHERE connector.id = moved.id`.execute(db)
}

/** Most share a few schedules and zones, and to find the next time costs more than all else about a fire. */
function nextTimes(log: Log, due: readonly Due[]): readonly (Date | null)[] {
  const known = new Map<string, Date | null>()
  return due.map((connector) => {
    const key = `${connector.schedule} ${connector.timeZone}`
    const next = known.get(key)
    if (next !== undefined) return next
    const found = nextTime(log, connector)
    known.set(key, found)
    return found
  })
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
