/** Starts verifications whose schedule is due. */
import { sql } from 'kysely'
import type { AppServices } from '../../../app-services.ts'
import { organisationOfConnector } from '../../../connections/connectors/due-connectors.ts'
import { nextFire } from '../../../kernel/cron-schedule.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { selectIdleConnectors, startOnIdle } from './idle-connectors.ts'

type ScheduleServices = Pick<AppServices, 'log' | 'queue' | 'settings' | 'store'>

/** Connectors in one transaction. */
const batchSize = 200

/** Does nothing while schedules are switched off. */
export async function fireDueVerifications({ settings, store, ...services }: ScheduleServices): Promise<void> {
  if (!(await settings.read()).ScheduledRuns) return
  // Across organisations: a worker serves all of them.
  while ((await store.across((db) => fireBatch(db, services))) > 0);
}

/**
 * Starts the verifications that are due and sets their next time, in one transaction. A connector with an unfinished run is left until
 * that run has ended: a verification never takes the place of a run that moves rows. A connector without a next time only gets one, and so does one of an
 * archived organisation.
 */
async function fireBatch(db: Db, { log, queue }: Pick<AppServices, 'log' | 'queue'>): Promise<number> {
  const due = await selectIdleConnectors(db)
    .select('connector.verifySchedule')
    .select([organisationOfConnector.timeZone.as('timeZone'), organisationOfConnector.isArchived.as('isArchived')])
    .select([sql<boolean>`connector.verifyNextAt IS NOT NULL`.as('isDue'), sql<string>`now()`.as('now')])
    .where('connector.verifySchedule', 'is not', null)
    .where(sql<boolean>`(connector.verifyNextAt IS NULL OR connector.verifyNextAt <= now())`)
    .orderBy('connector.verifyNextAt')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { id, organisationId, verifySchedule, timeZone, now, isDue, isArchived } of due) {
    const verifyNextAt = nextTime(log, { connectorId: id, schedule: verifySchedule ?? '', timeZone, now })
    await db
      .updateTable('connector')
      // An unreadable schedule is switched off, so that it is not read again at every poll.
      .set(verifyNextAt === null ? { verifySchedule: null, verifyNextAt } : { verifyNextAt })
      .where('organisationId', '=', organisationId)
      .where('id', '=', id)
      .execute()
    if (isDue && !isArchived && (await hasRows(db, id)))
      await startOnIdle(db, queue, { organisationId, connectorId: id, mode: 'verify' })
  }
  return due.length
}

async function hasRows(db: Db, connectorId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorStream')
    .select('name')
    .where('connectorId', '=', connectorId)
    .where('freshAt', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

interface ScheduleToRead {
  readonly connectorId: string
  readonly schedule: string
  readonly timeZone: string
  readonly now: string
}

function nextTime(log: AppServices['log'], { connectorId, schedule, timeZone, now }: ScheduleToRead): Date | null {
  for (const zone of [timeZone, 'UTC']) {
    try {
      return nextFire(schedule, zone, new Date(now))
    } catch (error) {
      log.warn('the schedule of verifications could not be read in its time zone', { connectorId, error })
    }
  }
  return null
}
