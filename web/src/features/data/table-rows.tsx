/** The grid of a table, with what can be done with all of its rows above it. */
import type { DataColumn, DataTable } from '@tributary/contract/data'
import { CallError, messageOf } from '@tributary/client/call-error'
import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/formats.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import type { TableLocation } from './api.ts'
import { AsOfControl } from './as-of-control.tsx'
import css from './data.module.css'
import { isFastOrder } from './data-words.ts'
import { ExportButton } from './export-button.tsx'
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

type OpenPart =
  | { readonly kind: 'column'; readonly column: DataColumn }
  | { readonly kind: 'row'; readonly index: number }
  | { readonly kind: 'sql' }

export function TableRows({ location, table }: TableRowsProps) {
  const { view, change } = useTableView()
  const found = useTableRows(location)
  const layout = useGridLayout(location, table.Columns)
  const [open, setOpen] = useState<OpenPart | null>(null)
  const describe = (column: DataColumn) => setOpen({ kind: 'column', column })
  return (
    <>
      {table.History === null ? null : (
        <AsOfControl
          location={location}
          history={table.History}
          asOf={view.asOf}
          onChange={(asOf) => change({ asOf })}
        />
      )}
      <div className={css.tools}>
        <FilterBar table={table} filters={view.filters} onChange={(filters) => change({ filters })} />
        <div className={css.buttons}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconCode />}
            disabled={found.sql === undefined}
            onClick={() => setOpen({ kind: 'sql' })}
          >
            SQL
          </Button>
          <ExportButton location={location} view={view} />
          <ColumnsButton layout={layout} onDescribe={describe} />
        </div>
      </div>
      <FoundRowsArea table={table} view={view} found={found} onChange={change}>
        <DataGrid
          key={found.key}
          caption={`Rows of ${table.Name}`}
          layout={layout}
          rows={found.rows}
          base={found.base}
          hasMore={found.query.hasNextPage}
          view={view}
          onSort={(sort, isDescending) => change({ sort, isDescending })}
          onDescribe={describe}
          onOpenRow={(index) => setOpen({ kind: 'row', index })}
          onReach={(edge) => reach(found.query, edge)}
        />
        <RowsStatus found={found} />
      </FoundRowsArea>
      <OpenDialog
        open={open}
        location={location}
        table={table}
        view={view}
        found={found}
        onClose={() => setOpen(null)}
      />
    </>
  )
}

interface OpenDialogProps extends TableRowsProps {
  open: OpenPart | null
  view: TableView
  found: FoundRows
  onClose: () => void
}

function OpenDialog({ open, location, table, view, found: { rows, base, sql }, onClose }: OpenDialogProps) {
  switch (open?.kind) {
    case 'sql':
      return sql === undefined ? null : <LazySqlDialog sql={sql} onClose={onClose} />
    case 'column':
      return <LazyProfileDrawer location={location} view={view} column={open.column} onClose={onClose} />
    case 'row': {
      const row = rows[open.index - base]
      return row === undefined ? null : <LazyRowDrawer table={table} row={row} onClose={onClose} />
    }
    default:
      return null
  }
}

type FoundRows = ReturnType<typeof useTableRows>

function reach(query: FoundRows['query'], edge: 'start' | 'end'): void {
  if (query.isFetching || query.isError) return
  if (edge === 'end' && query.hasNextPage) void query.fetchNextPage()
  if (edge === 'start' && query.hasPreviousPage) void query.fetchPreviousPage()
}

interface FoundRowsAreaProps {
  table: DataTable
  view: TableView
  found: FoundRows
  onChange: (view: Partial<TableView>) => void
  /** Shown if there are rows. */
  children: ReactNode
}

function FoundRowsArea({ table, view, found, onChange, children }: FoundRowsAreaProps) {
  if (found.query.data === undefined)
    return (
      <PendingRows
        table={table}
        view={view}
        found={found}
        onReset={() => onChange({ filters: [], sort: null, isDescending: false })}
      />
    )
  if (found.rows.length > 0)
    return (
      <>
        {found.isCut ? (
          <div className={css.facts}>
            <Callout tone="info">
              {table.Kind === 'view' ? 'A view' : 'This table'} has no key, so only its first rows are shown. Filter it
              to see others.
            </Callout>
          </div>
        ) : null}
        {children}
      </>
    )
  return <NoRows hasFilters={view.filters.length > 0} onClear={() => onChange({ filters: [] })} />
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
function RowsStatus({ found: { query, rows, base, isCut, restart } }: { found: FoundRows }) {
  const { error, isFetching, hasNextPage } = query
  if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={restart} />
  const last = base + rows.length
  return (
    <output className={css.status}>
      {isFetching
        ? 'Reading more rows…'
        : hasNextPage
          ? `The first ${formatCount(last)} rows; scroll for more`
          : isCut
            ? `The first ${formatCount(last)} rows`
            : `All ${formatCount(last)} rows`}
    </output>
  )
}
