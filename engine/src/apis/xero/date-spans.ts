/** Spans of document dates: how to filter by one, and how to halve one that is too large for Xero. */
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { asDay, plusDays, type XeroDay } from './tables/dates.ts'
import type { DateFilter } from './tables/stream-kinds.ts'

/** From the first day (inclusive) to the second (exclusive); null: unbounded. */
export interface DateSpan {
  readonly from: XeroDay | null
  readonly before: XeroDay | null
}

export const always: DateSpan = { from: null, before: null }

export function spanQuery({ key, method }: DateFilter, { from, before }: DateSpan): Readonly<Record<string, string>> {
  if (method === 'here') return {}
  // `DateTo` is inclusive.
  if (method === 'between')
    return { ...(from !== null && { DateFrom: from }), ...(before !== null && { DateTo: plusDays(before, -1) }) }
  const bounds = [
    ...(from === null ? [] : [`${key} >= ${dateLiteral(from)}`]),
    ...(before === null ? [] : [`${key} < ${dateLiteral(before)}`]),
  ]
  return bounds.length === 0 ? {} : { where: bounds.join(' AND ') }
}

function dateLiteral(day: XeroDay): string {
  const [year, month, date] = day.split('-')
  return `DateTime(${year}, ${month}, ${date})`
}

export function isWithin(row: JsonObject, { key }: DateFilter, { from, before }: DateSpan): boolean {
  const day = asDay(readMember(row, key))
  if (day === null) return from === null
  return (from === null || day >= from) && (before === null || day < before)
}

/** Returns two halves, the earlier first; null if the span cannot be halved. */
export function halve({ from, before }: DateSpan, today: XeroDay): readonly [DateSpan, DateSpan] | null {
  const middle = findMiddle({ from, before }, today)
  if (middle === null) return null
  return [
    { from, before: middle },
    { from: middle, before },
  ]
}

const yearDays = 366

/** Moves an open end by a year at a time, within plausible dates of documents. */
function findMiddle({ from, before }: DateSpan, today: XeroDay): XeroDay | null {
  if (from === null && before === null) return plusDays(today, -yearDays)
  if (from === null) return before !== null && before > '1950-01-01' ? plusDays(before, -yearDays) : null
  if (before === null) return from < plusDays(today, 10 * yearDays) ? plusDays(from, yearDays) : null
  const days = Math.round((Date.parse(before) - Date.parse(from)) / 86_400_000)
  return days > 1 ? plusDays(from, Math.floor(days / 2)) : null
}
