/**
 * The columns that the load adds to the table. Each gets the type of most of its cells, unless the user chooses another
 * one.
 */
import { Field } from '@fluentui/react-field'
import { Select } from '@fluentui/react-select'
import { Text } from '@fluentui/react-text'
import { columnTypes } from '@tributary/contract/column-types'
import { newColumns } from '@tributary/contract/sheet-headings'
import type { HeadedColumn } from '../load/headings.ts'
import type { LoadPlan } from '../load/load-plan.ts'
import { Section } from '../ui/tables.tsx'
import { typeWords } from '../ui/load-wording.ts'

const emptyColumn: HeadedColumn = { heading: '', type: 'empty' }

interface NewColumnTypesProps {
  plan: LoadPlan
  onTypes: (types: LoadPlan['types']) => void
}

export function NewColumns({ plan, onTypes }: NewColumnTypesProps) {
  const { columns, table, types } = plan
  const headings = columns.map(({ heading }) => heading)
  const positions = newColumns(headings, table)
  if (positions.length === 0) return null
  function chooseType(heading: string, value: string) {
    const { [heading]: _, ...others } = types
    const type = columnTypes.find((each) => each === value)
    onTypes(type === undefined ? others : { ...others, [heading]: type })
  }
  return (
    <Section title="New columns">
      <Text
        size={200}
      >{`${table.Name} gets these columns with this load. Their types stay: later loads must fit them.`}</Text>
      {positions.map((position) => {
        const { heading, type: inferred } = columns[position] ?? emptyColumn
        return (
          <Field key={position} label={heading}>
            <Select value={types[heading] ?? ''} onChange={(_, { value }) => chooseType(heading, value)}>
              <option value="">{`Most cells decide (${typeWords[inferred]} by the first rows)`}</option>
              {columnTypes.map((type) => (
                <option key={type} value={type}>
                  {typeWords[type]}
                </option>
              ))}
            </Select>
          </Field>
        )
      })}
    </Section>
  )
}
