/** Five-field cron schedules, evaluated in the organisation's time zone. */
import { Cron } from 'croner'
import { instantOf, offsetMs } from './zoned-time.ts'

/** The end of an error message about another format. */
export const scheduleFormat =
  'must have five fields: minute, hour, day of month, month, day of week; for example 0 6 * * 1-5'

/** True for a valid five-field cron expression that fires at least once. */
export function isSchedule(cron: string): boolean {
  try {
    return cron.trim().split(/\s+/).length === 5 && wallClock(cron).nextRun(new Date()) !== null
  } catch {
    return false
  }
}

/**
 * The first fire time after a moment. A time that a daylight-saving change skips fires once, right after the gap; a time that
 * occurs twice fires once, at the first occurrence. If the hours are `*` or `*` with a step, elapsed time counts instead:
 * no fire time is skipped or doubled.
 */
export function nextFire(cron: string, timeZone: string, after: Date): Date | null {
  if (runsAllHours(cron)) return new Cron(cron, { mode: '5-part', timezone: timeZone, paused: true }).nextRun(after)
  const clock = wallClock(cron)
  // The wall clock may have been ahead a moment ago, so the search starts before its present time.
  let wall = new Date(after.getTime() + offsetMs(timeZone, after.getTime()) - longestJumpMs)
  for (;;) {
    const next = clock.nextRun(wall)
    if (next === null) return null
    const fire = instantOf(next.getTime(), timeZone)
    if (fire > after.getTime()) return new Date(fire)
    wall = next
  }
}

/** At most `count` fire times after a moment. */
export function nextFires(cron: string, timeZone: string, after: Date, count: number): Date[] {
  const fires: Date[] = []
  for (
    let next = nextFire(cron, timeZone, after);
    next !== null && fires.length < count;
    next = nextFire(cron, timeZone, next)
  )
    fires.push(next)
  return fires
}

/**
 * The latest fire time at or before a moment; null if there was none within a year. Remembered until the schedule fires again, because
 * lists of connectors ask every few seconds.
 */
export function previousFire(cron: string, timeZone: string, moment: Date): Date | null {
  const key = `${timeZone} ${cron}`
  const remembered = previousFires.get(key)
  const ms = moment.getTime()
  if (remembered !== undefined && remembered.from <= ms && ms < remembered.until) return remembered.fire
  const fire = searchPreviousFire(cron, timeZone, moment)
  const until = nextFire(cron, timeZone, moment)?.getTime() ?? Number.POSITIVE_INFINITY
  if (previousFires.size >= rememberedMax) previousFires.clear()
  previousFires.set(key, { fire, from: fire?.getTime() ?? ms, until })
  return fire
}

interface RememberedFire {
  readonly fire: Date | null
  /** In ms since 1970, as `until`, which is excluded. */
  readonly from: number
  readonly until: number
}

const previousFires = new Map<string, RememberedFire>()
const rememberedMax = 10_000

function searchPreviousFire(cron: string, timeZone: string, moment: Date): Date | null {
  for (const windowMs of searchWindowsMs) {
    let latest: Date | null = null
    let next = nextFire(cron, timeZone, new Date(moment.getTime() - windowMs))
    while (next !== null && next.getTime() <= moment.getTime()) {
      latest = next
      next = nextFire(cron, timeZone, next)
    }
    if (latest !== null) return latest
  }
  return null
}

/** From short to long, so that a schedule of every minute and one of every year both take few steps. */
const searchWindowsMs = [1, 25, 8 * 24, 32 * 24, 367 * 24].map((hours) => hours * 3_600_000)

const longestJumpMs = 3 * 3_600_000

/** Cron without a time zone: its dates are wall-clock times represented as if they were UTC. */
function wallClock(cron: string): Cron {
  return new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true })
}

function runsAllHours(cron: string): boolean {
  return cron.trim().split(/\s+/)[1]?.startsWith('*') ?? false
}
