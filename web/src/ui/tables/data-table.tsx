/**
 * The table of the portal, rendered from column definitions: a white card with a header that stays in sight, the actions of a row at
 * the end of its line, and a line above it with the number of rows, the export, the density and the columns. On a phone each row becomes
 * a block with its cells in the same order.
 */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import css from './data-table.module.css'
import { handleRowKeys } from './row-keyboard.ts'
import { type RowSelection, SelectAllCell, SelectRowCell } from './row-selection.tsx'
import { type TableExport, TableToolbar, TableViewButton } from './table-toolbar.tsx'
import { TableViewContext, useChosenColumns } from './table-view.ts'
import { useTableOverflow } from './use-table-overflow.ts'
import { formatCount } from '../formats.ts'

export interface TableColumn<Row> {
  readonly title: string
  /** For tables in which two columns may have the same title. */
  readonly id?: string
  /** Below the title. */
  readonly note?: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned with tabular figures. */
  readonly isNumber?: boolean
  /** The buttons of the row (`RowActions`): the last column, which cannot be hidden. */
  readonly isActions?: boolean
  /** Hidden until the person chooses it. Needs a table with a name. */
  readonly isHiddenByDefault?: boolean
}

export type SortOrder = 'asc' | 'desc'

/** A row below another one, with cells in the same columns. */
export interface Subrow {
  readonly key: string
  /** By the id, otherwise the title, of the column. */
  readonly cells: Readonly<Record<string, ReactNode>>
}

interface DataTableProps<Row> {
  caption: string
  /** The name by which the chosen columns are remembered; only for tables with a toolbar. */
  name?: string
  /** The first column names the row. */
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The order of the first column, if the user can reverse it. */
  sort?: { readonly order: SortOrder; readonly onToggle: () => void }
  subrows?: (row: Row) => readonly Subrow[]
  /** Below all rows. */
  totals?: readonly Subrow[]
  /** Emphasises a row. */
  isEmphasised?: (row: Row) => boolean
  /** Scrolls sideways on a phone instead of turning rows into blocks, because columns are compared. */
  keepsColumns?: boolean
  /** Details below a row, over its full width; null renders nothing. */
  renderDetail?: (row: Row) => ReactNode
  /** Keyboard shortcuts for the focused row, by lowercase key. */
  rowShortcuts?: Readonly<Record<string, (row: Row) => void>>
  /** Number of rows, such as '12 areas'. */
  summary?: string
  exporting?: TableExport
  /** Adds a checkbox to each row. Not for a table with subrows. */
  selection?: RowSelection<Row>
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, name, summary, exporting, selection } = props
  const chosen = useChosenColumns(name, props.columns)
  const frame = <TableFrame {...props} columns={chosen.visible} />
  if (name === undefined && exporting === undefined) return frame
  return (
    <div>
      <TableToolbar summary={summary} exporting={exporting} selection={selection?.bar}>
        <TableViewButton caption={caption} columns={chosen} />
      </TableToolbar>
      {frame}
    </div>
  )
}

