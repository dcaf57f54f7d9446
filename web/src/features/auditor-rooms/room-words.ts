import type { AuditorRoom } from '@tributary/contract/auditor-rooms'
import { formatDay, formatList } from '../../ui/formats.ts'

/** 'Harbour Trading, January 2026 to June 2026; Web shop: June 2026, board pack'. */
export function describeExtent({
  Connectors,
  Marks,
  ...period
}: Pick<AuditorRoom, 'Connectors' | 'Marks'> & Period): string {
  const names = formatList(Connectors.map(({ Name }) => Name))
  const marks = Marks.map(({ Name, Connector }) => `what ${Connector.Name} showed when ‘${Name}’ was reported`)
  return [...(names === '' ? [] : [`${names}, ${describePeriod(period)}`]), ...marks].join('; ')
}

type Period = Pick<AuditorRoom, 'PeriodFrom' | 'PeriodTo'>

/** 'January 2026 to June 2026', 'from January 2026', 'to June 2026' or 'all months'. */
function describePeriod({ PeriodFrom, PeriodTo }: Period): string {
  const [from, to] = [PeriodFrom, PeriodTo].map((month) => (month === null ? null : formatDay(month, 'month')))
  if (from !== null && to !== null) return from === to ? String(from) : `${from} to ${to}`
  if (from !== null) return `from ${from}`
  return to === null ? 'all months' : `to ${to}`
}
