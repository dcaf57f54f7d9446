/** The dates of Xero: how it writes them, and the months that its reports are made for. */
import { asDate, asInstant, asText } from '../../http/canonical.ts'
import type { Json } from '../../http/exact-json.ts'

/** `2026-03-02`. */
export type Day = string
/** A month by its first day: `2026-03-01`. */
export type Month = string

const microsoft = /^\/Date\((-?\d+)(?:([+-])(\d\d)(\d\d))?\)\/$/

/** The calendar day: a date that comes with an offset was midnight there. */
export function asDay(value: Json): string | null {
  const found = partsOf(value)
  return asDate(found === null ? value : (isoOf(found.at + found.offsetMs) ?? value))
}

/** The milliseconds are a moment by themselves, whatever offset is written behind them. */
export function asMoment(value: Json): string | null {
  const found = partsOf(value)
  return asInstant(found === null ? value : (isoOf(found.at) ?? value))
}

/** Since 1970, in milliseconds; NaN where it cannot be understood. */
export function momentOf(value: Json): number {
  return partsOf(value)?.at ?? Date.parse(`${asText(value) ?? ''}Z`.replace('ZZ', 'Z'))
}

function partsOf(value: Json): { readonly at: number; readonly offsetMs: number } | null {
  const match = typeof value === 'string' ? microsoft.exec(value) : null
  if (match === null) return null
  const [, at, sign, hours = '0', minutes = '0'] = match
  return { at: Number(at), offsetMs: (sign === '-' ? -60_000 : 60_000) * (Number(hours) * 60 + Number(minutes)) }
}

/** Null beyond what a date can be: then the value stays as it came, for the target to set aside. */
function isoOf(at: number): string | null {
  const date = new Date(at)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString() : null
}

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

export function plusDays(day: Day, days: number): Day {
  return dayOf(Date.parse(day) + days * 86_400_000)
}

export function monthOf(day: Day): Month {
  return `${day.slice(0, 7)}-01`
}

export function plusMonths(month: Month, months: number): Month {
  return monthOf(dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + months, 1)))
}

export function lastDayOf(month: Month): Day {
  return plusDays(plusMonths(month, 1), -1)
}

/** How many months lie from one to the other. */
export function monthsFrom(month: Month, to: Month): number {
  const index = (of: Month): number => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7))
  return index(to) - index(month)
}

const named = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** For people: `March 2026`. */
export function nameOf(month: Month): string {
  return named.format(Date.parse(month))
}
