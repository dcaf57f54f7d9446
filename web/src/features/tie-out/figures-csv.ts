import type { TieOutLine } from '@tributary/contract/tie-out'
import { type Cell, csv } from '../../ui/files/csv.ts'

const head = ['Period', 'Code', 'Account', 'Computed', 'Reported', 'Difference', 'State', 'Notice']

/** Every account of a month, with figures that a spreadsheet adds up. */
export function figuresCsv(lines: readonly TieOutLine[]): string {
  const row = ({ Period, Code, Name, Computed, Reported, Difference, State, Notice }: TieOutLine): Cell[] => [
    Period,
    Code ?? '',
    Name,
    { figure: Computed },
    { figure: Reported },
    { figure: Difference },
    State,
    Notice ?? '',
  ]
  return csv([head, ...lines.map(row)])
}
