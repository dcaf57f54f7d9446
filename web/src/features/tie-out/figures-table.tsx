import type { TieOutLine } from '@tributary/contract/tie-out'
import css from './certificate.module.css'
import { figure, isZero, sum } from './format-amounts.ts'

/** Both figures of every account, and their totals. In print its head stands on every page. */
export function FiguresTable({ lines, currency }: { lines: readonly TieOutLine[]; currency: string | null }) {
  return (
    // On a phone it scrolls sideways, also by the keyboard.
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
              <Amount of={Computed} />
              <Amount of={Reported} />
              <Amount of={Difference} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Total label="Debits" lines={lines} of={(amount) => !amount.startsWith('-')} />
          <Total label="Credits" lines={lines} of={(amount) => amount.startsWith('-')} />
        </tfoot>
      </table>
    </section>
  )
}

function Amount({ of: amount }: { of: string }) {
  return <td data-number>{figure(amount)}</td>
}

interface TotalProps {
  readonly label: string
  readonly lines: readonly TieOutLine[]
  readonly of: (amount: string) => boolean
}

function Total({ label, lines, of }: TotalProps) {
  const computed = sum(lines.map(({ Computed }) => Computed).filter(of))
  const reported = sum(lines.map(({ Reported }) => Reported).filter(of))
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {label}
      </th>
      <Amount of={computed} />
      <Amount of={reported} />
      <Amount of={sum([computed, negated(reported)])} />
    </tr>
  )
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}
