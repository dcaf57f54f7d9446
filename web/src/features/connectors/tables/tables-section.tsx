/**
 * Selects the tables to move: all of them, or some from a tree. Before the source was queried, they are entered by
 * name.
 */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { OfferedTable } from '@tributary/contract/streams'
import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { TextareaField } from '../../../ui/forms/choice-fields.tsx'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { SearchInput } from '../../../ui/forms/search-input.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import css from '../connectors.module.css'
import {
  type TreeLine,
  splitLines,
  matchingTables,
  missingTables,
  type TableSelection,
  selectTables,
  toggleLine,
  withFullNames,
} from './table-selection.ts'
import { TableTree } from './table-tree.tsx'
import { UnreadableTables } from './unreadable-tables.tsx'
import { findLeftOutField, findTablesField, tablesScope } from './table-selection-fields.ts'
import { FormSection } from '../form/form-section.tsx'
import treeCss from './table-tree.module.css'
import { formatCount } from '../../../ui/formats.ts'

interface TablesSectionProps {
  readonly type: ConnectorType
  readonly form: FormState
  /** Null until the source was queried. */
  readonly offered: readonly OfferedTable[] | null
  readonly isDiscovering: boolean
  readonly onDiscover: () => void
}

const scopeChoices = [
  { value: 'every', label: 'Every table', help: 'Including tables that are created later.' },
  { value: 'some', label: 'Only those chosen' },
] as const

export function TablesSection({ type, form, offered, isDiscovering, onDiscover }: TablesSectionProps) {
  const field = findTablesField(type)
  if (field === undefined) return null
  const scope = form.values[tablesScope] === 'some' ? 'some' : 'every'
  const names = form.bind(field.path)
  const readable = offered?.filter(({ Notice }) => Notice === null) ?? null
  return (
    <FormSection title="Tables">
      <RadioGroup
        label="What is moved"
        choices={scopeChoices}
        value={scope}
        onChange={form.bind(tablesScope).onChange}
      />
      {offered === null && scope === 'some' ? (
        <TextareaField
          field={names}
          label="Table names"
          help="One a line, as schema.table. Or let Tributary look, and tick them."
          isRequired
        />
      ) : null}
      <div>
        <Button variant="default" leftSection={<IconListSearch />} loading={isDiscovering} onClick={onDiscover}>
          {offered === null ? 'Show the tables' : 'Look again'}
        </Button>
      </div>
      {readable === null ? null : <OfferedTables type={type} form={form} offered={readable} />}
      {offered === null ? null : <UnreadableTables tables={offered.filter(({ Notice }) => Notice !== null)} />}
      {offered !== null && names.error !== null ? (
        <p role="alert" className={css.wrong}>
          Tick at least one table, or choose every table.
        </p>
      ) : null}
    </FormSection>
  )
}

interface OfferedTablesProps {
  type: ConnectorType
  form: FormState
  offered: readonly OfferedTable[]
}

function OfferedTables({ type, form, offered }: OfferedTablesProps) {
  const { path, choice, mayLeaveOut, choose } = useTableSelection(type, form, offered)
  const [term, setTerm] = useState('')
  const deferredTerm = useDeferredValue(term)
  const shown = useMemo(() => matchingTables(offered, deferredTerm), [offered, deferredTerm])
  const missing = missingTables(choice, offered)
  const chosen = choice.isEvery ? offered.length : choice.tables.length - missing.length

  if (offered.length === 0)
    return (
      <Callout tone="warn">
        These credentials may read no table. Ask the owner of the source to grant them SELECT.
      </Callout>
    )
  return (
    <>
      <MissingTables
        names={missing}
        onRemove={() => choose({ ...choice, tables: choice.tables.filter((name) => !missing.includes(name)) })}
      />
      <div className={treeCss.tools}>
        <SearchInput
          className={treeCss.search}
          // Validation focuses this field if no table is selected.
          name={path}
          label="Search tables and columns"
          value={term}
          onChange={setTerm}
        />
        <Button variant="default" px={12} onClick={() => choose(selectTables(choice, shown, true, offered))}>
          Tick all{term.trim() === '' ? '' : ' found'}
        </Button>
        <Button variant="default" px={12} onClick={() => choose(selectTables(choice, shown, false, offered))}>
          Untick all{term.trim() === '' ? '' : ' found'}
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className="muted">{`No table or column matches '${term}'.`}</p>
      ) : (
        <TableTree
          key={deferredTerm}
          tables={shown}
          choice={choice}
          mayLeaveOut={mayLeaveOut}
          onToggle={(line: TreeLine) => choose(toggleLine(choice, line, offered))}
        />
      )}
      <output className="small subtle">{formatSelectionCount(chosen, offered.length, choice.leftOut.length)}</output>
    </>
  )
}

function MissingTables({ names, onRemove }: { names: readonly string[]; onRemove: () => void }) {
  if (names.length === 0) return null
  return (
    <Callout
      tone="warn"
      title={names.length === 1 ? '1 chosen table is not there' : `${names.length} chosen tables are not there`}
    >
      <p>{names.join(', ')}: gone from the source, or not readable with these credentials.</p>
      <Button variant="default" size="compact-sm" onClick={onRemove}>
        Remove from selection
      </Button>
    </Callout>
  )
}

/** The selection parsed from the form's text fields, with full names, and a function that writes it back. */
function useTableSelection(type: ConnectorType, form: FormState, offered: readonly OfferedTable[]) {
  const tables = findTablesField(type)?.path ?? ''
  const leftOut = findLeftOutField(type)?.path
  const isEvery = form.values[tablesScope] !== 'some'
  const tablesText = String(form.values[tables] ?? '')
  const leftOutText = leftOut === undefined ? '' : String(form.values[leftOut] ?? '')
  const choice = useMemo(
    () => withFullNames({ isEvery, tables: splitLines(tablesText), leftOut: splitLines(leftOutText) }, offered),
    [isEvery, tablesText, leftOutText, offered],
  )
  function choose(next: TableSelection) {
    form.bind(tables).onChange(next.isEvery ? '' : next.tables.join('\n'))
    form.bind(tablesScope).onChange(next.isEvery ? 'every' : 'some')
    if (leftOut !== undefined) form.bind(leftOut).onChange(next.leftOut.join('\n'))
  }
  return { path: tables, choice, mayLeaveOut: leftOut !== undefined, choose }
}

function formatSelectionCount(chosen: number, all: number, leftOut: number): string {
  const tables = `${formatCount(chosen)} of ${formatCount(all)} ${all === 1 ? 'table' : 'tables'}`
  if (leftOut === 0) return tables
  return `${tables}, ${leftOut === 1 ? '1 column' : `${formatCount(leftOut)} columns`} left out`
}
