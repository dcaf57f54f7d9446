/** History of a connector: which tables keep superseded and deleted row versions, why, since when, and how large it is. */
import type { ConnectorHistory, HistoryReason, StreamHistory } from '@tributary/contract/history'
import { Button, Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { formatSize, formatCount, formatMoment } from '../../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../../ui/tables/data-table.tsx'
import { ErasePerson } from './erase-person.tsx'
import { connectorHistory, useSaveHistory } from '../api.ts'
import css from '../runs.module.css'

export function HistoryView({ ids }: { ids: ConnectorParams }) {
  const query = useQuery(connectorHistory(ids))
  const mayEdit = useMay()('editConnector')
  return (
    <QueryResult query={query}>
      {(state) => (
        <div className={css.history}>
          <HistoryForm ids={ids} state={state} />
          {mayEdit ? <ErasePerson ids={ids} streams={state.Streams} /> : null}
        </div>
      )}
    </QueryResult>
  )
}

const choices = [
  { value: 'none', label: 'No table' },
  { value: 'chosen', label: 'Chosen tables' },
  { value: 'all', label: 'All tables' },
] as const

function HistoryForm({ ids, state }: { ids: ConnectorParams; state: ConnectorHistory }) {
  const mayEdit = useMay()('editConnector')
  const save = useSaveHistory(ids)
  const [tables, setTables] = useState(state.Tables)
  const [chosen, setChosen] = useState<readonly string[]>(state.Chosen)
  const [days, setDays] = useState(new Map(state.Streams.map(({ Stream, RetentionDays }) => [Stream, RetentionDays])))
  if (state.Streams.length === 0)
    return (
      <EmptyState kind="first" title="No tables are known yet.">
        The first run discovers the tables of the source. Then you can choose those that keep history.
      </EmptyState>
    )
  const submit = () =>
    save.mutate({
      tables,
      ...(tables === 'chosen' && { streams: [...chosen] }),
      retention: Object.fromEntries([...days].flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    })
  const editing = { tables, chosen, setChosen, days, setDays }
  return (
    <form
      className={css.history}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p>
        History keeps superseded and deleted row versions in your target, next to each table. It begins with the next
        run; nothing is known of before. Switched off, what was kept stays, and no longer grows.
      </p>
      <MutationError of={save} />
      {mayEdit ? (
        <NativeSelect
          label="Keep history of"
          data={[...choices]}
          value={tables}
          onChange={({ currentTarget }) => setTables(currentTarget.value as ConnectorHistory['Tables'])}
        />
      ) : null}
      <DataTable
        caption="History of the tables"
        columns={mayEdit ? columnsOf(editing) : columns}
        rows={state.Streams}
        rowKey={({ Stream }) => Stream}
      />
      {mayEdit ? (
        <div>
          <Button type="submit" loading={save.isPending} disabled={tables === 'chosen' && chosen.length === 0}>
            Save
          </Button>
        </div>
      ) : null}
    </form>
  )
}

const reasonWords: Readonly<Record<HistoryReason, string>> = {
  setting: 'chosen here',
  closedPeriods: 'closed periods need it',
  marks: 'a mark needs it',
  publications: 'a publication needs it',
}

const columns: readonly TableColumn<StreamHistory>[] = [
  { title: 'Table', cell: ({ Table }) => Table },
  { title: 'History', cell: (stream) => <HistoryState stream={stream} /> },
  { title: 'Table size', isNumber: true, cell: ({ Rows, Bytes }) => sizeOf(Rows, Bytes) },
  {
    title: 'History size',
    isNumber: true,
    cell: ({ Histories: [history] }) => (history === undefined ? '–' : sizeOf(history.Rows, history.Bytes)),
  },
]

function sizeOf(rows: number | null, bytes: number | null): string {
  const parts = [
    ...(rows === null ? [] : [`${formatCount(rows)} rows`]),
    ...(bytes === null ? [] : [formatSize(bytes)]),
  ]
  return parts.length === 0 ? '–' : parts.join(', ')
}

function HistoryState({
  stream: { Histories, IsKept, Marks, Reasons, RetentionDays, Table },
}: {
  stream: StreamHistory
}) {
  const [history] = Histories
  if (history === undefined)
    return Reasons.length === 0
      ? 'Not kept'
      : `Begins with the next run: ${Reasons.map((one) => reasonWords[one]).join(', ')}`
  const name = history.Name === `${Table}__history` ? '' : `, in ${history.Name}`
  return (
    <>
      {`Since ${formatMoment(history.SinceUtc, 'dateTime')}${name}`}
      <span className={css.notice}>
        {IsKept
          ? Reasons.map((one) => reasonWords[one]).join(', ') || 'Ends with the next run; what was kept stays.'
          : 'No longer kept. What was kept stays.'}
      </span>
      {RetentionDays === null || Marks.length === 0 ? null : <span className={css.notice}>{describeHolds(Marks)}</span>}
    </>
  )
}

/** 'Retention leaves what was valid on 30 Jun 2026 for the mark June 2026, board pack.' */
function describeHolds(marks: StreamHistory['Marks']): string {
  const held = marks.map(({ Name, MomentUtc }) => `on ${formatMoment(MomentUtc, 'date')} for the mark ${Name}`)
  return `Retention leaves what was valid ${held.join(', ')}.`
}

interface Editing {
  readonly tables: ConnectorHistory['Tables']
  readonly chosen: readonly string[]
  readonly setChosen: (chosen: readonly string[]) => void
  readonly days: Map<string, number | null>
  readonly setDays: (days: Map<string, number | null>) => void
}

function columnsOf({ tables, chosen, setChosen, days, setDays }: Editing): readonly TableColumn<StreamHistory>[] {
  const keep: TableColumn<StreamHistory> = {
    title: 'Keep',
    cell: ({ Stream, Table }) => (
      <Checkbox
        aria-label={`Keep history of ${Table}`}
        checked={chosen.includes(Stream)}
        onChange={({ currentTarget }) =>
          setChosen(currentTarget.checked ? [...chosen, Stream] : chosen.filter((one) => one !== Stream))
        }
      />
    ),
  }
  const isKept = (stream: string) => tables === 'all' || (tables === 'chosen' && chosen.includes(stream))
  const retention: TableColumn<StreamHistory> = {
    title: 'Days to keep',
    note: 'Empty: for good',
    // A table that keeps no history has nothing to remove.
    cell: ({ Histories, Reasons, Stream, Table }) =>
      isKept(Stream) || Histories.length + Reasons.length > 0 ? (
        <NumberInput
          aria-label={`Days to keep row versions of ${Table}`}
          size="xs"
          min={1}
          max={36_500}
          allowDecimal={false}
          placeholder="For good"
          value={days.get(Stream) ?? ''}
          onChange={(value) => setDays(new Map(days).set(Stream, typeof value === 'number' ? value : null))}
        />
      ) : null,
  }
  return [...columns.slice(0, 1), ...(tables === 'chosen' ? [keep] : []), ...columns.slice(1), retention]
}
