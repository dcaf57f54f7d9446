/** What portal and task pane read in the first rows of a sheet. Pure, and free of zod, because browsers import it. */
import type { SheetCell } from './cells.ts'
import { ColumnCells } from './column-kinds.ts'
import type { ColumnType } from './column-types.ts'
import { plainName, sliceHeadings } from './sheet-headings.ts'

export type RowDimension = (typeof sliceHeadings)[number]

/** The text that a cell shows, without surrounding blanks; empty for an empty cell. */
export function cellText(cell: SheetCell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell.normalize('NFC').trim()
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

/** The first row with the most filled cells, because titles above a table have fewer. Counts from 0. */
export function likelyHeadingRow(rows: readonly (readonly SheetCell[])[]): number {
  const filled = rows.map((row) => row.filter((cell) => cellText(cell) !== '').length)
  return Math.max(0, filled.indexOf(Math.max(...filled)))
}

/** Null for a column without a filled cell. */
export function inferColumnType(cells: readonly SheetCell[]): ColumnType | null {
  const column = new ColumnCells()
  for (const [row, cell] of cells.entries()) column.add(cell, row)
  return column.type
}

/** The dimensions of a version's rows for which the sheet has no column. */
export function missingDimensions(headings: readonly string[]): readonly RowDimension[] {
  const known = new Set(headings.map(plainName))
  return sliceHeadings.filter((dimension) => !known.has(plainName(dimension)))
}

/** The letters of a column, which counts from 1: 27 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  const letter = String.fromCodePoint(65 + ((column - 1) % 26))
  return rest === 0 ? letter : columnName(rest) + letter
}
