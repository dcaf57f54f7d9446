/** Page shared by areas, subareas, versions, helper tables and entities: search, sorting, pages and actions. */
import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { SearchBox, NoSearchMatch } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import css from './planning-structure.module.css'
import type { PlanningRecord, ListedRecordKind } from './record-kind.ts'
import type { OpenRecordDialog } from './record-dialog.tsx'
import { useExportRecords } from './use-export-records.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { useRecords } from './use-records.ts'
import { formatCount } from '../../ui/formats.ts'

const LazyRecordDialog = lazyDialog(() => import('./record-dialog.tsx'), 'RecordDialog')

interface RecordPageProps<Row extends PlanningRecord> {
  kind: ListedRecordKind<Row>
  title: string
  /** Columns between name and status. */
  columns?: readonly TableColumn<Row>[]
  /** Rendered after the name. */
  renderAfterName?: (row: Row) => ReactNode
  /** Rendered before Edit and Delete. */
  renderActions?: (row: Row) => ReactNode
  renderDetail?: (row: Row) => ReactNode
  /** Adds one record per dialog instead of several lines. */
  addsOne?: boolean
  onAdded?: (rows: readonly Row[]) => void
}

export function RecordPage<Row extends PlanningRecord>(props: RecordPageProps<Row>) {
  const [opened, setOpened] = useState<OpenRecordDialog<Row> | null>(null)
  return (
    <Page title={props.title}>
      {/* Ignores further keys while a dialog is loading, so that only one opens. */}
      <RecordsList {...props} onOpen={(next) => setOpened((was) => was ?? next)} />
      {opened === null ? null : <LazyRecordDialog {...props} opened={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

interface RecordsListProps<Row extends PlanningRecord> extends RecordPageProps<Row> {
  onOpen: (opened: OpenRecordDialog<Row>) => void
}

function RecordsList<Row extends PlanningRecord>(props: RecordsListProps<Row>) {
  const { kind, onOpen } = props
  const mayEdit = useMay()('editStructure')
  const records = useRecords(kind)
  const exporting = useExportRecords(kind, records.query)
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => onOpen({ what: 'add' })}>
      {kind.addLabel}
    </Button>
  )
  return (
    <>
      <div className={css.toolbar}>
        {mayEdit ? add : null}
        <div className={css.search}>
          <SearchBox label={`Search ${kind.many}`} />
        </div>
        <Button
          variant="default"
          className={css.end}
          leftSection={<IconDownload />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export CSV
        </Button>
      </div>
      <MutationError of={exporting} />
      <QueryResult query={records.result} loading={<SkeletonLines count={8} height={44} />}>
        {(found) =>
          found.total === 0 ? (
            <NoRecords kind={kind} term={found.search} mayEdit={mayEdit} />
          ) : (
            <RecordTable {...props} {...records} {...found} />
          )
        }
      </QueryResult>
    </>
  )
}

interface NoRecordsProps {
  kind: Pick<ListedRecordKind<PlanningRecord>, 'many' | 'addLabel'>
  term: string | undefined
  mayEdit: boolean
}

function NoRecords({ kind, term, mayEdit }: NoRecordsProps) {
  if (term !== undefined) return <NoSearchMatch title={`None of the ${kind.many} matches '${term}'.`} />
  return (
    <EmptyState kind="first" title={`There are no ${kind.many} yet.`}>
      {mayEdit ? `Press '${kind.addLabel}' to begin.` : 'An administrator of your organisation can add some.'}
    </EmptyState>
  )
}

type RecordListState = Pick<ReturnType<typeof useRecords>, 'page' | 'pages' | 'goTo' | 'sort' | 'toggleSort'>
interface RecordTableProps<Row extends PlanningRecord> extends RecordsListProps<Row>, RecordListState {
  rows: readonly Row[]
  total: number
  search?: string | undefined
}

function RecordTable<Row extends PlanningRecord>(props: RecordTableProps<Row>) {
  const { kind, title, rows, total, search, page, pages, goTo, sort, toggleSort, renderDetail, onOpen } = props
  const columns = useRecordColumns(props)
  const mayEdit = useMay()('editStructure')
  const keys = { e: (row: Row) => onOpen({ what: 'edit', row }), n: () => onOpen({ what: 'add' }) }
  return (
    <>
      <output className={css.count}>{formatRecordCount(total, kind, search !== undefined)}</output>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ Id }) => Id}
        sort={{ order: sort, onToggle: toggleSort }}
        {...(renderDetail && { renderDetail })}
        {...(mayEdit && { rowShortcuts: keys })}
      />
      {mayEdit ? (
        <p className={css.keys}>
          In the table: <kbd>↑</kbd> <kbd>↓</kbd> go from row to row, <kbd>E</kbd> edits, <kbd>N</kbd> adds.
        </p>
      ) : null}
      <Pager label={`Pages of ${kind.many}`} page={page} pages={pages} onPage={goTo} />
    </>
  )
}

function useRecordColumns<Row extends PlanningRecord>({
  kind,
  columns = [],
  renderAfterName,
  renderActions,
  onOpen,
}: RecordsListProps<Row>): readonly TableColumn<Row>[] {
  const may = useMay()
  const shown: readonly TableColumn<Row>[] = [
    {
      title: 'Name',
      cell: (row) => (
        <span className={css.name}>
          <span id={recordNameId(row)}>{row.Name}</span>
          {renderAfterName?.(row)}
        </span>
      ),
    },
    ...columns,
    { title: 'Status', cell: ({ Status }) => <StatusBadge {...recordStatusBadge(Status.Name)} /> },
  ]
  if (!may('editStructure')) return shown
  const manage = (row: Row) => (
    <span className={css.manage}>
      {renderActions?.(row)}
      <RowButtons
        describedBy={recordNameId(row)}
        onEdit={() => onOpen({ what: 'edit', row })}
        onDelete={may(kind.deleteCapability) ? () => onOpen({ what: 'delete', row }) : null}
      />
    </span>
  )
  return [...shown, { title: 'Manage', cell: manage }]
}

export function recordNameId({ Id }: PlanningRecord): string {
  return `name-${Id}`
}

interface RowButtonsProps {
  describedBy: string
  onEdit: () => void
  /** Null without the capability to delete. */
  onDelete: (() => void) | null
}

export function RowButtons({ describedBy, onEdit, onDelete }: RowButtonsProps) {
  return (
    <>
      <Button variant="default" size="compact-sm" aria-describedby={describedBy} onClick={onEdit}>
        Edit
      </Button>
      {onDelete === null ? null : (
        <Button variant="subtle" color="red" size="compact-sm" aria-describedby={describedBy} onClick={onDelete}>
          Delete
        </Button>
      )}
    </>
  )
}

function formatRecordCount(
  total: number,
  { one, many }: Pick<ListedRecordKind<PlanningRecord>, 'one' | 'many'>,
  isSearch: boolean,
): string {
  const words = total === 1 ? `1 ${one}` : `${formatCount(total)} ${many}`
  if (!isSearch) return words
  return total === 1 ? `${words} matches` : `${words} match`
}
