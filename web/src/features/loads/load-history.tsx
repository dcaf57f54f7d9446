/** Receipts of all tables or of one, newest first. */
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useUrlParams, useUpdateUrlParams, useUrlPage } from '../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type TableColumn, DataTable, countColumn } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { type LoadHistoryQuery, historyPageSize, loadHistory, loadTables, useCancelLoad } from './api.ts'
import css from './loads.module.css'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { loadStatusBadges } from './load-wording.ts'
import { formatCount } from '../../ui/formats.ts'

const historyColumns: readonly TableColumn<Load>[] = [
  { title: 'Into', cell: ({ Id, RecordName }) => <Link to={paths.load(Id)}>{RecordName}</Link> },
  { title: 'Status', cell: (load) => <LoadStatus load={load} /> },
  countColumn('Rows', ({ Rows }) => Rows),
  {
    title: 'Sheet',
    cell: ({ Sheet, Workbook, Undoes }) => `${Undoes === null ? '' : 'Undoes '}${Sheet} of ${Workbook}`,
  },
  { title: 'By', cell: ({ By }) => By },
  { title: 'When', cell: ({ CommittedAtUtc, BeganAtUtc }) => <RelativeTime at={CommittedAtUtc ?? BeganAtUtc} /> },
]

export function LoadHistory() {
  const orgId = useOrganisationId()
  const tables = useQuery(loadTables(orgId)).data ?? []
  const { tableId, page, goTo, choose } = useHistoryParams()
  const search = useSearchTerm()
  const query = { ...tableFilter(tables, tableId), ...(search !== '' && { search }), page }
  const history = useQuery(loadHistory(orgId, query))
  const pages = usePageCount(history, { page, pageSize: historyPageSize, goTo })
  const filters = (
    <div className={css.actions}>
      <SearchBox label="Search loads" />
      <NativeSelect
        aria-label="Loads into"
        value={tableId}
        data={[{ value: '', label: 'All tables' }, ...tables.map(({ Id, Name }) => ({ value: Id, label: Name }))]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </div>
  )
  return (
    <Panel title="Loads" aside={filters}>
      <QueryResult query={history}>
        {(found) => (
          <HistoryTable {...found} isAll={tableId === '' && search === ''} {...{ page, pages }} onPage={goTo} />
        )}
      </QueryResult>
    </Panel>
  )
}

interface HistoryTableProps {
  rows: readonly Load[]
  total: number
  isAll: boolean
  page: number
  pages: number
  onPage: (page: number) => void
}

function HistoryTable({ rows, total, isAll, page, pages, onPage }: HistoryTableProps) {
  if (total === 0)
    return (
      <EmptyState
        kind={isAll ? 'first' : 'noMatch'}
        title={isAll ? 'Nothing has been loaded yet.' : 'No load matches.'}
      >
        Every load has a receipt here that lists what it changed. You can undo it there.
      </EmptyState>
    )
  return (
    <>
      <DataTable
        caption="Loads"
        name="loads"
        summary={`${formatCount(total)} ${total === 1 ? 'load' : 'loads'}`}
        columns={historyColumns}
        rows={rows}
        rowKey={({ Id }) => Id}
      />
      <Pager label="Pages of loads" page={page} pages={pages} onPage={onPage} words={['Newer', 'Older']} />
    </>
  )
}

/** Status of a load. An unfinished load, which only its author sees, can be discarded. */
function LoadStatus({ load: { Id, Status: status, Sheet, Workbook } }: { load: Load }) {
  const name = `${Sheet} of ${Workbook}`
  const cancel = useCancelLoad(Id, () => announceToScreenReader(`${name} is discarded. Nothing was loaded.`))
  const badge = <StatusBadge {...loadStatusBadges[status]} />
  if (status !== 'RECEIVING') return badge
  return (
    <div className={css.actions}>
      {badge}
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Discard ${name}`}
        loading={cancel.isPending}
        onClick={() => cancel.mutate('good')}
      >
        Discard
      </Button>
      {cancel.error === null ? null : <span role="alert">{messageOf(cancel.error)}</span>}
    </div>
  )
}

function tableFilter(tables: readonly LoadTargetTable[], tableId: string): Omit<LoadHistoryQuery, 'page'> {
  const table = tables.find(({ Id }) => Id === tableId)
  if (table === undefined) return {}
  return table.Kind === 'version' ? { versionId: table.Id } : { helperTableId: table.Id }
}

function useHistoryParams() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  return {
    tableId: params.get('table') ?? '',
    ...useUrlPage({ replace: true }),
    choose: (tableId: string) =>
      changeAddress({ page: null, table: tableId === '' ? null : tableId }, { replace: true }),
  }
}
