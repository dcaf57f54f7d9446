/**
 * Refuses a value beyond the last column that can be loaded before any field of its row is made, and drops the separators at the end
 * of a row, which stand for empty cells: a file of separators costs no more than reading its text.
 */
import { sheetColumnsMax } from '@tributary/contract/limits'
import { cellAddress } from './sheet.ts'
import { Unreadable } from './unreadable.ts'

export async function* withinColumns(pieces: AsyncIterable<string>, separator: string): AsyncIterable<string> {
  const limit = new ColumnLimit(separator)
  for await (const piece of pieces) {
    const kept = limit.keep(piece)
    if (kept !== '') yield kept
  }
}

class ColumnLimit {
  readonly #separator: string
  /** Several separators, the end of a line, quotation marks, or what stands between them. */
  readonly #tokens: RegExp
  #row = 1
  #column = 1
  /** Separators of which it is not known yet whether a value follows them in their row. */
  #pending = 0
  #isQuoted = false
  #endsInReturn = false

  constructor(separator: string) {
    this.#separator = separator
    this.#tokens = new RegExp(`[${separator}]+|\\r\\n|[\\r\\n]|"+|[^${separator}\\r\\n"]+`, 'gu')
  }

  keep(piece: string): string {
    let kept = ''
    for (const [token] of piece.matchAll(this.#tokens)) kept += this.#keepToken(token)
    return kept
  }

  #keepToken(token: string): string {
    const first = token.charAt(0)
    if (!this.#isQuoted && first === this.#separator) {
      this.#pending += token.length
      return ''
    }
    if (!this.#isQuoted && (first === '\r' || first === '\n')) return this.#endRow(token)
    this.#endsInReturn = false
    if (first === '"' && token.length % 2 === 1) this.#isQuoted = !this.#isQuoted
    return this.#advance() + token
  }

  #advance(): string {
    if (this.#pending === 0) return ''
    const separators = this.#separator.repeat(this.#pending)
    this.#column += this.#pending
    this.#pending = 0
    if (this.#column <= sheetColumnsMax) return separators
    const what = `CSV!${cellAddress(this.#row, this.#column)} holds a value, but at most ${sheetColumnsMax} columns can be loaded.`
    throw new Unreadable(`${what} Delete the columns that are not needed.`)
  }

  #endRow(token: string): string {
    this.#column = 1
    this.#pending = 0
    // A piece may end between the two characters that end a line.
    if (!(this.#endsInReturn && token === '\n')) this.#row += 1
    this.#endsInReturn = token === '\r'
    return token
  }
}
