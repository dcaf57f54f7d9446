/** The moments of a wish such as *ready by 07:30 on working days*, on the clock of an organisation. */
import { instantOf, offsetMs } from '../../kernel/zoned-time.ts'

export interface PromisedTimes {
  /** Minutes since midnight. */
  readonly minute: number
  /** 1 is Monday, 7 is Sunday. At least one. */
  readonly days: readonly number[]
}

const dayMs = 86_400_000

/**
 * The first promised time after a moment. A time that a daylight-saving change skips is the end of the gap; one that occurs twice is the
 * first. Public holidays are days like others.
 */
export function nextPromise({ minute, days }: PromisedTimes, timeZone: string, after: number): number {
  const wall = after + offsetMs(timeZone, after)
  // From the day before, because the clock may have been ahead a moment ago.
  const first = Math.floor(wall / dayMs) - 1
  for (let day = first; ; day += 1) {
    if (!days.includes(weekdayOf(day))) continue
    const at = instantOf(day * dayMs + minute * 60_000, timeZone)
    if (at > after) return at
    if (day > first + longestSearchDays) throw new Error('The wish has no day.')
  }
}

/** A week, and the day before. */
const longestSearchDays = 9

/** 1 January 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}
