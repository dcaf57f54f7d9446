/** Converts between moments and what the clocks of a time zone show. */

const dayMs = 24 * 3_600_000

export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Its first moment: after midnight, if a daylight-saving change skips midnight. */
  readonly beganAt: Date
}

/** The latest days of the zone's calendar, oldest first; the last one is today. */
export function listRecentDays(timeZone: string, now: Date, count: number): readonly CalendarDay[] {
  const wall = now.getTime() + offsetMs(timeZone, now.getTime())
  const today = wall - (wall % dayMs)
  return Array.from({ length: count }, (_, index) => {
    const midnight = today - (count - 1 - index) * dayMs
    return { day: new Date(midnight).toISOString().slice(0, 10), beganAt: new Date(instantOf(midnight, timeZone)) }
  })
}

/**
 * The moment at which the zone's clock shows `wall`, a clock time represented as if it were UTC: the first of two, or
 * the end of the gap that contains it.
 */
export function instantOf(wall: number, timeZone: string): number {
  const before = offsetMs(timeZone, wall - dayMs)
  const behind = offsetMs(timeZone, wall + dayMs)
  const candidates = [wall - before, wall - behind].filter((at) => at + offsetMs(timeZone, at) === wall)
  return candidates.length > 0 ? Math.min(...candidates) : endOfGap(wall - behind, wall - before, timeZone)
}

/** Binary search between a moment before the change and one after it. */
function endOfGap(before: number, after: number, timeZone: string): number {
  const offset = offsetMs(timeZone, before)
  let [low, high] = [before, after]
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000
    if (offsetMs(timeZone, middle) === offset) low = middle
    else high = middle
  }
  return high
}

/** The zone's offset from UTC at a moment, in ms. */
export function offsetMs(timeZone: string, at: number): number {
  const shown = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Memoised: creating a format costs fifty times as much as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const figures = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...figures })
  formats.set(timeZone, made)
  return made
}
