/** What a sheet tells about itself: its headings, what its columns hold, and what has to be chosen because no column says it. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { Cell } from '@tributary/contract/cells'

type Kind = ColumnType | 'empty'

/** What every row of a version belongs to. */
export const planes = ['Entity', 'Area', 'Subarea', 'Milestone'] as const
export type Plane = (typeof planes)[number]

export interface Column {
  readonly heading: string
  /** By the rows in sight. */
  readonly kind: Kind
}

/** How many rows are looked at before anything is loaded. */
export const rowsInSight = 20

/** The first row that is as full as any: titles above a table are shorter. Counts from 0. */
export function likelyHeadingRow(rows: readonly (readonly Cell[])[]): number {
  const filled = rows.map((row) => row.filter((cell) => textOf(cell) !== '').length)
  return Math.max(0, filled.indexOf(Math.max(...filled)))
}

export function columnsOf(rows: readonly (readonly Cell[])[], headingRow: number): readonly Column[] {
  const headings = (rows[headingRow] ?? []).map(textOf)
  const below = rows.slice(headingRow + 1)
  return headings.map((heading, at) => ({ heading, kind: kindOf(below.map((row) => row[at] ?? null)) }))
}

/** The planes that no column tells; a helper table has none. */
export function missingPlanes(columns: readonly Column[]): readonly Plane[] {
  const known = new Set(columns.map(({ heading }) => heading.toLowerCase()))
  return planes.filter((plane) => !known.has(plane.toLowerCase()))
}

/** A sentence that says what to mend before anything can be sent, or null. */
export function problemOf(columns: readonly Column[], rowsBelow: number): string | null {
  if (columns.every(({ heading }) => heading === ''))
    return 'That row is empty. Choose the row that holds the headings.'
  if (rowsBelow < 1) return 'There is nothing below the headings. Choose another row for them, or fill in the rows.'
  if (columns.length > sheetColumnsMax)
    return `These are ${columns.length.toLocaleString('en-GB')} columns, and a table takes ${sheetColumnsMax}. Select fewer columns and load the selection.`
  const long = columns.find(({ heading }) => heading.length > nameMax)
  if (long === undefined) return null
  return `The heading that begins with ‘${long.heading.slice(0, 30)}’ is longer than ${nameMax} characters. Shorten it.`
}

export function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell.normalize('NFC').trim()
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

function kindOf(cells: readonly Cell[]): Kind {
  const column = new ColumnCells()
  for (const [row, cell] of cells.entries()) column.add(cell, row)
  return column.type ?? 'empty'
}
