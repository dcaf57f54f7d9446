/** Finds the fields of rows in COPY text. */

const tab = 9
const newline = 10
const backslash = 92
const letterN = 78

export class TextFields {
  readonly #columns: number
  readonly #rowsMax: number
  readonly #leastLengths: readonly number[]
  /** Field `at` is between `#marks[at] + 1` and `#marks[at + 1]`. */
  readonly #marks: Int32Array
  bytes: Buffer = Buffer.alloc(0)
  rows = 0
  /** Whether the next row has another number of fields. */
  isIrregular = false
  /** Where the selected fields begin and end. */
  readonly starts: Int32Array
  readonly ends: Int32Array

  /**
   * @param leastLengths for each column how many bytes a value has at least. They are not searched for the end of the field, so the reader of
   * the column must refuse a separator in them.
   */
  constructor(leastLengths: readonly number[], rowsMax: number) {
    const columns = leastLengths.length
    this.#columns = columns
    this.#leastLengths = leastLengths
    this.#rowsMax = rowsMax
    this.#marks = new Int32Array(columns * rowsMax + 1)
    this.starts = new Int32Array(rowsMax)
    this.ends = new Int32Array(rowsMax)
  }

  /** Finds the fields of the next rows. @param bytes whole rows */
  scan(bytes: Buffer, start: number, rowsMax: number): void {
    const columns = this.#columns
    const marks = this.#marks
    const leastLengths = this.#leastLengths
    const most = Math.min(rowsMax, this.#rowsMax)
    let at = start
    let mark = 0
    let row = 0
    let isIrregular = false
    marks[0] = start - 1
    for (; row < most && at < bytes.length; row++) {
      const first = mark
      const last = mark + columns
      let byte = 0
      while (mark < last && byte !== newline) {
        at = firstEnd(bytes, at, leastLengths[mark - first] as number)
        byte = bytes[at] as number
        while (byte > newline || (byte !== tab && byte !== newline)) byte = bytes[++at] as number
        marks[++mark] = at++
      }
      isIrregular = mark < last || byte !== newline
      if (isIrregular) break
    }
    this.bytes = bytes
    this.rows = row
    this.isIrregular = isIrregular
  }

  /** Where a row begins, or where the last ends. */
  startOf(row: number): number {
    return (this.#marks[row * this.#columns] as number) + 1
  }

  /**
   * Selects the fields of a column that are not null. Returns how many there are.
   *
   * @param isPresent gets 1 for each of them and 0 for the others, from this position on
   */
  select(column: number, isPresent: Uint8Array, from: number): number {
    const columns = this.#columns
    const { bytes, rows, starts, ends } = this
    const marks = this.#marks
    let selected = 0
    for (let row = 0, mark = column; row < rows; row++, mark += columns) {
      const start = (marks[mark] as number) + 1
      const end = marks[mark + 1] as number
      const isNull = end - start === 2 && bytes[start] === backslash && bytes[start + 1] === letterN
      isPresent[from + row] = isNull ? 0 : 1
      starts[selected] = start
      ends[selected] = end
      selected += isNull ? 0 : 1
    }
    return selected
  }
}

/** Where the field that starts here may end first. A field that starts with a backslash may be null. */
function firstEnd(bytes: Buffer, start: number, leastLength: number): number {
  const end = start + leastLength
  return leastLength === 0 || bytes[start] === backslash || end >= bytes.length ? start : end
}
