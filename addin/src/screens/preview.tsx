/** What would be sent: the columns with what they hold, and the first rows. */
import { Button } from '@fluentui/react-button'
import { Text } from '@fluentui/react-text'
import { makeStyles, mergeClasses } from '@griffel/react'
import type { Load } from '@tributary/contract/loads'
import { useState } from 'react'
import { textOf } from '../load/headings.ts'
import { beginLoad, type Plan, rowsPlace } from '../load/load-plan.ts'
import { NewColumns } from './new-columns.tsx'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Facts, Section, useTableStyles } from '../ui/tables.tsx'
import { useAct } from '../ui/use-request.ts'
import { kindWords, rowsWord } from '../ui/load-wording.ts'

const rowsShown = 5

interface PreviewProps {
  plan: Plan
  onBack: () => void
  /** The plan has the types that were chosen here. */
  onBegun: (plan: Plan, load: Load) => void
}

export function Preview({ plan: chosen, onBack, onBegun }: PreviewProps) {
  const [types, setTypes] = useState<Plan['types']>(chosen.types)
  const plan = { ...chosen, types }
  const beginning = useAct()
  const begin = () => beginning.run(async (signal) => onBegun(plan, await beginLoad(plan, signal)))
  const { rows } = rowsPlace(plan)
  const { place } = plan.sight
  return (
    <Screen
      title="Preview"
      onBack={onBack}
      actions={
        <Button appearance="primary" disabled={beginning.isBusy} onClick={begin}>
          {`Check ${rowsWord(rows)}`}
        </Button>
      }
    >
      <Facts
        facts={[
          ['From', `${place.sheet} of ${place.workbook}`],
          ['Into', `${plan.table.Name} (${plan.table.SqlName})`],
          ...Object.entries(plan.names).map(([plane, name]) => [plane, name] as const),
        ]}
      />
      <FirstRows plan={plan} rows={rows} />
      <NewColumns plan={plan} onTypes={setTypes} />
      <Text size={200}>Nothing is loaded yet: first every cell is checked.</Text>
      <Failure error={beginning.error} onRetry={begin} />
    </Screen>
  )
}

const useStyles = makeStyles({ nowrap: { whiteSpace: 'nowrap' } })

function FirstRows({ plan: { sight, headingRow, columns }, rows }: { plan: Plan; rows: number }) {
  const styles = useTableStyles()
  const own = useStyles()
  const shown = sight.rows.slice(headingRow + 1, headingRow + 1 + rowsShown)
  const cell = mergeClasses(styles.cell, own.nowrap)
  const title = shown.length < rows ? `The first ${shown.length} of ${rowsWord(rows)}` : rowsWord(rows)
  return (
    <Section title={title}>
      {/* Who has no mouse scrolls it, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must take the focus. */}
      <section className={styles.scroll} aria-label="First rows" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(({ heading, kind }, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- Two headings may be called alike; the place tells them apart.
                <th key={at} className={cell} scope="col">
                  {heading === '' ? '(no heading)' : heading}
                  <div className={styles.quiet}>{kindWords[kind]}</div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- A row is its place.
              <tr key={at}>
                {columns.map(({ kind }, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- A cell is its place.
                  <td key={column} className={mergeClasses(cell, kind === 'number' && styles.number)}>
                    {textOf(row[column] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}
