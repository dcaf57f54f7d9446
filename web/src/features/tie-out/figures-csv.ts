import type { TieOutCompany, TieOutLine } from '@tributary/contract/tie-out'
import { type CsvCell, formatCsv } from '../../ui/files/csv.ts'

const csvHeader = ['Period', 'Code', 'Account', 'Computed', 'Reported', 'Difference', 'State', 'Notice']

/**
 * All accounts of a month as CSV, with figures that spreadsheets parse as numbers.
 *
 * @param companies those that share the tables; each row then starts with its company and the currency of its amounts
 */
export function figuresCsv(lines: readonly TieOutLine[], companies: readonly TieOutCompany[] = []): string {
  const byId = new Map(companies.map((company) => [company.Id, company]))
  const companyCells = ({ Company }: TieOutLine): CsvCell[] =>
    companies.length === 0 ? [] : [Company, byId.get(Company)?.Name ?? '', byId.get(Company)?.Currency ?? '']
  const row = (line: TieOutLine): CsvCell[] => [
    ...companyCells(line),
    line.Period,
    line.Code ?? '',
    line.Name,
    { figure: line.Computed },
    { figure: line.Reported },
    { figure: line.Difference },
    line.State,
    line.Notice ?? '',
  ]
  const header = companies.length === 0 ? csvHeader : ['Company id', 'Company', 'Currency', ...csvHeader]
  return formatCsv([header, ...lines.map(row)])
}
