/** A table from column definitions; on a phone each row becomes a block, in the same order. */
import type { ReactNode } from 'react'
import css from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures stand under each other. */
  readonly isNumber?: boolean
}

interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" data-number={column.isNumber || undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} isHeader={index === 0}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
