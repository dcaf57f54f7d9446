/** A table from column definitions; on a phone each row becomes a block, in the same order. */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './data-table.module.css'
import { rowKeys } from './row-keyboard.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures stand under each other. */
  readonly isNumber?: boolean
}

export type SortOrder = 'asc' | 'desc'

interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** How the rows are sorted by what names them, where that can be turned round. */
  sort?: { readonly order: SortOrder; readonly onToggle: () => void }
  /** Below a row, over its whole width; null where there is nothing. */
  renderDetail?: (row: Row) => ReactNode
  /** What a letter does to the row that has the focus. */
  keys?: Readonly<Record<string, (row: Row) => void>>
}

export function DataTable<Row>({ caption, columns, rows, rowKey, sort, renderDetail, keys = {} }: DataTableProps<Row>) {
  const acts = Object.entries(keys).map(
    ([key, act]) => [key, (at: number) => rows.slice(at, at + 1).forEach(act)] as const,
  )
  return (
    <div className={css.scroll} role="presentation" onKeyDown={rowKeys(Object.fromEntries(acts))}>
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
        <Icon size={14} aria-hidden />
      </button>
    </th>
  )
}

function Row<R>({ row, columns, detail }: { row: R; columns: readonly Column<R>[]; detail: ReactNode }) {
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

function Cell<Row>({ column, isHeader, children }: { column: Column<Row>; isHeader: boolean; children: ReactNode }) {
  if (isHeader) return <th scope="row">{children}</th>
  return (
    <td data-title={column.title} data-number={column.isNumber || undefined}>
      {children}
    </td>
  )
}

const whole = new Intl.NumberFormat('en-GB')

export function count(value: number): string {
  return whole.format(value)
}
