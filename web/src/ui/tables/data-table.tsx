/** Renders a table from column definitions. On a phone each row becomes a block with its cells in the same order. */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatCount } from '../formats.ts'
import css from './data-table.module.css'
import { handleRowKeys } from './row-keyboard.ts'

export interface TableColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned with tabular figures. */
  readonly isNumber?: boolean
}

export type SortOrder = 'asc' | 'desc'

interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The order of the first column, if the user can reverse it. */
  sort?: { readonly order: SortOrder; readonly onToggle: () => void }
  /** Details below a row, over its full width; null renders nothing. */
  renderDetail?: (row: Row) => ReactNode
  /** Keyboard shortcuts for the focused row, by lowercase key. */
  rowShortcuts?: Readonly<Record<string, (row: Row) => void>>
}

export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  sort,
  renderDetail,
  rowShortcuts = {},
}: DataTableProps<Row>) {
  const shortcuts = Object.entries(rowShortcuts).map(
    ([key, act]) => [key, (index: number) => rows.slice(index, index + 1).forEach(act)] as const,
  )
  return (
    <div className={css.scroll} role="presentation" onKeyDown={handleRowKeys(Object.fromEntries(shortcuts))}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) =>
              index === 0 && sort !== undefined ? (
                <SortHeader key={column.title} title={column.title} {...sort} />
              ) : (
                <th key={column.title} scope="col" data-number={column.isNumber || undefined}>
                  {column.title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} detail={renderDetail?.(row) ?? null} />
          ))}
        </tbody>
      </table>
    </div>
  )
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

function Row<R>({ row, columns, detail }: { row: R; columns: readonly TableColumn<R>[]; detail: ReactNode }) {
  return (
    <>
      <tr>
        {columns.map((column, index) => (
          <Cell key={column.title} column={column} isHeader={index === 0}>
            {column.cell(row)}
          </Cell>
        ))}
      </tr>
      {detail === null ? null : (
        <tr className={css.detail}>
          <td colSpan={columns.length}>{detail}</td>
        </tr>
      )}
    </>
  )
}

function Cell<Row>({
  column,
  isHeader,
  children,
}: {
  column: TableColumn<Row>
  isHeader: boolean
  children: ReactNode
}) {
  if (isHeader) return <th scope="row">{children}</th>
  return (
    <td data-title={column.title} data-number={column.isNumber || undefined}>
      {children}
    </td>
  )
}

export function countColumn<Row>(title: string, count: (row: Row) => number): TableColumn<Row> {
  return { title, isNumber: true, cell: (row) => formatCount(count(row)) }
}
