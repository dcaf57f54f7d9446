import type { AuditorRoom } from '@tributary/contract/auditor-rooms'
import { formatDay } from '../../ui/formats.ts'

type Period = Pick<AuditorRoom, 'PeriodFrom' | 'PeriodTo'>

/** 'January 2026 to June 2026', 'from January 2026', 'to June 2026' or 'all months'. */
export function describePeriod({ PeriodFrom, PeriodTo }: Period): string {
  const [from, to] = [PeriodFrom, PeriodTo].map((month) => (month === null ? null : formatDay(month, 'month')))
  if (from !== null && to !== null) return from === to ? String(from) : `${from} to ${to}`
  if (from !== null) return `from ${from}`
  return to === null ? 'all months' : `to ${to}`
}
