/** A sheet as the server read it, and the view of it with a given heading row. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'

export interface UploadedSheet {
  readonly Name: string
  readonly Rows: number
  readonly FirstRows: readonly (readonly SheetCell[])[]
  readonly Notice: string | null
  readonly DateQuestion: string | null
}

/** Dimensions of a version's rows: from a column of that name, otherwise chosen for the whole sheet. */
const dimensions = ['Entity', 'Area', 'Subarea', 'Milestone'] as const
export type RowDimension = (typeof dimensions)[number]

export interface SheetView {
  /** From column A to the last column with a heading. */
  readonly headings: readonly string[]
  /** Types of the visible rows; null for an empty column. */
  readonly types: readonly (ColumnType | null)[]
  readonly rows: readonly (readonly SheetCell[])[]
  /** Dimensions without a column. */
  readonly missing: readonly RowDimension[]
  /** A sentence that says what to fix, or null. */
  readonly problem: string | null
}

/** `headingRow` counts from 1. */
export function viewSheet(sheet: UploadedSheet, headingRow: number): SheetView {
  const cells = (sheet.FirstRows[headingRow - 1] ?? []).map(cellText)
  const headings = cells.slice(0, cells.findLastIndex((text) => text !== '') + 1)
  const rows = sheet.FirstRows.slice(headingRow).map((row) => headings.map((_, at) => row[at] ?? null))
  const known = new Set(headings.map(foldCase))
  return {
    headings,
    types: headings.map((_, at) => columnType(rows.map((row) => row[at] ?? null))),
    rows,
    missing: dimensions.filter((dimension) => !known.has(foldCase(dimension))),
    problem:
      checkSheetName(sheet) ??
      checkHeadings(headings, headingRow) ??
      (sheet.Rows > headingRow ? null : noRowsProblem(headingRow)),
  }
}

/** Returns the first row with the most filled cells, from 1: titles above a table are shorter. */
export function likelyHeadingRow({ FirstRows }: UploadedSheet): number {
  const filled = FirstRows.map((row) => row.filter((cell) => cellText(cell) !== '').length)
  return Math.max(0, filled.indexOf(Math.max(...filled))) + 1
}

export function cellText(cell: SheetCell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell.normalize('NFC').trim()
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

function foldCase(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

function columnType(cells: readonly SheetCell[]): ColumnType | null {
  const column = new ColumnCells()
  for (const [row, cell] of cells.entries()) column.add(cell, row)
  return column.type
}

/** Longest sheet name that a receipt stores; programs other than Excel allow longer ones. */
const maxSheetNameLength = 100

function checkSheetName({ Name }: UploadedSheet): string | null {
  if (Name.length <= maxSheetNameLength) return null
  return `The name of the sheet is longer than ${maxSheetNameLength} characters. Shorten it, and choose the file again.`
}

function noRowsProblem(headingRow: number): string {
  return `There is nothing below row ${headingRow}. Choose the row of the headings, or a sheet that holds rows.`
}

/** Only problems that prevent a check. Whether the headings fit the table is part of the check itself. */
function checkHeadings(headings: readonly string[], headingRow: number): string | null {
  if (headings.length === 0) return `Row ${headingRow} is empty. Choose the row that holds the headings.`
  if (headings.length > sheetColumnsMax)
    return `The sheet has ${headings.length.toLocaleString('en-GB')} columns, and a table takes ${sheetColumnsMax}. Remove those that are not needed, and choose the file again.`
  const long = headings.findIndex((heading) => heading.length > nameMax)
  if (long === -1) return null
  return `The heading in ${formatColumnLetters(long + 1)}${headingRow} is longer than ${nameMax} characters. Shorten it, and choose the file again.`
}

/** Formats a column number, from 1: 1 is A, 27 is AA. */
function formatColumnLetters(column: number): string {
  const before = Math.floor((column - 1) / 26)
  return `${before === 0 ? '' : formatColumnLetters(before)}${String.fromCodePoint(65 + ((column - 1) % 26))}`
}
