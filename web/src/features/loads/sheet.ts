/** A sheet as it was read: what its columns are called, what they hold, and what stands in the way. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { Cell } from '@tributary/contract/cells'

export interface Sheet {
  readonly Name: string
  readonly Rows: number
  readonly FirstRows: readonly (readonly Cell[])[]
  readonly Notice: string | null
  readonly DateQuestion: string | null
}

/** What every row of a version belongs to: told by a column of that name, else chosen for the whole sheet. */
const planes = ['Entity', 'Area', 'Subarea', 'Milestone'] as const
export type Plane = (typeof planes)[number]

export interface SheetView {
  /** From column A to the last one that has a heading. */
  readonly headings: readonly string[]
  /** By the rows in sight; null where those are empty. */
  readonly types: readonly (ColumnType | null)[]
  readonly rows: readonly (readonly Cell[])[]
  /** The planes that no column tells. */
  readonly missing: readonly Plane[]
  /** A sentence that says what to mend, or null. */
  readonly problem: string | null
}

/** `headingRow` counts from 1. */
export function viewOf(sheet: Sheet, headingRow: number): SheetView {
  const cells = (sheet.FirstRows[headingRow - 1] ?? []).map(textOf)
  const headings = cells.slice(0, cells.findLastIndex((text) => text !== '') + 1)
  const rows = sheet.FirstRows.slice(headingRow).map((row) => headings.map((_, at) => row[at] ?? null))
  const known = new Set(headings.map(folded))
  return {
    headings,
    types: headings.map((_, at) => typeOf(rows.map((row) => row[at] ?? null))),
    rows,
    missing: planes.filter((plane) => !known.has(folded(plane))),
    problem:
      problemOfName(sheet) ?? problemOf(headings, headingRow) ?? (sheet.Rows > headingRow ? null : noRows(headingRow)),
  }
}

/** The first row that is as full as any: titles above a table are shorter. */
export function likelyHeadingRow({ FirstRows }: Sheet): number {
  const filled = FirstRows.map((row) => row.filter((cell) => textOf(cell) !== '').length)
  return Math.max(0, filled.indexOf(Math.max(...filled))) + 1
}

export function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell.normalize('NFC').trim()
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

function typeOf(cells: readonly Cell[]): ColumnType | null {
  const column = new ColumnCells()
  for (const [row, cell] of cells.entries()) column.add(cell, row)
  return column.type
}

/** Other programs than Excel write longer names than a receipt keeps. */
const sheetNameMax = 100

function problemOfName({ Name }: Sheet): string | null {
  if (Name.length <= sheetNameMax) return null
  return `The name of the sheet is longer than ${sheetNameMax} characters. Shorten it, and choose the file again.`
}

function noRows(headingRow: number): string {
  return `There is nothing below row ${headingRow}. Choose the row of the headings, or a sheet that holds rows.`
}

/** Only what cannot even be asked about: whether the headings fit the table is told by the check, cell by cell. */
function problemOf(headings: readonly string[], headingRow: number): string | null {
  if (headings.length === 0) return `Row ${headingRow} is empty. Choose the row that holds the headings.`
  if (headings.length > sheetColumnsMax)
    return `The sheet has ${headings.length.toLocaleString('en-GB')} columns, and a table takes ${sheetColumnsMax}. Remove those that are not needed, and choose the file again.`
  const long = headings.findIndex((heading) => heading.length > nameMax)
  if (long === -1) return null
  return `The heading in ${columnLetters(long + 1)}${headingRow} is longer than ${nameMax} characters. Shorten it, and choose the file again.`
}

/** 1 is A, 27 is AA. */
function columnLetters(column: number): string {
  const before = Math.floor((column - 1) / 26)
  return `${before === 0 ? '' : columnLetters(before)}${String.fromCodePoint(65 + ((column - 1) % 26))}`
}
