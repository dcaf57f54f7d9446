/** Expects the calls of a month from the days that were counted. Pure functions; days are ISO dates in UTC. */
interface DayOfCalls {
  readonly day: string
  readonly calls: number
}

interface MonthForecast {
  readonly used: number
  /** Null before every weekday was counted once. */
  readonly forecast: number | null
  /** Of the days after today. */
  readonly busiest: DayOfCalls | null
}

const dayMs = 86_400_000
const weeksUsed = 4

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

export function listDays(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index))
}

function endOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

export function countDaysOfMonth(day: string): number {
  return Number(endOfMonth(day).slice(8))
}

/**
 * A coming day has as many calls as the mean of the same weekday in the last four weeks. Today has at least those already counted.
 * @param firstCounted the first day with calls, from which on a day without calls counts as one with 0
 */
export function forecastMonth(
  calls: ReadonlyMap<string, number>,
  today: string,
  firstCounted: string | null,
): MonthForecast {
  const callsOn = (day: string) => calls.get(day) ?? 0
  const used = listDays(firstOfMonth(today), today).reduce((sum, day) => sum + callsOn(day), 0)
  const oldest = addDays(today, -7 * weeksUsed)
  const past = firstCounted === null ? [] : listDays(firstCounted > oldest ? firstCounted : oldest, addDays(today, -1))
  if (past.length < 7) return { used, forecast: null, busiest: null }
  const expectedOn = (day: string): number => {
    const like = past.filter((one) => weekdayOf(one) === weekdayOf(day)).map(callsOn)
    return Math.round(like.reduce((sum, each) => sum + each, 0) / like.length)
  }
  const coming = listDays(today, endOfMonth(today)).map((day) => ({ day, calls: expectedOn(day) }))
  const [rest, ...others] = coming
  const todayExpected = Math.max(rest?.calls ?? 0, callsOn(today))
  const forecast = used - callsOn(today) + todayExpected + others.reduce((sum, each) => sum + each.calls, 0)
  const busiest = others.toSorted((one, other) => other.calls - one.calls)[0] ?? null
  return { used, forecast, busiest }
}

function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}
