/** The output of reading a file: chunks of rows as JSON, and at the end a summary of each sheet. */
import type { SheetCell } from '@tributary/contract/cells'
import { columnName } from '@tributary/contract/sheet-preview'

export interface SheetChunk {
  readonly sheet: string
  /**
   * From 1. All chunks but the last of a sheet have `chunkRowsMax` rows; the first starts at row 1, every row at
   * column A.
   */
  readonly number: number
  /** `Cell[][]` as JSON. */
  readonly rows: string
}

export interface SheetSummary {
  readonly name: string
  /** Last row and column with a value, counted from row 1 and column A. */
  readonly rows: number
  readonly columns: number
  readonly firstRows: readonly (readonly SheetCell[])[]
  /** Notice for the user about how the sheet was read. */
  readonly notice: string | null
  readonly isHidden: boolean
  /** An ambiguous date whose order the user must choose; otherwise null. */
  readonly dateQuestion: string | null
}

/** Address of a cell, such as `C17`. Row and column count from 1. */
export function cellAddress(row: number, column: number): string {
  return `${columnName(column)}${row}`
}
