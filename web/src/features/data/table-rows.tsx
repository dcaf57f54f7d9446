/** The grid of a table, with what can be done with all of its rows above it. */
import type { DataColumn, DataTable } from '@tributary/contract/data'
import { CallError, messageOf } from '@tributary/client/call-error'
import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/formats.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import type { TableLocation } from './api.ts'
import css from './data.module.css'
import { isFastOrder } from './data-words.ts'
import { FilterBar } from './filters/filter-bar.tsx'
import { ColumnsButton } from './grid/columns-button.tsx'
import { DataGrid } from './grid/data-grid.tsx'
import { useGridLayout } from './grid/use-grid-layout.ts'
import { QueryProgress } from './query-progress.tsx'
import type { TableView } from './table-address.ts'
import { useTableRows, useTableView } from './use-table-rows.ts'
import { MissingTable } from './missing-table.tsx'

const LazyProfileDrawer = lazyDialog(() => import('./profile-drawer.tsx'), 'ProfileDrawer')
const LazyRowDrawer = lazyDialog(() => import('./row-drawer.tsx'), 'RowDrawer')
const LazySqlDialog = lazyDialog(() => import('./sql-dialog.tsx'), 'SqlDialog')

interface TableRowsProps {
  location: TableLocation
  table: DataTable
}

type OpenPart = { readonly column: DataColumn } | { readonly row: number } | 'sql'

export function TableRows({ location, table }: TableRowsProps) {
  const { view, change } = useTableView()
  const found = useTableRows(location)
  const layout = useGridLayout(location, table.Columns)
  const [open, setOpen] = useState<OpenPart | null>(null)
  const { query, rows, base, sql } = found
  const close = () => setOpen(null)
  const openRow = typeof open === 'object' && open !== null && 'row' in open ? rows[open.row - base] : undefined
  return (
    <>
      <div className={css.tools}>
        <FilterBar table={table} filters={view.filters} onChange={(filters) => change({ filters })} />
        <div className={css.buttons}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconCode />}
            disabled={sql === undefined}
            onClick={() => setOpen('sql')}
          >
            SQL
          </Button>
          <ColumnsButton layout={layout} onDescribe={(column) => setOpen({ column })} />
        </div>
      </div>
      {query.data === undefined ? (
        <PendingRows
          table={table}
          view={view}
          found={found}
          onReset={() => change({ filters: [], sort: null, isDescending: false })}
        />
      ) : rows.length === 0 ? (
        <NoRows hasFilters={view.filters.length > 0} onClear={() => change({ filters: [] })} />
      ) : (
        <>
          <DataGrid
            key={found.key}
            caption={`Rows of ${table.Name}`}
            layout={layout}
            rows={rows}
            base={base}
            hasMore={query.hasNextPage}
            view={view}
            onSort={(sort, isDescending) => change({ sort, isDescending })}
            onDescribe={(column) => setOpen({ column })}
            onOpenRow={(row) => setOpen({ row })}
            onReach={(edge) => reach(query, edge)}
          />
          <RowsStatus found={found} />
        </>
      )}
      {open === 'sql' && sql !== undefined ? <LazySqlDialog sql={sql} onClose={close} /> : null}
      {typeof open === 'object' && open !== null && 'column' in open ? (
        <LazyProfileDrawer location={location} view={view} column={open.column} onClose={close} />
      ) : null}
      {openRow === undefined ? null : <LazyRowDrawer table={table} row={openRow} onClose={close} />}
    </>
  )
}

type FoundRows = ReturnType<typeof useTableRows>

function reach(query: FoundRows['query'], edge: 'start' | 'end'): void {
  if (query.isFetching || query.isError) return
  if (edge === 'end' && query.hasNextPage) void query.fetchNextPage()
  if (edge === 'start' && query.hasPreviousPage) void query.fetchPreviousPage()
}

interface PendingRowsProps {
  table: DataTable
  view: TableView
  found: FoundRows
  onReset: () => void
}

function PendingRows({ table, view, found: { query, cancel }, onReset }: PendingRowsProps) {
  const { error, isFetching, refetch } = query
  const isSlow = !isFastOrder(table, view.sort) || view.filters.length > 0
  if (isFetching) return <QueryProgress isSlow={isSlow} onCancel={cancel} />
  if (error instanceof CallError && error.statusCode === 404) return <MissingTable />
  const again = (
    <div className={css.again}>
      <Button variant="default" onClick={() => void refetch()}>
        Try again
      </Button>
      {isSlow ? (
        <Button variant="subtle" onClick={onReset}>
          Remove filters and order
        </Button>
      ) : null}
    </div>
  )
  if (error === null)
    return (
      <EmptyState kind="noMatch" title="The query was cancelled." action={again}>
        It has ended on the server, too.
      </EmptyState>
    )
  return (
    <EmptyState kind="failed" title="The rows could not be read." action={again}>
      {messageOf(error)}
    </EmptyState>
  )
}

function NoRows({ hasFilters, onClear }: { hasFilters: boolean; onClear: () => void }) {
  if (!hasFilters) return <EmptyState kind="first" title="This table has no rows that you may read." />
  return (
    <EmptyState
      kind="noMatch"
      title="No row matches the filters."
      action={
        <Button variant="default" onClick={onClear}>
          Remove the filters
        </Button>
      }
    />
  )
}

/** What is in memory, and whether more is read. */
function RowsStatus({ found: { query, rows, base, restart } }: { found: FoundRows }) {
  const { error, isFetching, hasNextPage } = query
  if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={restart} />
  const last = base + rows.length
  return (
    <output className={css.status}>
      {isFetching
        ? 'Reading more rows…'
        : hasNextPage
          ? `The first ${formatCount(last)} rows; scroll for more`
          : `All ${formatCount(last)} rows`}
    </output>
  )
}
