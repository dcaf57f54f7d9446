/** The list that areas, subareas, versions, helper tables and entities share: search, sort, pages, and what may be done with each. */
import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMay } from '../../api/session/workspace.ts'
import { type Column, count, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { laterDialog } from '../../ui/later.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { SearchBox, useClearSearch } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { statusLook } from '../../domain/records/record-status.ts'
import css from './planning-structure.module.css'
import type { AnyRecord, ListedKind } from './record-kind.ts'
import type { OpenedRecord } from './record-dialog.tsx'
import { useExport } from './use-export-records.ts'
import { useRecords } from './use-records.ts'

const RecordDialog = laterDialog(async () => (await import('./record-dialog.tsx')).RecordDialog)

interface RecordPageProps<Row extends AnyRecord> {
  kind: ListedKind<Row>
  title: string
  /** Between name and status. */
  columns?: readonly Column<Row>[]
  /** Beside the name. */
  renderBeside?: (row: Row) => ReactNode
  /** Before Edit and Delete. */
  renderActions?: (row: Row) => ReactNode
  renderDetail?: (row: Row) => ReactNode
  /** One name at a time instead of a box for many. */
  addsOne?: boolean
  onAdded?: (rows: readonly Row[]) => void
}

export function RecordPage<Row extends AnyRecord>(props: RecordPageProps<Row>) {
  const [opened, setOpened] = useState<OpenedRecord<Row> | null>(null)
  return (
    <Page title={props.title}>
      {/* Who goes on typing while a dialog comes opens no other. */}
      <Records {...props} onOpen={(next) => setOpened((was) => was ?? next)} />
      {opened === null ? null : <RecordDialog {...props} opened={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

interface RecordsProps<Row extends AnyRecord> extends RecordPageProps<Row> {
  onOpen: (opened: OpenedRecord<Row>) => void
}

function Records<Row extends AnyRecord>(props: RecordsProps<Row>) {
  const { kind, onOpen } = props
  const mayEdit = useMay()('editStructure')
  const records = useRecords(kind)
  const exporting = useExport(kind, records.ask)
  const { data, error } = records
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen({ what: 'add' })}>
      {kind.adding}
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
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export CSV
        </Button>
      </div>
      <ErrorBanner message={exporting.error === null ? null : messageOf(exporting.error)} onDismiss={exporting.reset} />
      {data === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void records.refetch()} />
      ) : null}
      {data === undefined && error === null ? <SkeletonLines count={8} height={44} /> : null}
      {data?.total === 0 ? <Nothing kind={kind} term={data.search} mayEdit={mayEdit} /> : null}
      {data === undefined || data.total === 0 ? null : <RecordTable {...props} {...records} {...data} />}
    </>
  )
}

interface NothingProps {
  kind: { readonly many: string; readonly adding: string }
  term: string | undefined
  mayEdit: boolean
}

function Nothing({ kind, term, mayEdit }: NothingProps) {
  const clear = useClearSearch()
  if (term === undefined) {
    return (
      <EmptyState kind="first" title={`There are no ${kind.many} yet.`}>
        {mayEdit ? `Press '${kind.adding}' to begin.` : 'An administrator of your organisation can add some.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      kind="noMatch"
      title={`None of the ${kind.many} matches '${term}'.`}
      action={
        <Button variant="default" onClick={clear}>
          Clear search
        </Button>
      }
    />
  )
}

type Loaded = Pick<ReturnType<typeof useRecords>, 'page' | 'pages' | 'goTo' | 'sort' | 'toggleSort'>
interface RecordTableProps<Row extends AnyRecord> extends RecordsProps<Row>, Loaded {
  rows: readonly Row[]
  total: number
  search?: string | undefined
}

function RecordTable<Row extends AnyRecord>(props: RecordTableProps<Row>) {
  const { kind, title, rows, total, search, page, pages, goTo, sort, toggleSort, renderDetail, onOpen } = props
  const columns = useColumns(props)
  const mayEdit = useMay()('editStructure')
  const keys = { e: (row: Row) => onOpen({ what: 'edit', row }), n: () => onOpen({ what: 'add' }) }
  return (
    <>
      <output className={css.count}>{countWords(total, kind, search !== undefined)}</output>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ Id }) => Id}
        sort={{ order: sort, onToggle: toggleSort }}
        {...(renderDetail && { renderDetail })}
        {...(mayEdit && { keys })}
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

function useColumns<Row extends AnyRecord>({
  kind,
  columns = [],
  renderBeside,
  renderActions,
  onOpen,
}: RecordsProps<Row>): readonly Column<Row>[] {
  const may = useMay()
  const shown: readonly Column<Row>[] = [
    {
      title: 'Name',
      cell: (row) => (
        <span className={css.name}>
          <span id={nameId(row)}>{row.Name}</span>
          {renderBeside?.(row)}
        </span>
      ),
    },
    ...columns,
    { title: 'Status', cell: ({ Status }) => <StatusBadge {...statusLook(Status.Name)} /> },
  ]
  if (!may('editStructure')) return shown
  const manage = (row: Row) => (
    <span className={css.manage}>
      {renderActions?.(row)}
      <RowButtons
        describedBy={nameId(row)}
        onEdit={() => onOpen({ what: 'edit', row })}
        onDelete={may(kind.deletion) ? () => onOpen({ what: 'delete', row }) : null}
      />
    </span>
  )
  return [...shown, { title: 'Manage', cell: manage }]
}

export function nameId({ Id }: AnyRecord): string {
  return `name-${Id}`
}

interface RowButtonsProps {
  describedBy: string
  onEdit: () => void
  /** Null for who may not. */
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

function countWords(
  total: number,
  { one, many }: { readonly one: string; readonly many: string },
  isSearch: boolean,
): string {
  const words = total === 1 ? `1 ${one}` : `${count(total)} ${many}`
  if (!isSearch) return words
  return total === 1 ? `${words} matches` : `${words} match`
}
