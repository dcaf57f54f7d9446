/** The dictionary: the tables that a person may read, and what they and their columns mean. */
import type { DictionarySummary } from '@tributary/contract/dictionary'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/formats.ts'
import { NoSearchMatch, SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { paths } from '../../paths.ts'
import css from './dictionary.module.css'
import { tableList } from './dictionary-queries.ts'
import { ExportButtons } from './export-buttons.tsx'
import { tableAddress, useTableInUrl } from './table-address.ts'
import { TableDetails } from './table-details.tsx'
import { Words } from './words.tsx'

export function DictionaryPage() {
  const opened = useTableInUrl()
  if (opened === null)
    return (
      <Page kind="list" search={<SearchBox label="Search the dictionary" />}>
        <Tables />
      </Page>
    )
  return (
    <Page kind="list" crumbs={[{ label: 'Dictionary', to: paths.dictionary }, { label: opened.table }]}>
      <TableDetails key={`${opened.connectorId} ${opened.table}`} opened={opened} />
    </Page>
  )
}

function Tables() {
  const search = useSearchTerm()
  return (
    <QueryResult query={useQuery(tableList(useOrganisationId(), search))}>
      {(tables) => <TableGroups tables={tables} search={search} />}
    </QueryResult>
  )
}

function TableGroups({ tables, search }: { tables: readonly DictionarySummary[]; search: string }) {
  if (tables.length === 0 && search !== '') return <NoSearchMatch title="No table or column matches." />
  if (tables.length === 0)
    return (
      <EmptyState kind="first" title="No tables yet.">
        A table is here after its connector has run once. You see the tables that you may read.
      </EmptyState>
    )
  const byConnector = Map.groupBy(tables, ({ ConnectorId }) => ConnectorId)
  return (
    <>
      <ExportButtons />
      {[...byConnector].map(([connectorId, own]) => (
        <section key={connectorId} className={css.group} aria-labelledby={`tables-${connectorId}`}>
          <h2 id={`tables-${connectorId}`} className={css.connector}>
            <bdi>{own[0]?.ConnectorName}</bdi>
          </h2>
          <DataTable
            caption={`Tables of ${own[0]?.ConnectorName ?? ''}`}
            columns={search === '' ? columns : [...columns, foundColumns]}
            rows={own}
            rowKey={({ Name }) => Name}
          />
        </section>
      ))}
    </>
  )
}

const columns: readonly TableColumn<DictionarySummary>[] = [
  {
    title: 'Table',
    cell: ({ ConnectorId, Name }) => (
      <Link to={tableAddress({ connectorId: ConnectorId, table: Name })} className={css.name}>
        <bdi>{Name}</bdi>
      </Link>
    ),
  },
  {
    title: 'What a row is',
    cell: ({ AdministratorDescription, Description }) => <Words texts={[AdministratorDescription, Description]} />,
  },
  { title: 'Columns', isNumber: true, cell: ({ ColumnCount }) => formatCount(ColumnCount) },
  {
    title: 'Related tables',
    isNumber: true,
    cell: ({ Relations }) => formatCount(new Set(Relations.map(({ Table }) => Table)).size),
  },
]

const foundMax = 5
const foundColumns: TableColumn<DictionarySummary> = {
  title: 'Found in columns',
  cell: ({ FoundColumns }) => {
    const more = FoundColumns.length - foundMax
    const names = FoundColumns.slice(0, foundMax).join(', ')
    return <bdi>{more > 0 ? `${names} and ${more} more` : names}</bdi>
  },
}
