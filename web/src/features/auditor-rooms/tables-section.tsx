import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredTables } from './room-queries.ts'

interface CoveredTable {
  readonly source: string
  readonly schema: string
  readonly name: string
  readonly rows: number | null
}

/** The tables of the covered connectors and the views of single marks. Each opens in the explorer. */
export function TablesSection() {
  const tables = useQuery(coveredTables(useOrganisationId()))
  return (
    <Panel title="Tables">
      <QueryResult query={tables}>
        {(sources) => {
          const list = sources.flatMap(({ Name: source, Tables }) =>
            Tables.map(({ Schema, Name, Rows }): CoveredTable => ({ source, schema: Schema, name: Name, rows: Rows })),
          )
          return list.length === 0 ? (
            <EmptyState kind="first" title="There are no tables yet.">
              They appear once a covered connector has moved rows, or a covered mark has its views.
            </EmptyState>
          ) : (
            <DataTable
              caption="Tables of the room"
              columns={columns}
              rows={list}
              rowKey={({ schema, name }) => `${schema}.${name}`}
            />
          )
        }}
      </QueryResult>
    </Panel>
  )
}

const columns: TableColumn<CoveredTable>[] = [
  { title: 'Table', cell: ({ schema, name }) => <Link to={paths.dataTable(schema, name)}>{name}</Link> },
  { title: 'Source', cell: ({ source }) => source },
  { title: 'Rows', isNumber: true, cell: ({ rows }) => (rows === null ? '' : formatCount(rows)) },
]
