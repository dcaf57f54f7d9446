/** Parses Xero's dates, and computes the months that its reports cover. */
import { asDate, asInstant, asText } from '../../http/canonical-text.ts'
import type { ExactJson } from '../../http/exact-json.ts'

/** `2026-03-02`. */
export type XeroDay = string
/** A month as its first day: `2026-03-01`. */
export type XeroMonth = string

const microsoft = /^\/Date\((-?\d+)(?:([+-])(\d\d)(\d\d))?\)\/$/

/** The calendar day: a date with an offset was midnight in that zone. */
export function asDay(value: ExactJson): string | null {
  const found = parseMicrosoftDate(value)
  return asDate(found === null ? value : (isoOf(found.at + found.offsetMs) ?? value))
}

/** The milliseconds are UTC, whatever offset follows them. */
export function asMoment(value: ExactJson): string | null {
  const found = parseMicrosoftDate(value)
  return asInstant(found === null ? value : (isoOf(found.at) ?? value))
}

/** Milliseconds since 1970; NaN if unparsable. */
export function parseInstant(value: ExactJson): number {
  return parseMicrosoftDate(value)?.at ?? Date.parse(`${asText(value) ?? ''}Z`.replace('ZZ', 'Z'))
}

function parseMicrosoftDate(value: ExactJson): { readonly at: number; readonly offsetMs: number } | null {
  const match = typeof value === 'string' ? microsoft.exec(value) : null
  if (match === null) return null
  const [, at, sign, hours = '0', minutes = '0'] = match
  return { at: Number(at), offsetMs: (sign === '-' ? -60_000 : 60_000) * (Number(hours) * 60 + Number(minutes)) }
}

/** Null for years outside 1 to 9999: the value is passed through, and the target rejects the row. */
function isoOf(at: number): string | null {
  const date = new Date(at)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString() : null
}

export function dayOf(at: number): XeroDay {
  return new Date(at).toISOString().slice(0, 10)
}

export function plusDays(day: XeroDay, days: number): XeroDay {
  return dayOf(Date.parse(day) + days * 86_400_000)
}

export function monthOf(day: XeroDay): XeroMonth {
  return `${day.slice(0, 7)}-01`
}

export function plusMonths(month: XeroMonth, months: number): XeroMonth {
  return monthOf(dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + months, 1)))
}

export function lastDayOf(month: XeroMonth): XeroDay {
  return plusDays(plusMonths(month, 1), -1)
}

/** The number of months from one to the other. */
export function monthsFrom(month: XeroMonth, to: XeroMonth): number {
  const index = (of: XeroMonth): number => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7))
  return index(to) - index(month)
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Display name: `March 2026`. */
export function formatMonth(month: XeroMonth): string {
  return monthFormat.format(Date.parse(month))
}
