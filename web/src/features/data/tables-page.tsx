/** The tables of the warehouse that the person may read, by source, with a search over table and column names. */
import type { DataSource, DataTableSummary } from '@tributary/contract/data'
import type { DataHistory } from '@tributary/contract/data-history'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { stateBadges } from '../../domain/connectors/connector-state-badges.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { describeTable } from '../../domain/verifications/verification-words.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'
import { NoSearchMatch, SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { dataSources } from './api.ts'
import css from './data.module.css'
import { formatSize } from '../../ui/formats.ts'
import { formatRowsCell } from './data-words.ts'
import { type FoundTable, findTables } from './find-tables.ts'

export function TablesPage() {
  return (
    <Page kind="list" search={<SearchBox label="Search tables and columns" />}>
      <TablesContent />
    </Page>
  )
}

function TablesContent() {
  const term = useSearchTerm()
  const sources = useQuery(dataSources(useOrganisationId()))
  return (
    <QueryResult query={sources} loading={<SkeletonLines count={8} height={44} />}>
      {(all) => <SourceList sources={all} term={term} />}
    </QueryResult>
  )
}

function SourceList({ sources, term }: { sources: readonly DataSource[]; term: string }) {
  if (sources.length === 0) return <NoTables />
  const found = findTables(sources, term)
  if (found.length === 0) return <NoSearchMatch title={`No table or column matches '${term}'.`} />
  return (
    <div className={css.sources}>
      {found.map(({ source, tables }) => (
        <SourceSection key={`${source.Kind} ${source.ConnectorId}`} source={source} tables={tables} />
      ))}
    </div>
  )
}

function SourceSection({ source, tables }: { source: DataSource; tables: readonly FoundTable[] }) {
  const { Kind, ConnectorId, Name, State, Type } = source
  const id = `source-${ConnectorId ?? Kind}`
  return (
    <section className={css.source} aria-labelledby={id}>
      <div className={css.sourceHead}>
        <ConnectorIcon name={Type ?? 'Excel'} size={20} />
        <h2 id={id}>{Name}</h2>
        {State === null ? null : <StatusBadge {...stateBadges[State]} />}
      </div>
      <DataTable
        caption={`Tables of ${Name}`}
        name="dataTables"
        summary={tables.length === 1 ? '1 table' : `${formatCount(tables.length)} tables`}
        columns={tableColumns}
        rows={tables}
        rowKey={({ table: { Schema, Name: name } }) => `${Schema}.${name}`}
      />
    </section>
  )
}

const tableColumns: readonly TableColumn<FoundTable>[] = [
  { title: 'Table', cell: (found) => <TableName found={found} /> },
  {
    title: 'Rows',
    isNumber: true,
    cell: ({ table }) => (
      <span title={table.IsEstimate ? 'An estimate by the statistics of the database' : undefined}>
        {formatRowsCell(table)}
      </span>
    ),
  },
  {
    title: 'Size',
    isNumber: true,
    cell: ({ table: { Bytes } }) => <span className={css.oneLine}>{formatSize(Bytes)}</span>,
  },
  { title: 'Columns', isNumber: true, cell: ({ table: { Columns } }) => formatCount(Columns.length) },
  { title: 'Fresh as of', cell: ({ table }) => <Freshness table={table} /> },
  {
    title: 'Verification',
    cell: ({ table }) => (table.Verification === null ? '–' : describeTable(table.Verification)),
  },
  { title: 'Schema', isHiddenByDefault: true, cell: ({ table: { Lake, Schema } }) => <code>{Lake ?? Schema}</code> },
]

function TableName({ found: { table, columns } }: { found: FoundTable }) {
  const { Schema, Name, Kind, Description, History, Lake } = table
  return (
    <span>
      <Link to={paths.dataTable(Schema, Name)}>{Name}</Link>
      {Kind === 'view' ? <span className={css.note}>View</span> : null}
      {Lake === null ? null : <span className={css.note}>Iceberg</span>}
      {History === null ? null : <span className={css.note}>{describeHistory(History)}</span>}
      {Description === null ? null : <span className={css.summary}>{Description}</span>}
      {columns.length === 0 ? null : <span className={css.note}>{`Columns: ${columns.join(', ')}`}</span>}
    </span>
  )
}

/** 'History since 1 Jun 2026', or 'History from 1 Jun to 3 Jun 2026' once it is no longer kept. */
function describeHistory({ SinceUtc, EndedAtUtc }: DataHistory): string {
  const since = formatMoment(SinceUtc, 'date')
  return EndedAtUtc === null
    ? `History since ${since}`
    : `History from ${since} until ${formatMoment(EndedAtUtc, 'date')}`
}

function Freshness({ table: { FreshAtUtc, Fault } }: { table: DataTableSummary }) {
  return (
    <span className={Fault === null ? css.oneLine : undefined}>
      {FreshAtUtc === null ? '–' : <RelativeTime at={FreshAtUtc} />}
      {Fault === null ? null : <span className={css.fault}>{Fault}</span>}
    </span>
  )
}

function NoTables() {
  const mayAdd = useMay()('addConnector')
  if (mayAdd)
    return (
      <EmptyState
        kind="first"
        title="There are no tables yet."
        action={
          <Button component={Link} to={paths.home}>
            Choose a source
          </Button>
        }
      >
        Connect a source and let its first run load the warehouse, or load a plan from Excel. The tables then appear
        here. Tables that your connectors write into a database of your own are read there.
      </EmptyState>
    )
  return (
    <EmptyState kind="notAllowed" title="There is nothing here that you may read yet.">
      Ask an administrator of your organisation to assign you to a connector, or to give you a group, an entity or a
      helper table.
    </EmptyState>
  )
}
