import type { ConnectorStream } from '@tributary/contract/streams'
import { Button } from '@mantine/core'
import { SearchInput } from '../../../ui/forms/search-input.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../../ui/tables/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import { streamList } from '../api.ts'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { describeTable } from '../../../domain/verifications/verification-words.ts'
import css from '../runs.module.css'
import { formatCount } from '../../../ui/formats.ts'

const searchThreshold = 10

/** Tables of the connector: freshness, how each is read and why, and a link to reload it. */
export function TablesView({ ids, isOwn }: { ids: ConnectorParams; isOwn: boolean }) {
  const query = useQuery(streamList(ids))
  return (
    <QueryResult query={query}>
      {(streams) => <ConnectorTables streams={streams} connectorId={ids.connectorId} isOwn={isOwn} />}
    </QueryResult>
  )
}

function ConnectorTables({
  streams,
  connectorId,
  isOwn,
}: {
  streams: readonly ConnectorStream[]
  connectorId: string
  isOwn: boolean
}) {
  const may = useMay()
  const [term, setTerm] = useState('')
  const found = streams.filter(({ Name, Table }) =>
    `${Name} ${Table}`.toLowerCase().includes(term.trim().toLowerCase()),
  )
  if (streams.length === 0) {
    return (
      <EmptyState kind="first" title="No tables are known yet.">
        The first run discovers the tables of the source. They appear here with their freshness.
      </EmptyState>
    )
  }
  return (
    <>
      {streams.length < searchThreshold ? null : <SearchInput label="Search tables" value={term} onChange={setTerm} />}
      {found.length === 0 ? (
        <EmptyState kind="noMatch" title={`No table matches '${term.trim()}'.`} />
      ) : (
        <DataTable
          caption="Tables of the connector"
          name="streams"
          summary={found.length === 1 ? '1 table' : `${formatCount(found.length)} tables`}
          columns={may('reloadTables') && isOwn ? [...tableColumns, reloadColumn(connectorId)] : tableColumns}
          rows={found}
          rowKey={({ Name }) => Name}
        />
      )}
    </>
  )
}

const tableColumns: readonly TableColumn<ConnectorStream>[] = [
  {
    title: 'Table',
    cell: ({ Name, Table, Renamed, Filter, Fault }) => (
      <>
        {Table}
        {Name === Table ? null : <span className={css.notice}>{Name}</span>}
        {Filter === null ? null : <span className={css.notice}>Filtered: only rows where {Filter}.</span>}
        {Renamed.map((column) => (
          <span key={`${column.Table} ${column.Name}`} className={css.notice}>
            The source’s column ‘{column.Column}’ is called ‘{column.Name}’ here.
          </span>
        ))}
        {Fault === null ? null : <span className={css.fault}>{Fault}</span>}
      </>
    ),
  },
  {
    title: 'Fresh as of',
    cell: ({ FreshAtUtc }) => (FreshAtUtc === null ? 'Not read yet' : <RelativeTime at={FreshAtUtc} />),
  },
  {
    title: 'Reads',
    cell: ({ Reads, Why }) => (
      <span className={css.reads}>
        {Reads === 'since' ? 'Only what changed' : 'Everything each time'}
        {Why === null ? null : <span className={css.notice}>{Why}</span>}
      </span>
    ),
  },
  { title: 'Verification', cell: ({ Verification }) => describeTable(Verification) },
  { title: 'Rows', isNumber: true, cell: ({ Rows }) => (Rows === null ? '–' : formatCount(Rows)) },
]

function reloadColumn(connectorId: string): TableColumn<ConnectorStream> {
  return {
    title: 'Reload',
    isActions: true,
    cell: ({ Name, Table }) => (
      <Button
        component={ConnectorLink}
        connectorId={connectorId}
        view="reload"
        table={Name}
        variant="default"
        size="compact-sm"
        aria-label={`Reload ${Table}`}
      >
        Reload
      </Button>
    ),
  }
}
