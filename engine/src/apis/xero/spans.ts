/** Spans of documents' dates: how Xero is asked for one, and how one is cut that it finds too large. */
import type { JsonObject } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import { asDay, plusDays } from './tables/dates.ts'
import type { Day } from './tables/dates.ts'
import type { Dated } from './tables/declare.ts'

/** What is dated from the one day on and before the other; null: no bound. */
export interface Span {
  readonly from: Day | null
  readonly before: Day | null
}

export const always: Span = { from: null, before: null }

export function spanQuery({ key, asked }: Dated, { from, before }: Span): Readonly<Record<string, string>> {
  if (asked === 'here') return {}
  // `DateTo` is the last day of the span, not the first one after it.
  if (asked === 'between')
    return { ...(from !== null && { DateFrom: from }), ...(before !== null && { DateTo: plusDays(before, -1) }) }
  const bounds = [
    ...(from === null ? [] : [`${key} >= ${literal(from)}`]),
    ...(before === null ? [] : [`${key} < ${literal(before)}`]),
  ]
  return bounds.length === 0 ? {} : { where: bounds.join(' AND ') }
}

function literal(day: Day): string {
  const [year, month, date] = day.split('-')
  return `DateTime(${year}, ${month}, ${date})`
}

export function isWithin(row: JsonObject, { key }: Dated, { from, before }: Span): boolean {
  const day = asDay(member(row, key))
  if (day === null) return from === null
  return (from === null || day >= from) && (before === null || day < before)
}

/** Two parts, the earlier first; null where it cannot be cut. */
export function halve({ from, before }: Span, today: Day): readonly [Span, Span] | null {
  const middle = middleOf({ from, before }, today)
  if (middle === null) return null
  return [
    { from, before: middle },
    { from: middle, before },
  ]
}

const yearDays = 366

/** Towards an open end a year at a time, and no further than documents can be. */
function middleOf({ from, before }: Span, today: Day): Day | null {
  if (from === null && before === null) return plusDays(today, -yearDays)
  if (from === null) return before !== null && before > '1950-01-01' ? plusDays(before, -yearDays) : null
  if (before === null) return from < plusDays(today, 10 * yearDays) ? plusDays(from, yearDays) : null
  const days = Math.round((Date.parse(before) - Date.parse(from)) / 86_400_000)
  return days > 1 ? plusDays(from, Math.floor(days / 2)) : null
}
