import type { TieOutLine } from '@tributary/contract/tie-out'
import { type CsvCell, formatCsv } from '../../ui/files/csv.ts'

const csvHeader = ['Period', 'Code', 'Account', 'Computed', 'Reported', 'Difference', 'State', 'Notice']

/** All accounts of a month as CSV, with figures that spreadsheets parse as numbers. */
export function figuresCsv(lines: readonly TieOutLine[]): string {
  const row = ({ Period, Code, Name, Computed, Reported, Difference, State, Notice }: TieOutLine): CsvCell[] => [
    Period,
    Code ?? '',
    Name,
    { figure: Computed },
    { figure: Reported },
    { figure: Difference },
    State,
    Notice ?? '',
  ]
  return formatCsv([csvHeader, ...lines.map(row)])
}
