/** Filters and masks of a connector: which rows of each table are moved, and which columns are hashed or masked. */
import type { StreamRules } from '@tributary/contract/table-rules'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { DataTable, type TableColumn } from '../../../ui/tables/data-table.tsx'
import css from '../runs.module.css'
import { describeMasks } from './rule-words.ts'
import { connectorRules } from './rules-api.ts'
import { RulesForm } from './rules-form.tsx'

export function RulesView({ ids }: { ids: ConnectorParams }) {
  const query = useQuery(connectorRules(ids))
  return <QueryResult query={query}>{({ Streams }) => <TableRules ids={ids} streams={Streams} />}</QueryResult>
}

function TableRules({ ids, streams }: { ids: ConnectorParams; streams: readonly StreamRules[] }) {
  const [edited, setEdited] = useState<StreamRules | null>(null)
  if (edited !== null) return <RulesForm key={edited.Stream} ids={ids} rules={edited} onClose={() => setEdited(null)} />
  return (
    <div className={css.history}>
      <p>
        A filter moves only the rows that match it; a row that stops matching leaves the target. A mask hashes, clears
        or shortens the values of a column before they are written. Both take effect with the next run, which then reads
        the whole table. History keeps the versions from before.
      </p>
      {streams.length === 0 ? null : (
        <DataTable
          caption="Filters and masks of the tables"
          columns={columnsOf(setEdited)}
          rows={streams}
          rowKey={({ Stream }) => Stream}
        />
      )}
      <OtherTable
        isFirst={streams.length === 0}
        onChoose={(name) => setEdited(known(streams, name) ?? unknown(name))}
      />
    </div>
  )
}

function columnsOf(onEdit: (rules: StreamRules) => void): readonly TableColumn<StreamRules>[] {
  return [
    { title: 'Table', cell: ({ Table }) => Table },
    { title: 'Rows', cell: ({ Sentence }) => (Sentence === null ? 'All' : `Only where ${Sentence}`) },
    { title: 'Masked columns', cell: (rules) => describeMasks(rules) || 'None' },
    {
      title: 'Change',
      isActions: true,
      cell: (rules) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Change the filter and masks of ${rules.Table}`}
          onClick={() => onEdit(rules)}
        >
          Change
        </Button>
      ),
    },
  ]
}

function known(streams: readonly StreamRules[], name: string): StreamRules | undefined {
  return streams.find(({ Stream, Table }) => Stream === name || Table === name)
}

function unknown(name: string): StreamRules {
  return { Stream: name, Table: name, Sentence: null, Conditions: [], Masks: [], Tables: [], ChangedAtUtc: null }
}

/** Rules can be set before the first run, so that no value arrives that should have been masked. */
function OtherTable({ isFirst, onChoose }: { isFirst: boolean; onChoose: (name: string) => void }) {
  const [name, setName] = useState('')
  return (
    <form
      className={css.history}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(name.trim())
      }}
    >
      <TextInput
        label={isFirst ? 'Table of the source' : 'A table that no run has moved yet'}
        description="As the source names it, such as public.customer or Contacts."
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          Set filter and masks
        </Button>
      </div>
    </form>
  )
}
