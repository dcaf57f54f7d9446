/** Reloads one table, several, or all from a date, without changing the others. */
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { now } from '@tributary/client/server-clock'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useStartRun } from '../../domain/runs/use-start-run.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CheckboxList } from '../../ui/forms/choice-fields.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { streamList } from './api.ts'
import { checkReload, type ReloadScope, toRunRequest } from './reload-request.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import css from './runs.module.css'
import { zonedDay } from '../../ui/formats.ts'

interface ReloadDialogProps {
  ids: ConnectorParams
  title: string
  scope: ReloadScope
  /** The preselected table. */
  table: string | null
  onStarted: (runId: string) => void
  onClose: () => void
}

const scopeChoices = [
  {
    value: 'all',
    label: 'Everything again',
    help: 'Reads every row into a shadow table, then swaps the tables. Readers never see an empty table.',
  },
  { value: 'new', label: 'Only what changed', help: 'Same as the next run, but only for these tables.' },
  {
    value: 'from',
    label: 'From a date',
    help: 'Reads the changes since that day again. The next run still resumes where the last one stopped.',
  },
] as const

export function ReloadDialog({ ids, title, scope: initialScope, table, onStarted, onClose }: ReloadDialogProps) {
  const { TimeZone } = useWorkspace().organisation
  const [initialTables] = useState<ReadonlySet<string>>(() => new Set(table === null ? [] : [table]))
  const [tables, setTables] = useState(initialTables)
  const [scope, setScope] = useState<ReloadScope>(initialScope)
  const [day, setDay] = useState('')
  const [isProblemShown, setProblemShown] = useState(false)
  const start = useStartRun({ Id: ids.connectorId, Name: title }, onStarted)
  const today = zonedDay(now(), TimeZone)
  const choice = { tables: [...tables], scope, day }
  const problem = checkReload(choice, today)
  const isDirty = scope !== initialScope || day !== '' || tables.symmetricDifference(initialTables).size > 0

  function submit() {
    setProblemShown(true)
    if (problem === null) start.mutate(toRunRequest(choice, TimeZone))
  }

  return (
    <MutationDialog
      kind="drawer"
      mutation={start}
      title={`Reload ${title}`}
      subtitle="The other tables stay as they are."
      isDirty={isDirty}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Start"
    >
      {isProblemShown && problem !== null ? (
        <p className={css.lack} role="alert">
          {problem}
        </p>
      ) : null}
      <RadioGroup label="How much" choices={scopeChoices} value={scope} onChange={setScope} hasFocus />
      {scope === 'from' ? (
        <LazyDateField
          label="From"
          description={`From midnight of that day in the time zone ${TimeZone.replaceAll('_', ' ')}.`}
          value={day}
          max={today}
          onChange={setDay}
        />
      ) : null}
      <ReloadTables ids={ids} emptyMeansAll={scope === 'from'} picked={tables} onPick={setTables} />
    </MutationDialog>
  )
}

interface ReloadTablesProps {
  ids: ConnectorParams
  /** Selecting none means all tables. */
  emptyMeansAll: boolean
  picked: ReadonlySet<string>
  onPick: (picked: ReadonlySet<string>) => void
}

const searchThreshold = 10

function ReloadTables({ ids, emptyMeansAll, picked, onPick }: ReloadTablesProps) {
  const query = useQuery(streamList(ids))
  const [term, setTerm] = useState('')
  const none = emptyMeansAll ? 'All tables, unless you choose some.' : 'None chosen yet.'
  return (
    <fieldset className={css.choosing}>
      <legend>Tables</legend>
      <p className="small subtle">{picked.size === 0 ? none : `${picked.size} chosen.`}</p>
      <QueryResult query={query}>
        {(streams) => {
          if (streams.length === 0) return <p className="small">The first run discovers the tables.</p>
          const found = streams.filter(({ Name, Table }) =>
            `${Name} ${Table}`.toLowerCase().includes(term.trim().toLowerCase()),
          )
          return (
            <>
              {streams.length < searchThreshold ? null : (
                <SearchInput label="Search tables" value={term} onChange={setTerm} />
              )}
              <CheckboxList
                items={found.map(({ Name, Table }) => ({ id: Name, label: Table, detail: Name === Table ? '' : Name }))}
                picked={picked}
                onToggle={(id) => onPick(picked.symmetricDifference(new Set([id])))}
              />
            </>
          )
        }}
      </QueryResult>
    </fieldset>
  )
}
