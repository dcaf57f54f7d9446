/** The filter and the masks of one table. */
import type { MaskMethod, RowOperator, RuleColumn, StreamRules } from '@tributary/contract/table-rules'
import { Button, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import css from '../runs.module.css'
import { describeConditions, methodWords, operatorWords, takesSeveral, takesValue } from './rule-words.ts'
import { type ConditionBody, type MaskBody, useSaveRules } from './rules-api.ts'

interface RulesFormProps {
  readonly ids: ConnectorParams
  readonly rules: StreamRules
  readonly onClose: () => void
}

/** A rule with an identity, so that removing one leaves the focus and the text of the others. */
interface Entry<Rule> {
  readonly id: number
  readonly rule: Rule
}

export function RulesForm({ ids, rules, onClose }: RulesFormProps) {
  const save = useSaveRules(ids)
  const conditions = useEntries<ConditionBody>(
    rules.Conditions.map(({ Column, Operator, Values }) => ({ column: Column, operator: Operator, values: Values })),
  )
  const masks = useEntries<MaskBody>(
    rules.Masks.map(({ Table, Column, Method, Characters }) => ({
      table: Table,
      column: Column,
      method: Method,
      ...(Characters !== null && { characters: Characters }),
    })),
  )
  const filter = conditions.rules.map(trimmed)
  const isReady = filter.every(isComplete) && masks.rules.every(({ column }) => column !== '')
  const main = rules.Tables[0]?.Name ?? rules.Table
  return (
    <form
      className={css.history}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ stream: rules.Stream, conditions: filter, masks: [...masks.rules] }, { onSuccess: onClose })
      }}
    >
      <h3>{rules.Table}</h3>
      <MutationError of={save} />
      <fieldset className={css.rules}>
        <legend>Rows to move</legend>
        <p className={css.notice}>
          {filter.length === 0
            ? 'All rows are moved.'
            : `Only rows where ${describeConditions(filter)}. A row without a value differs from every value.`}
        </p>
        {conditions.entries.map(({ id, rule }, at) => (
          <ConditionFields
            key={id}
            number={at + 1}
            columns={rules.Tables[0]?.Columns ?? []}
            condition={rule}
            onChange={(next) => conditions.replace(id, next)}
            onRemove={() => conditions.remove(id)}
          />
        ))}
        <div>
          <Button
            variant="default"
            onClick={() =>
              conditions.add({ column: rules.Tables[0]?.Columns[0]?.Name ?? '', operator: 'is', values: [] })
            }
          >
            Add a condition
          </Button>
        </div>
      </fieldset>
      <fieldset className={css.rules}>
        <legend>Columns to mask</legend>
        {masks.entries.map(({ id, rule }, at) => (
          <MaskFields
            key={id}
            number={at + 1}
            tables={rules.Tables}
            mask={rule}
            onChange={(next) => masks.replace(id, next)}
            onRemove={() => masks.remove(id)}
          />
        ))}
        <div>
          <Button
            variant="default"
            onClick={() => masks.add({ table: main, column: firstMaskable(rules), method: 'hash' })}
          >
            Add a column
          </Button>
        </div>
      </fieldset>
      <div className={css.partTools}>
        <Button type="submit" loading={save.isPending} disabled={!isReady}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function useEntries<Rule>(first: readonly Rule[]) {
  const [entries, setEntries] = useState<readonly Entry<Rule>[]>(first.map((rule, id) => ({ id, rule })))
  const [nextId, setNextId] = useState(first.length)
  return {
    entries,
    rules: entries.map(({ rule }) => rule),
    add(rule: Rule) {
      setEntries([...entries, { id: nextId, rule }])
      setNextId(nextId + 1)
    },
    replace: (id: number, rule: Rule) => setEntries(entries.map((entry) => (entry.id === id ? { id, rule } : entry))),
    remove: (id: number) => setEntries(entries.filter((entry) => entry.id !== id)),
  }
}

function trimmed({ column, operator, values }: ConditionBody): ConditionBody {
  return { column, operator, values: takesValue(operator) ? values.filter((value) => value !== '') : [] }
}

function isComplete({ column, operator, values }: ConditionBody): boolean {
  return column !== '' && (!takesValue(operator) || values.length > 0)
}

function firstMaskable({ Tables }: StreamRules): string {
  return Tables[0]?.Columns.find(({ MayBeMasked }) => MayBeMasked)?.Name ?? ''
}

interface ConditionFieldsProps {
  readonly number: number
  readonly columns: readonly RuleColumn[]
  readonly condition: ConditionBody
  readonly onChange: (condition: ConditionBody) => void
  readonly onRemove: () => void
}

function ConditionFields({ number, columns, condition, onChange, onRemove }: ConditionFieldsProps) {
  const { column, operator, values } = condition
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

function MaskFields({ number, tables, mask, onChange, onRemove }: MaskFieldsProps) {
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
