/** Adds or changes a filter: a column, how it is compared, and with what, by the kind of the column. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { DataColumn, DataFilter } from '@tributary/contract/data'
import type { DataFilterOperator } from '@tributary/contract/limits'
import { useState } from 'react'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { LazyDateField } from '../../../ui/forms/lazy-date-field.tsx'
import { operatorsOf, operatorWords } from '../data-words.ts'
import css from './filters.module.css'

interface FilterDialogProps {
  columns: readonly DataColumn[]
  /** Undefined: a new one. */
  filter: DataFilter | undefined
  onSave: (filter: DataFilter) => void
  onClose: () => void
}

export function FilterDialog({ columns, filter, onSave, onClose }: FilterDialogProps) {
  const [draft, setDraft] = useState<FilterDraft>(() => ({
    column: filter?.column ?? columns[0]?.Name ?? '',
    operator: filter?.operator,
    values: filter?.values ?? [],
  }))
  const column = columns.find(({ Name }) => Name === draft.column)
  const operators = column === undefined ? [] : operatorsOf(column)
  const operator = operators.find((one) => one === draft.operator) ?? operators[0]
  const needed = operator === undefined ? 'none' : valuesOf(operator, column)
  const complete = operator === undefined ? null : toFilter({ ...draft, operator }, needed)
  return (
    <FormDialog
      title={filter === undefined ? 'Add a filter' : 'Change the filter'}
      submitLabel="Apply"
      isSubmitDisabled={complete === null}
      onSubmit={() => complete !== null && onSave(complete)}
      onClose={onClose}
    >
      <div className={css.form}>
        <NativeSelect
          label="Column"
          value={draft.column}
          data={columns.map(({ Name }) => Name)}
          data-autofocus
          onChange={(event) => setDraft({ ...draft, column: event.currentTarget.value, values: [] })}
        />
        <NativeSelect
          label="Condition"
          value={operator}
          data={operators.map((one) => ({ value: one, label: operatorWords[one] }))}
          onChange={(event) => setDraft({ ...draft, operator: event.currentTarget.value as DataFilterOperator })}
        />
        {column === undefined ? null : (
          <FilterValues
            needed={needed}
            column={column}
            values={draft.values}
            onChange={(values) => setDraft({ ...draft, values })}
          />
        )}
      </div>
    </FormDialog>
  )
}

interface FilterDraft {
  readonly column: string
  readonly operator: DataFilterOperator | undefined
  readonly values: readonly string[]
}

/** Null as long as a value is missing. */
function toFilter(
  { column, operator, values }: FilterDraft & { readonly operator: DataFilterOperator },
  needed: NeededValues,
): DataFilter | null {
  if (needed === 'none') return { column, operator }
  const given = needed === 'list' ? values.filter((value) => value !== '') : [...values]
  return given.some((value) => value !== '') ? { column, operator, values: given } : null
}

type NeededValues = 'none' | 'text' | 'list' | 'range' | 'days' | 'truth'

function valuesOf(operator: DataFilterOperator, column: DataColumn | undefined): NeededValues {
  if (operator === 'contains' || operator === 'startsWith') return 'text'
  if (operator === 'oneOf' || operator === 'noneOf') return column?.Kind === 'boolean' ? 'truth' : 'list'
  if (operator !== 'between') return 'none'
  return column !== undefined && ['date', 'localTimestamp', 'instant'].includes(column.Kind) ? 'days' : 'range'
}

interface FilterValuesProps {
  needed: NeededValues
  column: DataColumn
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}

function FilterValues({ needed, column, values, onChange }: FilterValuesProps) {
  const [from = '', to = ''] = values
  switch (needed) {
    case 'none':
      return null
    case 'text':
      return (
        <TextInput
          label="Text"
          description="In capital or small letters"
          value={from}
          onChange={(event) => onChange([event.currentTarget.value])}
        />
      )
    case 'truth':
      return (
        <NativeSelect
          label="Value"
          value={from}
          data={[{ value: '', label: 'Choose…' }, 'true', 'false']}
          onChange={(event) => onChange([event.currentTarget.value])}
        />
      )
    case 'list':
      return (
        <Textarea
          label="Values"
          description="One on each line"
          rows={4}
          value={values.join('\n')}
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value.split('\n'))}
        />
      )
    case 'days':
      return (
        <div className={css.range}>
          <LazyDateField label="From" value={from} onChange={(day) => onChange([day, to])} />
          <LazyDateField label="To" value={to} onChange={(day) => onChange([from, day])} />
        </div>
      )
    case 'range':
      return <RangeFields column={column} values={values} onChange={onChange} />
  }
}

function RangeFields({ column, values: [from = '', to = ''], onChange }: Omit<FilterValuesProps, 'needed'>) {
  const placeholder = column.Kind === 'time' ? '06:00' : '0.00'
  return (
    <div className={css.range}>
      <TextInput
        label="From"
        placeholder={placeholder}
        value={from}
        onChange={(event) => onChange([event.currentTarget.value.trim(), to])}
      />
      <TextInput
        label="To"
        placeholder={placeholder}
        value={to}
        onChange={(event) => onChange([from, event.currentTarget.value.trim()])}
      />
    </div>
  )
}
