/**
 * Refuses a value beyond the last loadable column before the fields of its row are allocated, and drops separators at
 * the end of a
 * row, which stand for empty cells. A file of nothing but separators costs no more than reading its text.
 */
import { sheetColumnsMax } from '@tributary/contract/limits'
import { cellAddress } from './sheet.ts'
import { tooManyColumns } from './unreadable-file.ts'

export async function* withinColumns(pieces: AsyncIterable<string>, separator: string): AsyncIterable<string> {
  const limit = new ColumnLimit(separator)
  for await (const piece of pieces) {
    const kept = limit.keep(piece)
    if (kept !== '') yield kept
  }
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d]

class ColumnLimit {
  readonly #separator: string
  readonly #separatorCode: number
  #row = 1
  #column = 1
  /** Separators that may be followed by a value in their row, and how many of them are in earlier pieces. */
  #pending = 0
  #carried = 0
  #isQuoted = false
  #endsInReturn = false
  /** For the current piece: text kept so far, its end, and the start of the pending separators. */
  #kept = ''
  #from = 0
  #runStart = 0

  constructor(separator: string) {
    this.#separator = separator
    this.#separatorCode = separator.charCodeAt(0)
  }

  keep(piece: string): string {
    this.#kept = ''
    this.#from = 0
    this.#runStart = 0
    this.#carried = this.#pending
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === this.#separatorCode && !this.#isQuoted) {
        if (this.#pending === 0) this.#runStart = at
        this.#pending += 1
      } else this.#passOther(piece, at, code)
    }
    return this.#kept + piece.slice(this.#from, this.#pending > 0 ? this.#runStart : piece.length)
  }

  #passOther(piece: string, at: number, code: number): void {
    const isEnd = !this.#isQuoted && (code === lineFeed || code === carriageReturn)
    if (this.#pending > 0) {
      if (isEnd) this.#drop(piece, at)
      else this.#advance()
      this.#pending = 0
      this.#carried = 0
    }
    if (isEnd) this.#endRow(code)
    else if (code === quote) this.#isQuoted = !this.#isQuoted
    this.#endsInReturn = code === carriageReturn
  }

  #drop(piece: string, at: number): void {
    this.#kept += piece.slice(this.#from, this.#runStart)
    this.#from = at
  }

  #advance(): void {
    this.#column += this.#pending
    if (this.#column > sheetColumnsMax) throw tooManyColumns(`CSV!${cellAddress(this.#row, this.#column)}`)
    // Separators of the current piece are kept with its text.
    if (this.#carried > 0) this.#kept += this.#separator.repeat(this.#carried)
  }

  #endRow(code: number): void {
    this.#column = 1
    // A piece may end between CR and LF.
    if (!(this.#endsInReturn && code === lineFeed)) this.#row += 1
  }
}