function TableFrame<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, totals, rowShortcuts = {}, selection, keepsColumns = false } = props
  const { density } = use(TableViewContext)
  const { frame, table, isOverflowing } = useTableOverflow()
  const shortcuts = Object.entries(rowShortcuts).map(
    ([key, act]) => [key, (index: number) => rows.slice(index, index + 1).forEach(act)] as const,
  )
  return (
    <div
      ref={frame}
      className={css.frame}
      data-density={density}
      data-columns={keepsColumns || undefined}
      // Focusable, so that the keyboard can scroll it.
      {...(isOverflowing && { 'data-overflowing': true, tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <div role="presentation" onKeyDown={handleRowKeys(Object.fromEntries(shortcuts))}>
        <table ref={table} className={css.table}>
          <caption className="visually-hidden">{caption}</caption>
          <TableHead {...props} />
          <tbody>
            {rows.map((row, index) => (
              <Row key={rowKey(row)} table={props} columns={columns} row={row} index={index} selection={selection} />
            ))}
          </tbody>
          {totals === undefined ? null : (
            <tfoot>
              {totals.map((total) => (
                <Subrow key={total.key} columns={columns} row={total} />
              ))}
            </tfoot>
          )}
        </table>
      </div>
    </div>
  )
}

function TableHead<Row>({ columns, rows, rowKey, sort, selection }: DataTableProps<Row>) {
  return (
    <thead>
      <tr>
        {selection === undefined ? null : <SelectAllCell selection={selection} rows={rows} rowKey={rowKey} />}
        {columns.map((column, index) =>
          index === 0 && sort !== undefined ? (
            <SortHeader key={column.title} title={column.title} {...sort} />
          ) : (
            <th key={idOf(column)} scope="col" {...columnKind(column)}>
              {column.title}
              {column.note === undefined ? null : <span className={css.headNote}>{column.note}</span>}
            </th>
          ),
        )}
      </tr>
    </thead>
  )
}

function columnKind({ isNumber, isActions }: Pick<TableColumn<never>, 'isNumber' | 'isActions'>) {
  return { 'data-number': isNumber || undefined, 'data-actions': isActions || undefined }
}

function SortHeader({ title, order, onToggle }: { title: string; order: SortOrder; onToggle: () => void }) {
  const Icon = order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <th scope="col" aria-sort={order === 'asc' ? 'ascending' : 'descending'}>
      <button type="button" className={css.sort} onClick={onToggle}>
        {title}
        <Icon size={14} />
      </button>
    </th>
  )
}

interface RowProps<R> {
  table: Pick<DataTableProps<R>, 'rowKey' | 'rows' | 'subrows' | 'renderDetail' | 'isEmphasised'>
  columns: readonly TableColumn<R>[]
  row: R
  index: number
  selection: RowSelection<R> | undefined
}

function Row<R>({ table, columns, row, index, selection }: RowProps<R>) {
  const detail = table.renderDetail?.(row) ?? null
  return (
    <>
      <tr
        data-row={index}
        data-selected={selection?.selected.has(table.rowKey(row)) || undefined}
        data-emphasised={table.isEmphasised?.(row) || undefined}
      >
        {selection === undefined ? null : (
          <SelectRowCell selection={selection} rows={table.rows} rowKey={table.rowKey} row={row} />
        )}
        {columns.map((column, at) => (
          <Cell key={idOf(column)} column={column} isHeader={at === 0}>
            {column.cell(row)}
          </Cell>
        ))}
      </tr>
      {table.subrows?.(row).map((subrow) => (
        <Subrow key={subrow.key} columns={columns} row={subrow} className={css.subrow} />
      ))}
      {detail === null ? null : (
        <tr className={css.detail}>
          <td colSpan={columns.length + (selection === undefined ? 0 : 1)}>{detail}</td>
        </tr>
      )}
    </>
  )
}

interface SubrowProps {
  columns: readonly TableColumn<never>[]
  row: Subrow
  className?: string | undefined
}

function Subrow({ columns, row, className }: SubrowProps) {
  return (
    <tr className={className}>
      {columns.map((column, at) => (
        <Cell key={idOf(column)} column={column} isHeader={at === 0}>
          {row.cells[idOf(column)]}
        </Cell>
      ))}
    </tr>
  )
}

function idOf({ id, title }: Pick<TableColumn<never>, 'id' | 'title'>): string {
  return id ?? title
}

interface CellProps {
  column: Pick<TableColumn<never>, 'title' | 'isNumber' | 'isActions'>
  isHeader: boolean
  children: ReactNode
}

function Cell({ column, isHeader, children }: CellProps) {
  if (isHeader) return <th scope="row">{children}</th>
  return (
    <td data-title={column.title} {...columnKind(column)}>
      {children === undefined || children === null ? null : <div className={css.value}>{children}</div>}
    </td>
  )
}

export function countColumn<Row>(title: string, count: (row: Row) => number): TableColumn<Row> {
  return { title, isNumber: true, cell: (row) => formatCount(count(row)) }
}
