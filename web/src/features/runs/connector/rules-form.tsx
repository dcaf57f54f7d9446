/** The filter and the masks of one table. */
import type { StreamRules } from '@tributary/contract/table-rules'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import css from '../runs.module.css'
import { ConditionFields, MaskFields } from './rule-fields.tsx'
import { describeConditions, takesValue } from './rule-words.ts'
import { type ConditionBody, type MaskBody, useSaveRules } from './rules-api.ts'

interface RulesFormProps {
  readonly ids: ConnectorParams
  readonly rules: StreamRules
  readonly onClose: () => void
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
      <FilterSection rules={rules} conditions={conditions} complete={filter.filter(isComplete)} />
      <MaskSection rules={rules} masks={masks} />
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

interface FilterSectionProps {
  readonly rules: StreamRules
  readonly conditions: Entries<ConditionBody>
  /** Those that say something. */
  readonly complete: readonly ConditionBody[]
}

function FilterSection({ rules: { Tables }, conditions, complete }: FilterSectionProps) {
  const columns = Tables[0]?.Columns ?? []
  return (
    <fieldset className={css.rules}>
      <legend>Rows to move</legend>
      <p className={css.notice}>
        {complete.length === 0
          ? 'All rows are moved.'
          : `Only rows where ${describeConditions(complete)}. A row without a value differs from every value.`}
      </p>
      {conditions.entries.map(({ id, rule }, at) => (
        <ConditionFields
          key={id}
          number={at + 1}
          columns={columns}
          condition={rule}
          onChange={(next) => conditions.replace(id, next)}
          onRemove={() => conditions.remove(id)}
        />
      ))}
      <div>
        <Button
          variant="default"
          onClick={() => conditions.add({ column: columns[0]?.Name ?? '', operator: 'is', values: [] })}
        >
          Add a condition
        </Button>
      </div>
    </fieldset>
  )
}

function MaskSection({ rules, masks }: { readonly rules: StreamRules; readonly masks: Entries<MaskBody> }) {
  const [main] = rules.Tables
  const first = main?.Columns.find(({ MayBeMasked }) => MayBeMasked)?.Name ?? ''
  return (
    <fieldset className={css.rules}>
      <legend>Columns to mask</legend>
      <p className={css.notice}>
        A hash takes the place of each value, and equal values have equal hashes. Columns that identify rows cannot be
        masked.
      </p>
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
          onClick={() => masks.add({ table: main?.Name ?? rules.Stream, column: first, method: 'hash' })}
        >
          Add a column
        </Button>
      </div>
    </fieldset>
  )
}

/** A rule with an identity, so that removing one leaves the focus and the text of the others. */
interface Entry<Rule> {
  readonly id: number
  readonly rule: Rule
}

interface Entries<Rule> {
  readonly entries: readonly Entry<Rule>[]
  readonly rules: readonly Rule[]
  add(rule: Rule): void
  replace(id: number, rule: Rule): void
  remove(id: number): void
}

function useEntries<Rule>(first: readonly Rule[]): Entries<Rule> {
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
