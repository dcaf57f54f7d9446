/** Starts runs for connectors whose schedule is due. */
import { sql } from 'kysely'
import { organisationOfConnector, selectDueConnectors } from '../../../connections/connectors/due-connectors.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { AppServices } from '../../../app-services.ts'
import { nextFire } from '../../../kernel/cron-schedule.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { listNearAllowanceEverywhere } from '../../../connections/rate-budgets/daily-allowance.ts'
import { startScheduledRuns } from '../../../connections/connectors/start-run.ts'

type ScheduleServices = Pick<AppServices, 'log' | 'queue' | 'settings' | 'store'>

/** Connectors in one transaction: larger batches hold locks for longer, smaller ones cost more round trips. */
const batchSize = 500

/**
 * Fires all due schedules in batches, so that transactions stay small. Does nothing while schedules are switched off.
 */
export async function fireAllDue({ settings, store, ...services }: ScheduleServices): Promise<void> {
  const { ScheduledRuns, ThinOutNearAllowance: thinsOut } = await settings.read()
  if (!ScheduledRuns) return
  // Across organisations: a worker serves all of them.
  while ((await store.across((db) => fireDue(db, services, { thinsOut }))) > 0);
}

/**
 * Starts due runs and reschedules their connectors in one transaction. Connectors locked by another scheduler are
 * skipped, so each
 * fire happens exactly once. After downtime each schedule fires once. Connectors of archived organisations are only rescheduled, so
 * that they are not found again at every poll. Returns the number of due connectors.
 */
export async function fireDue(
  db: Db,
  { log, queue }: Pick<AppServices, 'log' | 'queue'>,
  { thinsOut }: ThinningRule = { thinsOut: false },
): Promise<number> {
  const due = await selectDueConnectors(db)
    .select([
      'connector.id',
      'connector.organisationId',
      'connector.schedule',
      organisationOfConnector.timeZone.as('timeZone'),
      sql<string>`now()`.as('now'),
    ])
    .orderBy('connector.nextRunAt')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return 0
  const near = thinsOut ? await listNearAllowanceEverywhere(db) : none
  await reschedule(db, due, nextFireTimes(log, due, near))
  await startScheduledRuns(
    db,
    queue,
    due.map(({ id }) => id),
  )
  return due.length
}

interface ThinningRule {
  /** Connectors whose source is near its allowance of calls are due again in an hour at the earliest. */
  readonly thinsOut: boolean
}

const none: ReadonlySet<string> = new Set()
/** A minute less than the hour, because a schedule fires a little late. */
const thinnedMs = 59 * 60_000

interface DueSchedule {
  readonly id: string
  readonly organisationId: string
  readonly schedule: string | null
  readonly timeZone: string
  readonly now: string
}

async function reschedule(db: Db, due: readonly DueSchedule[], times: readonly (Date | null)[]): Promise<void> {
  const ids = due.map(({ id }) => id)
  await sql`UPDATE connector SET nextRunAt = moved.next FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS moved (id, next)
    WHERE connector.id = moved.id`.execute(db)
}

/** Memoised, because most connectors share a few schedules and zones and the computation is the most expensive part. */
function nextFireTimes(log: Log, due: readonly DueSchedule[], near: ReadonlySet<string>): readonly (Date | null)[] {
  const memo = new Map<string, Date | null>()
  return due.map((connector) => {
    const pauseMs = near.has(connector.id) ? thinnedMs : 0
    const key = `${connector.schedule} ${connector.timeZone} ${pauseMs}`
    const known = memo.get(key)
    if (known !== undefined) return known
    const next = nextFireTime(log, connector, pauseMs)
    memo.set(key, next)
    return next
  })
}

/** Falls back to UTC and logs a warning if the zone is unknown: one bad zone must not stop all other schedules. */
function nextFireTime(
  log: Log,
  { id: connectorId, organisationId, schedule, timeZone, now }: DueSchedule,
  pauseMs: number,
): Date | null {
  if (schedule === null) return null
  for (const zone of [timeZone, 'UTC']) {
    try {
      return nextFire(schedule, zone, new Date(Date.parse(now) + pauseMs))
    } catch (error) {
      log.warn('a schedule could not be read in its time zone', { organisationId, connectorId, error })
    }
  }
  return null
}
