import type { TieOutLine } from '@tributary/contract/tie-out'
import css from './certificate.module.css'
import { isZero, sumAmounts } from './amount-arithmetic.ts'
import { formatDecimal } from '../../ui/formats.ts'

/** Both figures of every account, with totals. In print, the header repeats on every page. */
export function FiguresTable({ lines, currency }: { lines: readonly TieOutLine[]; currency: string | null }) {
  return (
    // Focusable, so that the keyboard can scroll it sideways on a phone.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <section className={css.scroll} aria-label="Figures" tabIndex={0}>
      <table className={css.figures}>
        <caption>{`Movements of the month${currency === null ? '' : ` in ${currency}`}; credits are negative.`}</caption>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Account</th>
            {['Computed', 'Reported', 'Difference'].map((title) => (
              <th key={title} scope="col" data-number>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ AccountId, Code, Name, Computed, Reported, Difference, Notice }) => (
            <tr key={AccountId} data-differs={!isZero(Difference) || undefined}>
              <td>{Code}</td>
              <th scope="row">
                {Name}
                {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
              </th>
              <AmountCell of={Computed} />
              <AmountCell of={Reported} />
              <AmountCell of={Difference} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <TotalRow label="Debits" lines={lines} of={(amount) => !amount.startsWith('-')} />
          <TotalRow label="Credits" lines={lines} of={(amount) => amount.startsWith('-')} />
        </tfoot>
      </table>
    </section>
  )
}

function AmountCell({ of: amount }: { of: string }) {
  return <td data-number>{formatDecimal(amount, 2)}</td>
}

interface TotalRowProps {
  readonly label: string
  readonly lines: readonly TieOutLine[]
  readonly of: (amount: string) => boolean
}

function TotalRow({ label, lines, of }: TotalRowProps) {
  const computed = sumAmounts(lines.map(({ Computed }) => Computed).filter(of))
  const reported = sumAmounts(lines.map(({ Reported }) => Reported).filter(of))
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {label}
      </th>
      <AmountCell of={computed} />
      <AmountCell of={reported} />
      <AmountCell of={sumAmounts([computed, negate(reported)])} />
    </tr>
  )
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}
