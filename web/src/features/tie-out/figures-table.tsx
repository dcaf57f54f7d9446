import type { TieOutLine } from '@tributary/contract/tie-out'
import { type Subrow, type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import css from './certificate.module.css'
import { isZero, sumAmounts } from './amount-arithmetic.ts'
import { accountName } from './tie-out-wording.ts'
import { formatDecimal } from '../../ui/formats.ts'

interface FiguresTableProps {
  readonly lines: readonly TieOutLine[]
  readonly currency: string | null
  /** The company, if there are several. */
  readonly of?: string
}

/** Both figures of every account, with totals. In print, the header repeats on every page. */
export function FiguresTable({ lines, currency, of }: FiguresTableProps) {
  const caption = `Movements of the month${of === undefined ? '' : ` of ${of}`}${currency === null ? '' : ` in ${currency}`}; credits are negative.`
  return (
    <div className={css.figures}>
      <p aria-hidden>{caption}</p>
      <DataTable
        caption={caption}
        columns={figureColumns}
        rows={lines}
        rowKey={({ Company, AccountId }) => `${Company} ${AccountId}`}
        isEmphasised={({ Difference }) => !isZero(Difference)}
        totals={[
          totalOf('Debits', lines, (amount) => !amount.startsWith('-')),
          totalOf('Credits', lines, (amount) => amount.startsWith('-')),
        ]}
        keepsColumns
      />
    </div>
  )
}

const figureColumns: readonly TableColumn<TieOutLine>[] = [
  {
    title: 'Account',
    cell: ({ Code, Name, Notice }) => (
      <>
        {accountName(Code, Name)}
        {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
      </>
    ),
  },
  { title: 'Computed', isNumber: true, cell: ({ Computed }) => formatDecimal(Computed, 2) },
  { title: 'Reported', isNumber: true, cell: ({ Reported }) => formatDecimal(Reported, 2) },
  { title: 'Difference', isNumber: true, cell: ({ Difference }) => formatDecimal(Difference, 2) },
]

function totalOf(label: string, lines: readonly TieOutLine[], isOfTotal: (amount: string) => boolean): Subrow {
  const computed = sumAmounts(lines.map(({ Computed }) => Computed).filter(isOfTotal))
  const reported = sumAmounts(lines.map(({ Reported }) => Reported).filter(isOfTotal))
  return {
    key: label,
    cells: {
      Account: label,
      Computed: formatDecimal(computed, 2),
      Reported: formatDecimal(reported, 2),
      Difference: formatDecimal(sumAmounts([computed, negate(reported)]), 2),
    },
  }
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}
