/** What would be sent: the columns with their types, and the first rows. */
import { Button } from '@fluentui/react-button'
import { makeStyles, mergeClasses } from '@griffel/react'
import { Text } from '@fluentui/react-text'
import type { Load } from '@tributary/contract/loads'
import { useState } from 'react'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { beginLoad, type LoadPlan, rowsBelowHeadings } from '../load/load-plan.ts'
import { NewColumns } from './new-columns.tsx'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Facts, Section, useTableStyles } from '../ui/tables.tsx'
import { formatRowCount, typeWords } from '../ui/load-wording.ts'
import { cellText } from '@tributary/contract/sheet-preview'

const rowsShown = 5

interface PreviewProps {
  plan: LoadPlan
  onBack: () => void
  /** The plan includes the types that the user chose here. */
  onBegun: (plan: LoadPlan, load: Load) => void
}

export function Preview({ plan: initialPlan, onBack, onBegun }: PreviewProps) {
  const [types, setTypes] = useState<LoadPlan['types']>(initialPlan.types)
  const plan = { ...initialPlan, types }
  const begin = useScreenMutation(async (_, signal) => onBegun(plan, await beginLoad(plan, signal)))
  const { rows } = rowsBelowHeadings(plan)
  const { range } = plan.preview
  return (
    <Screen
      title="Preview"
      onBack={onBack}
      actions={
        <Button appearance="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
          {`Check ${formatRowCount(rows)}`}
        </Button>
      }
    >
      <Facts
        facts={[
          ['From', `${range.sheet} of ${range.workbook}`],
          ['Into', `${plan.table.Name} (${plan.table.SqlName})`],
          ...Object.entries(plan.names).map(([dimension, name]) => [dimension, name] as const),
        ]}
      />
      <FirstRows plan={plan} rows={rows} />
      <NewColumns plan={plan} onTypes={setTypes} />
      <Text size={200}>Nothing is loaded yet: first every cell is checked.</Text>
      <Failure error={begin.error} onRetry={begin.mutate} />
    </Screen>
  )
}

const useStyles = makeStyles({ nowrap: { whiteSpace: 'nowrap' } })

function FirstRows({ plan: { preview, headingRow, columns }, rows }: { plan: LoadPlan; rows: number }) {
  const tableStyles = useTableStyles()
  const styles = useStyles()
  const shown = preview.rows.slice(headingRow + 1, headingRow + 1 + rowsShown)
  const cell = mergeClasses(tableStyles.cell, styles.nowrap)
  const title = shown.length < rows ? `The first ${shown.length} of ${formatRowCount(rows)}` : formatRowCount(rows)
  return (
    <Section title={title}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrollable region must take the focus. */}
      <section className={tableStyles.scroll} aria-label="First rows" tabIndex={0}>
        <table className={tableStyles.table}>
          <thead>
            <tr>
              {columns.map(({ heading, type }, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- Two columns can have the same heading.
                <th key={at} className={cell} scope="col">
                  {heading === '' ? '(no heading)' : heading}
                  <div className={tableStyles.quiet}>{typeWords[type]}</div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- The position identifies a row.
              <tr key={at}>
                {columns.map(({ type }, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- The position identifies a cell.
                  <td key={column} className={mergeClasses(cell, type === 'number' && tableStyles.number)}>
                    {cellText(row[column] ?? null)}
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
