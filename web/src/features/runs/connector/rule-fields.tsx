/** The fields of one condition, and of one masked column. */
import type { MaskMethod, RowOperator, RuleColumn, StreamRules } from '@tributary/contract/table-rules'
import { Button, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import css from '../runs.module.css'
import { methodWords, operatorWords, takesSeveral, takesValue } from './rule-words.ts'
import type { ConditionBody, MaskBody } from './rules-api.ts'

interface ConditionFieldsProps {
  readonly number: number
  readonly columns: readonly RuleColumn[]
  readonly condition: ConditionBody
  readonly onChange: (condition: ConditionBody) => void
  readonly onRemove: () => void
}

export function ConditionFields({ number, columns, condition, onChange, onRemove }: ConditionFieldsProps) {
  const { column, operator } = condition
  const allowed =
    columns.find(({ Name }) => Name === column)?.Operators ?? (Object.keys(operatorWords) as RowOperator[])
  const of = `of condition ${number}`
  const choose = (name: string): void => {
    const operators = columns.find(({ Name }) => Name === name)?.Operators ?? allowed
    onChange({ ...condition, column: name, operator: operators.includes(operator) ? operator : (operators[0] ?? 'is') })
  }
  return (
    <div className={css.rule}>
      <ColumnField
        label={`Column ${of}`}
        value={column}
        choices={columns.map(({ Name }) => ({ value: Name, label: Name }))}
        onChange={choose}
      />
      <NativeSelect
        aria-label={`Comparison ${of}`}
        value={operator}
        data={allowed.map((value) => ({ value, label: operatorWords[value] }))}
        onChange={({ currentTarget }) => onChange({ ...condition, operator: currentTarget.value as RowOperator })}
      />
      <ValueField
        label={`Value ${of}`}
        condition={condition}
        onChange={(next) => onChange({ ...condition, values: next })}
      />
      <Button variant="default" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}

interface ValueFieldProps {
  readonly label: string
  readonly condition: ConditionBody
  readonly onChange: (values: string[]) => void
}

function ValueField({ label, condition: { operator, values }, onChange }: ValueFieldProps) {
  if (!takesValue(operator)) return null
  if (!takesSeveral(operator))
    return (
      <TextInput
        aria-label={label}
        value={values[0] ?? ''}
        onChange={({ currentTarget }) => onChange([currentTarget.value])}
      />
    )
  return (
    <Textarea
      aria-label={label}
      placeholder="One value per line"
      rows={3}
      value={values.join('\n')}
      onChange={({ currentTarget }) => onChange(currentTarget.value.split('\n'))}
    />
  )
}

interface MaskFieldsProps {
  readonly number: number
  readonly tables: StreamRules['Tables']
  readonly mask: MaskBody
  readonly onChange: (mask: MaskBody) => void
  readonly onRemove: () => void
}

export function MaskFields({ number, tables, mask, onChange, onRemove }: MaskFieldsProps) {
  const { table, column, method, characters } = mask
  const of = `of masked column ${number}`
  const choices = tables.flatMap(({ Name, Columns }, at) =>
    Columns.filter(({ MayBeMasked }) => MayBeMasked).map((each) => ({
      value: JSON.stringify([Name, each.Name]),
      label: at === 0 ? each.Name : `${Name}.${each.Name}`,
    })),
  )
  const choose = (value: string): void => {
    if (choices.length === 0) return onChange({ ...mask, column: value })
    const [ofTable = table, name = column] = JSON.parse(value) as string[]
    onChange({ ...mask, table: ofTable, column: name })
  }
  return (
    <div className={css.rule}>
      <ColumnField
        label={`Column ${of}`}
        value={choices.length === 0 ? column : JSON.stringify([table, column])}
        choices={choices}
        onChange={choose}
      />
      <NativeSelect
        aria-label={`Mask ${of}`}
        value={method}
        data={(Object.keys(methodWords) as MaskMethod[]).map((value) => ({ value, label: methodWords[value] }))}
        onChange={({ currentTarget }) => onChange(withMethod(mask, currentTarget.value as MaskMethod))}
      />
      {method === 'keepEnd' ? (
        <NumberInput
          aria-label={`Characters to keep ${of}`}
          min={1}
          max={20}
          allowDecimal={false}
          value={characters ?? defaultCharacters}
          onChange={(value) => onChange({ ...mask, characters: typeof value === 'number' ? value : defaultCharacters })}
        />
      ) : null}
      <Button variant="default" aria-label={`Remove masked column ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}

const defaultCharacters = 4

function withMethod({ table, column }: MaskBody, method: MaskMethod): MaskBody {
  return { table, column, method, ...(method === 'keepEnd' && { characters: defaultCharacters }) }
}

interface ColumnFieldProps {
  readonly label: string
  readonly value: string
  /** Empty: the columns are not known yet. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** A column that the table no longer has stays visible, so that it can be corrected. */
function ColumnField({ label, value, choices, onChange }: ColumnFieldProps) {
  if (choices.length === 0)
    return (
      <TextInput
        aria-label={label}
        placeholder="Column"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    )
  const isKnown = choices.some((choice) => choice.value === value)
  const data = isKnown ? choices : [{ value, label: `${value} (not in the table)` }, ...choices]
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[...data]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
