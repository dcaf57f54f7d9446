/**
 * Turns the bytes of `COPY … (FORMAT binary)` into the elements of a JSON array, in the memory of the chunk, without an object for each row. The
 * first field of a row is its JSON, and the others are the values of its position.
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
import type { RowPosition } from './row-position.ts'

const headerBytes = 19
const countBytes = 2
const lengthBytes = 4
const endOfRows = -1
const nullField = -1
const [comma, newline] = [0x2c, 0x0a]

export class BinaryJsonRows {
  readonly #limit: number
  /** Bytes that are still to come of the header of the stream, or of a field. */
  #remaining = headerBytes
  /** What to do with them. */
  #use: 'skip' | 'json' | 'position' = 'skip'
  #fieldsLeft = 0
  #isFirstField = false
  /** The start of a number that was cut. */
  #cut: Buffer = Buffer.alloc(0)
  #rows = 0
  #hasMore = false
  readonly #position: (Buffer[] | null)[] = []

  /** @param limit rows that are returned; a row after them is only noticed */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Rows that were returned. */
  get rows(): number {
    return this.#rows
  }

  /** Whether there was a row after the limit. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** The position of the row at the limit. Empty if rows have no position. */
  get position(): RowPosition {
    return this.#position.map((value) => value && Buffer.concat(value).toString())
  }

  /** Returns the JSON in the next chunk, in its memory. */
  push(bytes: Buffer): Buffer {
    const chunk = this.#cut.length === 0 ? bytes : Buffer.concat([this.#cut, bytes])
    let size = 0
    let at = 0
    for (;;) {
      const end = Math.min(at + this.#remaining, chunk.length)
      if (this.#use === 'json') size += chunk.copy(chunk, size, at, end)
      if (this.#use === 'position') this.#position.at(-1)?.push(Buffer.from(chunk.subarray(at, end)))
      this.#remaining -= end - at
      at = end
      const isNewRow = this.#fieldsLeft === 0
      const needed = isNewRow ? countBytes : lengthBytes
      if (this.#remaining > 0 || chunk.length - at < needed) break
      if (!isNewRow) this.#startField(chunk.readInt32BE(at))
      else if (this.#startRow(chunk.readInt16BE(at))) {
        // There is room: a row comes with a count and a length, which are longer.
        chunk[size++] = comma
        chunk[size++] = newline
      }
      at += needed
    }
    this.#cut = Buffer.from(chunk.subarray(at))
    return chunk.subarray(0, size)
  }

  /** Returns whether the row needs a separator before it. */
  #startRow(fields: number): boolean {
    this.#use = 'skip'
    if (fields === endOfRows) {
      this.#remaining = Number.POSITIVE_INFINITY
      return false
    }
    this.#fieldsLeft = fields
    this.#isFirstField = true
    if (this.#rows === this.#limit) {
      this.#hasMore = true
      return false
    }
    this.#rows++
    return this.#rows > 1
  }

  #startField(length: number): void {
    this.#fieldsLeft--
    this.#remaining = length === nullField ? 0 : length
    this.#use = 'skip'
    if (this.#hasMore) return
    if (this.#isFirstField) this.#use = 'json'
    else if (this.#rows === this.#limit) {
      this.#use = 'position'
      this.#position.push(length === nullField ? null : [])
    }
    this.#isFirstField = false
  }
}
