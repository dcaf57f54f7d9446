/** Collects the cells of a file into chunks. Holds at most one chunk and the first rows in memory. */
import { chunkRowsMax, sheetColumnsMax } from '@tributary/contract/limits'
import type { SheetCell } from '@tributary/contract/cells'
import {
  chunkMaxChars,
  firstRowsMax,
  rowsMax,
  sheetNameMax,
  sheetsMax,
  storedMaxChars,
  textMax,
} from './sheet-limits.ts'
import { cellAddress, type SheetChunk, type SheetSummary } from './sheet.ts'
import { tooManyColumns, tooManySheets, UnreadableFile } from './unreadable-file.ts'

interface SheetInProgress {
  readonly name: string
  readonly firstRows: (readonly SheetCell[])[]
  /** Last row with a value. */
  rows: number
  columns: number
  row: SheetCell[]
  /** Rows of the current chunk as JSON. */
  chunkRows: string[]
  chunkChars: number
  encodedRows: number
}

export class SheetWriter {
  readonly summaries: SheetSummary[] = []
  readonly #ready: SheetChunk[] = []
  #current: SheetInProgress | undefined
  #storedChars = 0

  begin(name: string): void {
    requireText(name, 'The name of a sheet')
    if (name.length > sheetNameMax)
      throw new UnreadableFile(`The name of a sheet is longer than ${sheetNameMax} characters. Shorten it.`)
    if (this.summaries.some((one) => one.name === name))
      throw new UnreadableFile(`Two sheets are called '${name}'. Rename one of them.`)
    if (this.summaries.length >= sheetsMax) throw tooManySheets()
    this.#current = { name, firstRows: [], rows: 0, columns: 0, row: [], chunkRows: [], chunkChars: 0, encodedRows: 0 }
  }

  /** Cells must arrive row by row, from left to right; empty cells can be omitted. */
  add(row: number, column: number, cell: SheetCell): void {
    if (cell === null) return
    const sheet = this.#sheet()
    if (row !== sheet.rows) this.#goTo(row)
    if (column <= sheet.row.length)
      throw new UnreadableFile(`${this.#where(row, column)} appears twice or out of order. Save the file again.`)
    this.#requireFit(row, column, cell)
    while (sheet.row.length < column - 1) sheet.row.push(null)
    sheet.row.push(cell)
  }

  end(
    notices: readonly string[],
    { dateQuestion = null, isHidden = false }: Partial<Pick<SheetSummary, 'dateQuestion' | 'isHidden'>> = {},
  ): void {
    const sheet = this.#sheet()
    this.#encodeRow()
    this.#completeChunk()
    const { name, rows, columns, firstRows } = sheet
    this.summaries.push({
      name,
      rows,
      columns,
      firstRows,
      notice: notices.length === 0 ? null : notices.join(' '),
      isHidden,
      dateQuestion,
    })
    this.#current = undefined
  }

  /** Returns and removes the chunks that are ready. */
  take(): SheetChunk[] {
    return this.#ready.splice(0)
  }

  /** For messages: `Sheet1!C17`. */
  #where(row: number, column: number): string {
    return `${this.#sheet().name}!${cellAddress(row, column)}`
  }

  #sheet(): SheetInProgress {
    if (this.#current === undefined) throw new Error('A cell was added before its sheet.')
    return this.#current
  }

  #requireFit(row: number, column: number, cell: SheetCell): void {
    if (column > sheetColumnsMax) throw tooManyColumns(this.#where(row, column))
    if (typeof cell === 'string') requireText(cell, this.#where(row, column))
  }

  #goTo(row: number): void {
    const sheet = this.#sheet()
    if (row < sheet.rows)
      throw new UnreadableFile(`Row ${row} of sheet ${sheet.name} is out of order. Save the file again.`)
    if (row > rowsMax)
      throw new UnreadableFile(`Sheet ${sheet.name} has more than ${rowsMax.toLocaleString('en')} rows. Split it.`)
    this.#encodeRow()
    while (sheet.encodedRows < row - 1) this.#encode([])
    sheet.rows = row
  }

  /** Encodes the completed row. */
  #encodeRow(): void {
    const sheet = this.#sheet()
    if (sheet.row.length === 0) return
    this.#encode(sheet.row)
    sheet.columns = Math.max(sheet.columns, sheet.row.length)
    sheet.row = []
  }

  #encode(row: readonly SheetCell[]): void {
    const sheet = this.#sheet()
    const text = JSON.stringify(row)
    sheet.chunkRows.push(text)
    sheet.encodedRows += 1
    sheet.chunkChars += text.length
    this.#storedChars += text.length
    if (sheet.chunkChars > chunkMaxChars || this.#storedChars > storedMaxChars)
      throw new UnreadableFile('The sheets contain too much data for one load. Split the file into several files.')
    if (sheet.encodedRows <= firstRowsMax) sheet.firstRows.push(row)
    if (sheet.chunkRows.length === chunkRowsMax) this.#completeChunk()
  }

  #completeChunk(): void {
    const sheet = this.#sheet()
    if (sheet.chunkRows.length === 0) return
    this.#ready.push({
      sheet: sheet.name,
      number: Math.ceil(sheet.encodedRows / chunkRowsMax),
      rows: `[${sheet.chunkRows.join(',')}]`,
    })
    sheet.chunkRows = []
    sheet.chunkChars = 0
  }
}

/** Refuses text that the store cannot hold instead of altering it: users must not load other text than they see. */
function requireText(text: string, where: string): void {
  if (text.length > textMax)
    throw new UnreadableFile(`${where} is longer than ${textMax.toLocaleString('en')} characters. Shorten it.`)
  if (text.includes('\0') || !text.isWellFormed())
    throw new UnreadableFile(
      `${where} contains a character that databases cannot store (NUL or half a character). Enter the text again.`,
    )
}
