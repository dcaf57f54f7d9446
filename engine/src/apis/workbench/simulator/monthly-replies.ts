/** Reports of months: a call for each month, and the calls that find the first one. */
import type { Changes, FirstDay } from '../../described/description/schema-changes.ts'
import { momentOf } from './moment-parameter.ts'
import { setAt } from './simulated-json.ts'
import type { Reply } from './simulated-api.ts'
import type { SimulatedRecords } from './simulated-records.ts'
import { momentValue } from './simulated-values.ts'

type MonthChanges = Changes & { readonly kind: 'months' }

const dayMs = 86_400_000

/** Of several calls, the last one finds the oldest day. */
export function firstDayReply(
  { first, to }: MonthChanges,
  { path, url, records }: { readonly path: string; readonly url: URL; readonly records: SimulatedRecords },
  filled: (text: string) => string,
): Reply | null {
  if (momentOf(to, url) !== null) return null
  const calls = Array.isArray(first) ? first : [first]
  const isAsked = ({ path: one, query = {} }: FirstDay): boolean =>
    filled(one) === path &&
    Object.entries(query).every(([name, value]) => url.searchParams.get(name) === filled(String(value)))
  const number = calls.findIndex(isAsked)
  const call = calls[number]
  if (call === undefined) return null
  const days = records.present().map(({ datedAt }) => datedAt)
  const oldest = Math.min(...days) + (number === calls.length - 1 ? 0 : (number + 1) * dayMs)
  return { status: 200, json: days.length === 0 ? {} : setAt({}, call.at, momentValue(oldest, call.format, 'date')) }
}

/** Whether a call asks for the figures of the month of a date. */
export function isWithinMonth({ from, to, toDay }: MonthChanges, url: URL, datedAt: number): boolean {
  const after = from === undefined ? -Infinity : (momentOf(from, url) ?? -Infinity)
  const last = momentOf(to, url) ?? Infinity
  return datedAt >= after && datedAt < (toDay === 'last' ? last + dayMs : last)
}
