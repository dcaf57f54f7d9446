/** A sheet as the server read it, and the view of it with a given heading row. */
import { nameMax, sheetColumnsMax } from '@tributary/contract/limits'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'
import {
  cellText,
  columnName,
  inferColumnType,
  missingDimensions,
  type RowDimension,
} from '@tributary/contract/sheet-preview'
import { formatCount } from '../../ui/formats.ts'

export interface UploadedSheet {
  readonly Name: string
  readonly Rows: number
  readonly FirstRows: readonly (readonly SheetCell[])[]
  readonly Notice: string | null
  readonly DateQuestion: string | null
}

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
  return {
    headings,
    types: headings.map((_, at) => inferColumnType(rows.map((row) => row[at] ?? null))),
    rows,
    missing: missingDimensions(headings),
    problem:
      checkSheetName(sheet) ??
      checkHeadings(headings, headingRow) ??
      (sheet.Rows > headingRow ? null : noRowsProblem(headingRow)),
  }
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
    return `The sheet has ${formatCount(headings.length)} columns, and a table takes ${sheetColumnsMax}. Remove those that are not needed, and choose the file again.`
  const long = headings.findIndex((heading) => heading.length > nameMax)
  if (long === -1) return null
  return `The heading in ${columnName(long + 1)}${headingRow} is longer than ${nameMax} characters. Shorten it, and choose the file again.`
}
