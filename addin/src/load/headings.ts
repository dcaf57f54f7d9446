/** What the sheet itself shows: its headings, the types of its columns, and the dimensions that have no column. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'

/** Every row of a version belongs to one of each. */
export const rowDimensions = ['Entity', 'Area', 'Subarea', 'Milestone'] as const
export type RowDimension = (typeof rowDimensions)[number]

export interface HeadedColumn {
  readonly heading: string
  /** Inferred from the previewed rows. */
  readonly type: ColumnType | 'empty'
}

/** How many rows are read before anything is loaded. */
export const previewedRows = 20

/** The first row with the most filled cells, because titles above a table have fewer. Counts from 0. */
export function findLikelyHeadingRow(rows: readonly (readonly SheetCell[])[]): number {
  const filled = rows.map((row) => row.filter((cell) => cellText(cell) !== '').length)
  return Math.max(0, filled.indexOf(Math.max(...filled)))
}

export function inferColumns(rows: readonly (readonly SheetCell[])[], headingRow: number): readonly HeadedColumn[] {
  const headings = (rows[headingRow] ?? []).map(cellText)
  const rowsBelow = rows.slice(headingRow + 1)
  return headings.map((heading, at) => ({ heading, type: inferType(rowsBelow.map((row) => row[at] ?? null)) }))
}

/** The dimensions that have no column. Helper tables have no dimensions. */
export function findMissingDimensions(columns: readonly HeadedColumn[]): readonly RowDimension[] {
  const headings = new Set(columns.map(({ heading }) => heading.toLowerCase()))
  return rowDimensions.filter((dimension) => !headings.has(dimension.toLowerCase()))
}

/** A message that says what to fix before anything can be sent, or null. */
export function findHeadingProblem(columns: readonly HeadedColumn[], rowsBelow: number): string | null {
  if (columns.every(({ heading }) => heading === ''))
    return 'That row is empty. Choose the row that holds the headings.'
  if (rowsBelow < 1) return 'There is nothing below the headings. Choose another row for them, or fill in the rows.'
  if (columns.length > sheetColumnsMax)
    return `These are ${columns.length.toLocaleString('en-GB')} columns, and a table takes ${sheetColumnsMax}. Select fewer columns and load the selection.`
  const tooLong = columns.find(({ heading }) => heading.length > nameMax)
  if (tooLong === undefined) return null
  return `The heading that begins with ‘${tooLong.heading.slice(0, 30)}’ is longer than ${nameMax} characters. Shorten it.`
}

export function cellText(cell: SheetCell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell.normalize('NFC').trim()
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

function inferType(cells: readonly SheetCell[]): HeadedColumn['type'] {
  const column = new ColumnCells()
  for (const [row, cell] of cells.entries()) column.add(cell, row)
  return column.type ?? 'empty'
}
