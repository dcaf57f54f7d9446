/** What comes out of a file: its rows as JSON in chunks while it is read, and at the end what sheets there were. */
import type { SheetCell } from '@tributary/contract/cells'

export interface SheetChunk {
  readonly sheet: string
  /** From 1. Every chunk but the last of a sheet has `chunkRowsMax` rows, from row 1, and every row starts in column A. */
  readonly number: number
  /** `Cell[][]` as JSON. */
  readonly rows: string
}

export interface SheetSummary {
  readonly name: string
  /** The last row and column that hold anything, counted from row 1 and column A. */
  readonly rows: number
  readonly columns: number
  readonly firstRows: readonly (readonly SheetCell[])[]
  /** What people should know about how it was read. */
  readonly notice: string | null
  readonly isHidden: boolean
  /** A date of the file that can be read in two ways, where its column does not say which; null where nothing is to be asked. */
  readonly dateQuestion: string | null
}

/** How a cell is called: `C17`. Both count from 1. */
export function cellAddress(row: number, column: number): string {
  return `${columnName(column)}${row}`
}

/** `AA` for 27. */
export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  const letter = String.fromCodePoint(65 + ((column - 1) % 26))
  return rest === 0 ? letter : columnName(rest) + letter
}
