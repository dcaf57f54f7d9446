/** Calendar months, each written as its first day: `2026-03-01`. */

export type Month = string

export function monthOf(day: string): Month {
  return `${day.slice(0, 7)}-01`
}

/** @param at milliseconds since 1970 */
export function monthAt(at: number): Month {
  return monthOf(new Date(at).toISOString())
}

export function plusMonths(month: Month, months: number): Month {
  return monthAt(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + months, 1))
}

export function lastDayOf(month: Month): string {
  return new Date(Date.parse(plusMonths(month, 1)) - 86_400_000).toISOString().slice(0, 10)
}
