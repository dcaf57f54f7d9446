/** What the sheet itself shows: its headings, the types of its columns, and the dimensions that have no column. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'
import { cellText, inferColumnType } from '@tributary/contract/sheet-preview'

export interface HeadedColumn {
  readonly heading: string
  /** Inferred from the previewed rows. */
  readonly type: ColumnType | 'empty'
}

/** How many rows are read before anything is loaded. */
export const previewedRows = 20

export function inferColumns(rows: readonly (readonly SheetCell[])[], headingRow: number): readonly HeadedColumn[] {
  const headings = (rows[headingRow] ?? []).map(cellText)
  const rowsBelow = rows.slice(headingRow + 1)
  return headings.map((heading, at) => ({
    heading,
    type: inferColumnType(rowsBelow.map((row) => row[at] ?? null)) ?? 'empty',
  }))
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
