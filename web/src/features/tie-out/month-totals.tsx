/** What a month comes to: in a sentence, or in a table where several companies share the tables. */
import type { TieOut, TieOutLine } from '@tributary/contract/tie-out'
import { NotComparedBadge, TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { formatCount, formatDecimal } from '../../ui/formats.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { isZero, sumAmounts } from './amount-arithmetic.ts'
import { type CompanyFigures, figuresByCompany, formatCompany } from './company-figures.ts'
import { formatMonth } from './tie-out-wording.ts'

interface MonthTotalsProps {
  readonly lines: readonly TieOutLine[]
  readonly tieOut: TieOut
  readonly period: string
}

export function MonthTotals({ lines, tieOut, period }: MonthTotalsProps) {
  const differing = lines.filter(({ Difference }) => !isZero(Difference))
  const counts = `${formatCount(lines.length)} accounts, ${differing.length === 0 ? 'none' : formatCount(differing.length)} of them differing.`
  const isShared = tieOut.Companies.length > 0
  const debits = isShared ? '' : ` ${describeDebits(lines, tieOut.Currency)}`
  return (
    <>
      <p className="small muted num">{`${counts}${debits} Amounts are the month’s movements; credits are negative.`}</p>
      {isShared ? (
        <DataTable
          caption={`Debits of ${formatMonth(period)} by company`}
          columns={companyColumns}
          rows={figuresByCompany(tieOut, lines)}
          rowKey={({ company }) => company.Id}
        />
      ) : null}
    </>
  )
}

function describeDebits(lines: readonly TieOutLine[], currency: string | null): string {
  const { computed, reported } = sumDebits(lines)
  return `Debits${currency === null ? '' : ` in ${currency}`}: computed ${computed}, reported ${reported}.`
}

function sumDebits(lines: readonly TieOutLine[]) {
  const debits = (amounts: readonly string[]) =>
    formatDecimal(sumAmounts(amounts.filter((amount) => !amount.startsWith('-'))), 2)
  return {
    computed: debits(lines.map(({ Computed }) => Computed)),
    reported: debits(lines.map(({ Reported }) => Reported)),
  }
}

/** Amounts of companies are never added: they may have several currencies. */
const companyColumns: readonly TableColumn<CompanyFigures>[] = [
  { title: 'Company', cell: ({ company }) => formatCompany(company) },
  {
    title: 'Debits computed',
    isNumber: true,
    cell: ({ company, lines }) => (company.Compared ? sumDebits(lines).computed : '–'),
  },
  {
    title: 'Debits reported',
    isNumber: true,
    cell: ({ company, lines }) => (company.Compared ? sumDebits(lines).reported : '–'),
  },
  {
    title: 'State',
    cell: ({ company, state }) => (company.Compared ? <TieOutBadge state={state} /> : <NotComparedBadge />),
  },
]
