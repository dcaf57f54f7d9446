/** Takes the cells of a file one by one and packs them into chunks, keeping no more than one chunk and the first rows. */
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
import { Unreadable } from './unreadable-file.ts'

interface Current {
  readonly name: string
  readonly firstRows: (readonly SheetCell[])[]
  /** The last one that holds anything. */
  rows: number
  columns: number
  row: SheetCell[]
  /** The rows of the chunk so far, as JSON. */
  packed: string[]
  packedChars: number
  packedRows: number
}

export class SheetWriter {
  readonly summaries: SheetSummary[] = []
  readonly #ready: SheetChunk[] = []
  #current: Current | undefined
  #storedChars = 0

  begin(name: string): void {
    requireText(name, 'The name of a sheet')
    if (name.length > sheetNameMax)
      throw new Unreadable(`The name of a sheet is longer than ${sheetNameMax} characters. Shorten it.`)
    if (this.summaries.some((one) => one.name === name))
      throw new Unreadable(`Two sheets are called '${name}'. Rename one of them.`)
    if (this.summaries.length >= sheetsMax)
      throw new Unreadable(
        `The workbook has more than ${sheetsMax} sheets. Copy those that you want to load into a new one.`,
      )
    this.#current = { name, firstRows: [], rows: 0, columns: 0, row: [], packed: [], packedChars: 0, packedRows: 0 }
  }

  /** Cells come row by row and from left to right; empty ones need not come. */
  add(row: number, column: number, cell: SheetCell): void {
    if (cell === null) return
    const sheet = this.#sheet()
    if (row !== sheet.rows) this.#goTo(row)
    if (column <= sheet.row.length)
      throw new Unreadable(`${this.#where(row, column)} comes twice or out of order. Save the file anew.`)
    this.#requireFit(row, column, cell)
    while (sheet.row.length < column - 1) sheet.row.push(null)
    sheet.row.push(cell)
  }

  end(
    notices: readonly string[],
    { dateQuestion = null, isHidden = false }: Partial<Pick<SheetSummary, 'dateQuestion' | 'isHidden'>> = {},
  ): void {
    const sheet = this.#sheet()
    this.#packRow()
    this.#packChunk()
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

  /** The chunks that are full since it was last asked. */
  take(): SheetChunk[] {
    return this.#ready.splice(0)
  }

  /** For messages: `Sheet1!C17`. */
  #where(row: number, column: number): string {
    return `${this.#sheet().name}!${cellAddress(row, column)}`
  }

  #sheet(): Current {
    if (this.#current === undefined) throw new Error('A cell came before its sheet began.')
    return this.#current
  }

  #requireFit(row: number, column: number, cell: SheetCell): void {
    if (column > sheetColumnsMax) {
      const what = `${this.#where(row, column)} holds a value, but at most ${sheetColumnsMax} columns can be loaded.`
      throw new Unreadable(`${what} Delete the columns that are not needed.`)
    }
    if (typeof cell === 'string') requireText(cell, this.#where(row, column))
  }

  #goTo(row: number): void {
    const sheet = this.#sheet()
    if (row < sheet.rows)
      throw new Unreadable(`Row ${row} of sheet ${sheet.name} comes out of order. Save the file anew.`)
    if (row > rowsMax)
      throw new Unreadable(`Sheet ${sheet.name} has more than ${rowsMax.toLocaleString('en')} rows. Split it.`)
    this.#packRow()
    while (sheet.packedRows < row - 1) this.#pack([])
    sheet.rows = row
  }

  /** The row that has come to its end. */
  #packRow(): void {
    const sheet = this.#sheet()
    if (sheet.row.length === 0) return
    this.#pack(sheet.row)
    sheet.columns = Math.max(sheet.columns, sheet.row.length)
    sheet.row = []
  }

  #pack(row: readonly SheetCell[]): void {
    const sheet = this.#sheet()
    const text = JSON.stringify(row)
    sheet.packed.push(text)
    sheet.packedRows += 1
    sheet.packedChars += text.length
    this.#storedChars += text.length
    if (sheet.packedChars > chunkMaxChars || this.#storedChars > storedMaxChars)
      throw new Unreadable('The sheets hold too much to load at once. Split the file into several.')
    if (sheet.packedRows <= firstRowsMax) sheet.firstRows.push(row)
    if (sheet.packed.length === chunkRowsMax) this.#packChunk()
  }

  #packChunk(): void {
    const sheet = this.#sheet()
    if (sheet.packed.length === 0) return
    this.#ready.push({
      sheet: sheet.name,
      number: Math.ceil(sheet.packedRows / chunkRowsMax),
      rows: `[${sheet.packed.join(',')}]`,
    })
    sheet.packed = []
    sheet.packedChars = 0
  }
}

/** What the store cannot hold is told, not mended: nobody should load other letters than they see. */
function requireText(text: string, where: string): void {
  if (text.length > textMax)
    throw new Unreadable(`${where} is longer than ${textMax.toLocaleString('en')} characters. Shorten it.`)
  if (text.includes('\0') || !text.isWellFormed())
    throw new Unreadable(
      `${where} holds a character that no database stores (NUL or half a character). Type the text anew.`,
    )
}
