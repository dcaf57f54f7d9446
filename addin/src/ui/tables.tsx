/** Small tables and lists that fit into 320 pixels. */
import { makeStyles, mergeClasses } from '@griffel/react'
import { tokens } from '@fluentui/react-theme'
import type { Load, LoadSlice } from '@tributary/contract/loads'
import type { ReactNode } from 'react'
import { formatAmount, formatRowCount, formatTime } from './load-wording.ts'
import { describeSlice } from '@tributary/contract/load-wording'

export const useTableStyles = makeStyles({
  section: { display: 'flex', flexDirection: 'column', gap: '4px' },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  scroll: { overflowX: 'auto' },
  table: { width: '100%', borderCollapse: 'collapse', fontSize: tokens.fontSizeBase200 },
  cell: {
    padding: '4px 8px 4px 0',
    textAlign: 'left',
    verticalAlign: 'top',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  number: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  list: { display: 'flex', flexDirection: 'column', gap: '8px', margin: 0, padding: 0, listStyleType: 'none' },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    gap: '4px 12px',
    margin: 0,
    fontSize: tokens.fontSizeBase200,
  },
  fact: { margin: 0 },
})

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const styles = useTableStyles()
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: string])[] }) {
  const styles = useTableStyles()
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label} style={{ display: 'contents' }}>
          <dt className={styles.quiet}>{label}</dt>
          <dd className={styles.fact}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Totals({ totals }: { totals: Load['Totals'] }) {
  const styles = useTableStyles()
  if (totals.length === 0) return null
  const number = mergeClasses(styles.cell, styles.number)
  return (
    <Section title="Totals before and after">
      <table className={styles.table}>
        <thead>
          <tr>
            <th className={styles.cell}>Column</th>
            <th className={number}>Before</th>
            <th className={number}>After</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ Column, Before, After }) => (
            <tr key={Column}>
              <th className={styles.cell} scope="row">
                {Column}
              </th>
              <td className={number}>{formatAmount(Before)}</td>
              <td className={number}>{formatAmount(After)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const slicesShown = 50

export function Slices({ slices, replaces }: { slices: readonly LoadSlice[]; replaces: 'Replaces' | 'Replaced' }) {
  const styles = useTableStyles()
  if (slices.length === 0) return null
  const title = replaces === 'Replaces' ? 'What is replaced' : 'What was replaced'
  return (
    <Section title={slices.length === 1 ? title : `${title}, in ${slices.length} parts`}>
      <ul className={styles.list}>
        {slices.slice(0, slicesShown).map((slice) => (
          <li key={describeSlice(slice)}>
            <div>{`${describeSlice(slice)}: ${formatRowCount(slice.Rows)}`}</div>
            <div className={styles.quiet}>{describeFormerRows(slice, replaces)}</div>
          </li>
        ))}
      </ul>
      {slices.length > slicesShown ? (
        <span className={styles.quiet}>{`The first ${slicesShown} of ${slices.length}.`}</span>
      ) : null}
    </Section>
  )
}

function describeFormerRows({ FormerRows, FormerBy, FormerAtUtc }: LoadSlice, replaces: string): string {
  if (FormerRows === 0) return `${replaces} nothing`
  const by = FormerBy === null ? '' : `, loaded by ${FormerBy}`
  return `${replaces} ${formatRowCount(FormerRows)}${by}${FormerAtUtc === null ? '' : ` on ${formatTime(FormerAtUtc)}`}`
}
