/**
 * Rows on their way from the text of a source straight into files. Whole columns of the text are read at once, without an object for a row or
 * a field. A row that has a field of an unusual form is decoded like the rows of a merge, so that what is accepted is the same.
 */
import { isUtf8 } from 'node:buffer'
import type { FieldPlan } from '../columns/row-group-buffer.ts'
import { TextFields } from '../columns/text-fields.ts'
import type { RowWriter } from '../table/partitioned-writer.ts'
import type { RowDecoder } from './row-decoder.ts'

const newline = 10
/** Of rows that are read at once: their text and columns stay in the cache of the processor. */
const rowsMax = 1_000
const fieldsMax = 64_000

export class DirectRows {
  readonly #decoder: RowDecoder
  readonly #plan: FieldPlan | null
  readonly #fields: TextFields
  readonly #rowsMax: number

  constructor(decoder: RowDecoder) {
    this.#decoder = decoder
    this.#plan = decoder.fieldPlan
    this.#rowsMax = Math.max(1, Math.min(rowsMax, Math.floor(fieldsMax / decoder.columns)))
    const leastLengths = Array.from({ length: decoder.columns }, () => 0)
    for (const column of this.#plan ?? []) if (column !== null) leastLengths[column.at] = column.leastLength
    this.#fields = new TextFields(leastLengths, this.#rowsMax)
  }

  /** Returns how many rows were written; others were rejected. */
  async write(bytes: Uint8Array, writer: RowWriter): Promise<number> {
    // The row that the last batch has begun is joined by itself: with the other rows, all of them would be copied.
    const rest = this.#decoder.isWaiting ? bytes.indexOf(newline) + 1 : 0
    let written = 0
    for (const part of [bytes.subarray(0, rest), bytes.subarray(rest)])
      written += await this.#writeWhole(this.#decoder.join(part), writer)
    this.#decoder.stopIfTooMany()
    return written
  }

  async #writeWhole(whole: Uint8Array, writer: RowWriter): Promise<number> {
    const plan = writer.addFields !== undefined && isUtf8(whole) ? this.#plan : null
    return plan === null ? await this.#writeRows(whole, writer) : await this.#writeFields(whole, writer, plan)
  }

  async #writeRows(whole: Uint8Array, writer: RowWriter): Promise<number> {
    let written = 0
    for (const row of this.#decoder.decodeWhole(whole)) {
      const pause = writer.add(row)
      if (pause !== undefined) await pause
      written++
    }
    return written
  }

  async #writeFields(whole: Uint8Array, writer: RowWriter, plan: FieldPlan): Promise<number> {
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
    const fields = this.#fields
    let written = 0
    let rows = this.#rowsMax
    let unusual = 1
    for (let at = 0; at < bytes.length;) {
      fields.scan(bytes, at, rows)
      const added = (await writer.addFields?.(fields, plan)) ?? 0
      this.#decoder.noteSeen(added)
      written += added
      at = fields.startOf(added)
      if (added === fields.rows && !fields.isIrregular) rows = Math.min(this.#rowsMax, rows * 2)
      else {
        // Rows after an unusual one are read in vain: where many follow each other, fewer rows are tried.
        rows = Math.max(1, rows >> 2)
        unusual = added === 0 ? Math.min(this.#rowsMax, unusual * 2) : 1
        const end = endOfRows(bytes, at, unusual)
        written += await this.#writeRows(bytes.subarray(at, end), writer)
        at = end
      }
    }
    return written
  }
}

function endOfRows(bytes: Buffer, start: number, rows: number): number {
  let end = start
  for (let row = 0; row < rows && end < bytes.length; row++) end = bytes.indexOf(newline, end) + 1
  return end
}
