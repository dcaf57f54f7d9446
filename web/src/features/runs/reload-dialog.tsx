/** One table alone, a few of them, or all from a date: moved now, while the rest stays as it is. */
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { now } from '@tributary/client/server-clock'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useStartRun } from '../../domain/runs/use-start-run.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { CheckList } from '../../ui/forms/choice-fields.tsx'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { RadioChoice } from '../../ui/forms/radio-group.tsx'
import { streamList } from './api.ts'
import { dayOf, missing, type Reach, wishOf } from './reload-request.ts'
import css from './runs.module.css'

interface ReloadDialogProps {
  place: ConnectorParams
  title: string
  reach: Reach
  /** The one that is chosen to begin with. */
  table: string | null
  onStarted: (runId: string) => void
  onClose: () => void
}

const reaches = [
  {
    value: 'all',
    label: 'All of it again',
    help: 'Every row is read anew beside the table, then takes its place. Nobody sees it empty.',
  },
  { value: 'new', label: 'Only what changed', help: 'As the next run would, for these tables alone.' },
  {
    value: 'from',
    label: 'From a date',
    help: 'What changed since that day is read again. Where the next run goes on does not change.',
  },
] as const

export function ReloadDialog({ place, title, reach: firstReach, table, onStarted, onClose }: ReloadDialogProps) {
  const { TimeZone } = useWorkspace().organisation
  const [firstTables] = useState<ReadonlySet<string>>(() => new Set(table === null ? [] : [table]))
  const [tables, setTables] = useState(firstTables)
  const [reach, setReach] = useState<Reach>(firstReach)
  const [day, setDay] = useState('')
  const [isTold, setTold] = useState(false)
  const start = useStartRun({ Id: place.connectorId, Name: title }, onStarted)
  const today = dayOf(now(), TimeZone)
  const choice = { tables: [...tables], reach, day }
  const lack = missing(choice, today)
  const isDirty = reach !== firstReach || day !== '' || tables.symmetricDifference(firstTables).size > 0

  function submit() {
    setTold(true)
    if (lack === null) start.mutate(wishOf(choice, TimeZone))
  }

  return (
    <Dialog
      kind="drawer"
      title={`Reload ${title}`}
      subtitle="The other tables stay as they are."
      isDirty={isDirty}
      isBusy={start.isPending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={start.isPending}>
            Start
          </Button>
        </>
      }
    >
      <ErrorBanner message={start.error === null ? null : messageOf(start.error)} onDismiss={start.reset} />
      {isTold && lack !== null ? (
        <p className={css.lack} role="alert">
          {lack}
        </p>
      ) : null}
      <RadioChoice label="How much" choices={reaches} value={reach} onChange={setReach} hasFocus />
      {reach === 'from' ? (
        <TextInput
          type="date"
          label="From"
          description={`The beginning of that day on the clock of ${TimeZone.replaceAll('_', ' ')}.`}
          value={day}
          max={today}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      ) : null}
      <TableChoice place={place} isAllMeant={reach === 'from'} picked={tables} onPick={setTables} />
    </Dialog>
  )
}

interface TableChoiceProps {
  place: ConnectorParams
  /** None chosen means all of them. */
  isAllMeant: boolean
  picked: ReadonlySet<string>
  onPick: (picked: ReadonlySet<string>) => void
}

const searchableFrom = 10

function TableChoice({ place, isAllMeant, picked, onPick }: TableChoiceProps) {
  const query = useQuery(streamList(place))
  const [term, setTerm] = useState('')
  const toggle = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    onPick(next)
  }
  const none = isAllMeant ? 'All tables, unless you choose some.' : 'None chosen yet.'
  return (
    <fieldset className={css.choosing}>
      <legend>Tables</legend>
      <p className="small subtle">{picked.size === 0 ? none : `${picked.size} chosen.`}</p>
      <Loaded query={query}>
        {(streams) => {
          if (streams.length === 0) return <p className="small">The first run finds out which tables there are.</p>
          const found = streams.filter(({ Name, Table }) =>
            `${Name} ${Table}`.toLowerCase().includes(term.trim().toLowerCase()),
          )
          return (
            <>
              {streams.length < searchableFrom ? null : (
                <TextInput
                  type="search"
                  aria-label="Search tables"
                  placeholder="Search"
                  leftSection={<IconSearch size={16} aria-hidden />}
                  value={term}
                  onChange={(event) => setTerm(event.currentTarget.value)}
                />
              )}
              <CheckList
                items={found.map(({ Name, Table }) => ({ id: Name, label: Table, detail: Name === Table ? '' : Name }))}
                picked={picked}
                onToggle={toggle}
              />
            </>
          )
        }}
      </Loaded>
    </fieldset>
  )
}
