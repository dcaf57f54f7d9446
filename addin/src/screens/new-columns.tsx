/** The columns that the table gets with this load, each with the type that most of its cells have, or another one that is chosen here. */
import { Field } from '@fluentui/react-field'
import { Select } from '@fluentui/react-select'
import { Text } from '@fluentui/react-text'
import { columnTypes } from '@tributary/contract/column-types'
import { newColumns } from '@tributary/contract/sheet-headings'
import type { Column } from '../load/headings.ts'
import type { Plan } from '../load/load-plan.ts'
import { Section } from '../ui/tables.tsx'
import { kindWords } from '../ui/load-wording.ts'

const noColumn: Column = { heading: '', kind: 'empty' }

interface NewColumnsProps {
  plan: Plan
  onTypes: (types: Plan['types']) => void
}

export function NewColumns({ plan, onTypes }: NewColumnsProps) {
  const { columns, table, types } = plan
  const headings = columns.map(({ heading }) => heading)
  const places = newColumns(headings, table)
  if (places.length === 0) return null
  function choose(heading: string, value: string) {
    const { [heading]: _, ...others } = types
    const type = columnTypes.find((each) => each === value)
    onTypes(type === undefined ? others : { ...others, [heading]: type })
  }
  return (
    <Section title="New columns">
      <Text
        size={200}
      >{`${table.Name} gets these columns with this load. Their types stay: later loads must fit them.`}</Text>
      {places.map((at) => {
        const { heading, kind } = columns[at] ?? noColumn
        return (
          <Field key={at} label={heading}>
            <Select value={types[heading] ?? ''} onChange={(_, { value }) => choose(heading, value)}>
              <option value="">{`Most cells decide (${kindWords[kind]} by the first rows)`}</option>
              {columnTypes.map((type) => (
                <option key={type} value={type}>
                  {kindWords[type]}
                </option>
              ))}
            </Select>
          </Field>
        )
      })}
    </Section>
  )
}
