/** Page shared by areas, subareas, versions, helper tables and entities: search, sorting, pages and actions. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/session/workspace.ts'
import { type Subrow, type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
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
import { MissingHere } from '../../domain/structure-map/gap-list.tsx'
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
  subrows?: (row: Row) => readonly Subrow[]
  renderDetail?: (row: Row) => ReactNode
  /** Adds one record per dialog instead of several lines. */
  addsOne?: boolean
  onAdded?: (rows: readonly Row[]) => void
}

export function RecordPage<Row extends PlanningRecord>(props: RecordPageProps<Row>) {
  const [opened, setOpened] = useState<OpenRecordDialog<Row> | null>(null)
  return (
    <Page kind="list" title={props.title}>
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
      </div>
      <MutationError of={exporting} />
      <QueryResult query={records.result} loading={<SkeletonLines count={8} height={44} />}>
        {(found) =>
          found.total === 0 ? (
            <NoRecords kind={kind} term={found.search} mayEdit={mayEdit} />
          ) : (
            <>
              <RecordTable {...props} {...records} {...found} exporting={exporting} />
              <MissingHere kinds={kind.gaps} />
            </>
          )
        }
      </QueryResult>
    </>
  )
}

interface NoRecordsProps {
  kind: Pick<ListedRecordKind<PlanningRecord>, 'many' | 'addLabel' | 'about'>
  term: string | undefined
  mayEdit: boolean
}

function NoRecords({ kind, term, mayEdit }: NoRecordsProps) {
  if (term !== undefined) return <NoSearchMatch title={`None of the ${kind.many} matches '${term}'.`} />
  return (
    <EmptyState kind="first" title={`There are no ${kind.many} yet.`}>
      {kind.about}{' '}
      {mayEdit ? `Press '${kind.addLabel}' to begin.` : 'An administrator of your organisation can add some.'}
    </EmptyState>
  )
}

type RecordListState = Pick<ReturnType<typeof useRecords>, 'page' | 'pages' | 'goTo' | 'sort' | 'toggleSort'>
interface RecordTableProps<Row extends PlanningRecord> extends RecordsListProps<Row>, RecordListState {
  rows: readonly Row[]
  total: number
  search?: string | undefined
  exporting: ReturnType<typeof useExportRecords>
}

function RecordTable<Row extends PlanningRecord>(props: RecordTableProps<Row>) {
  const { kind, title, rows, total, search, page, pages, goTo, sort, toggleSort, subrows, renderDetail } = props
  const { onOpen, exporting } = props
  const columns = useRecordColumns(props)
  const mayEdit = useMay()('editStructure')
  const keys = { e: (row: Row) => onOpen({ what: 'edit', row }), n: () => onOpen({ what: 'add' }) }
  return (
    <>
      <DataTable
        caption={title}
        name={kind.key}
        summary={formatRecordCount(total, kind, search !== undefined)}
        exporting={{ start: exporting.mutate, isPending: exporting.isPending }}
        columns={columns}
        rows={rows}
        rowKey={({ Id }) => Id}
        sort={{ order: sort, onToggle: toggleSort }}
        {...(subrows && { subrows })}
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
    <EditingActions
      describedBy={recordNameId(row)}
      onEdit={() => onOpen({ what: 'edit', row })}
      onDelete={may(kind.deleteCapability) ? () => onOpen({ what: 'delete', row }) : null}
    >
      {renderActions?.(row)}
    </EditingActions>
  )
  return [...shown, { title: 'Manage', isActions: true, cell: manage }]
}

export function recordNameId({ Id }: PlanningRecord): string {
  return `name-${Id}`
}

interface EditingActionsProps {
  describedBy: string
  onEdit: () => void
  /** Null without the capability to delete. */
  onDelete: (() => void) | null
  /** Rendered before Edit. */
  children?: ReactNode
}

export function EditingActions({ describedBy, onEdit, onDelete, children }: EditingActionsProps) {
  return (
    <RowActions describedBy={describedBy}>
      {children}
      <RowButton describedBy={describedBy} onClick={onEdit}>
        Edit
      </RowButton>
      {onDelete === null ? null : (
        <RowButton describedBy={describedBy} isDanger onClick={onDelete}>
          Delete
        </RowButton>
      )}
    </RowActions>
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
