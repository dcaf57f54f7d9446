/** Periods of the calendar, such as the last month, as days of a time zone. */
import type { DataFilterOperator } from '@tributary/contract/limits'
import { listRecentDays } from '../../kernel/zoned-time.ts'

/** The first and the last day, `YYYY-MM-DD`. */
export interface CalendarPeriod {
  readonly from: string
  readonly to: string
}

export type PeriodOperator = Extract<DataFilterOperator, 'today' | 'thisMonth' | 'lastMonth' | 'thisYear' | 'lastYear'>

export function findPeriod(
  operator: PeriodOperator,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): CalendarPeriod {
  const today = listRecentDays(timeZone, now, 1)[0]?.day ?? ''
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7)) - 1
  switch (operator) {
    case 'today':
      return { from: today, to: today }
    case 'thisMonth':
      return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 0) }
    case 'lastMonth':
      return { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) }
    case 'thisYear':
      return { from: dayOf(year, 0, 1), to: dayOf(year, 11, 31) }
    default:
      return { from: dayOf(year - 1, 0, 1), to: dayOf(year - 1, 11, 31) }
  }
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

/** The day after, within years of four digits. Undefined after the last one. */
export function nextDay(day: string): string | undefined {
  const next = new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString()
  return next.startsWith('+') ? undefined : next.slice(0, 10)
}
