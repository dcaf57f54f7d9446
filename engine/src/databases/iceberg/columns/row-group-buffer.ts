/** The rows of a row group before it is written, in columns. */
import type { SchemaElement } from 'hyparquet'
import type { Cell } from '../format/cells.ts'
import type { EncodedColumn } from '../format/encoded-column.ts'
import type { ColumnBuffer, FieldsOfColumn } from './column-buffer.ts'
import { columnOf } from './column-of.ts'
import type { TextFields } from './text-fields.ts'

/** For each column of the table where its fields are; null for one that the text does not have. */
export type FieldPlan = readonly (FieldsOfColumn | null)[]

export class RowGroupBuffer {
  readonly #columns: readonly ColumnBuffer[]
  readonly #keys: readonly ColumnBuffer[]
  readonly #sortedBy: readonly number[]
  #rows = 0
  #weight = 0
  #isSorted = true

  /** @param sortedBy positions of the key columns among the elements; empty: rows stay as they come */
  constructor(elements: readonly SchemaElement[], sortedBy: readonly number[]) {
    this.#columns = elements.map(columnOf)
    this.#sortedBy = sortedBy
    this.#keys = sortedBy.flatMap((at) => this.#columns[at] ?? [])
  }

  get rows(): number {
    return this.#rows
  }

  /** About the bytes that the rows take. */
  get weight(): number {
    return this.#weight
  }

  add(row: readonly Cell[]): void {
    const columns = this.#columns
    for (let at = 0; at < columns.length; at++) {
      const cell = row[at] ?? null
      columns[at]?.add(cell)
      this.#weight += typeof cell === 'string' || cell instanceof Uint8Array ? cellBytes + cell.length : cellBytes
    }
    this.#noteAdded(1)
  }

  /** Adds rows, up to one that has a field that cannot be read. Returns how many. */
  addFields(fields: TextFields, plan: FieldPlan): number {
    const columns = this.#columns
    let added = fields.rows
    for (let at = 0; at < columns.length; at++) {
      const planned = plan[at] ?? null
      if (planned !== null) added = Math.min(added, columns[at]?.addFields(fields, planned) ?? 0)
      else columns[at]?.addNulls(fields.rows)
    }
    for (const column of columns) column.truncate(this.#rows + added)
    this.#weight += fields.startOf(added) - fields.startOf(0) + cellBytes * added
    this.#noteAdded(added)
    return added
  }

  #noteAdded(rows: number): void {
    const end = this.#rows + rows
    this.#isSorted &&= this.#isSortedBetween(Math.max(1, this.#rows), end)
    this.#rows = end
  }

  /** Keys have no nulls; where the columns of an order have some, rows count as unsorted. */
  #isSortedBetween(start: number, end: number): boolean {
    if (this.#keys.some((key) => key.hasNulls)) return false
    for (let row = start; row < end; row++) if (!this.#isAfterLast(row)) return false
    return true
  }

  #isAfterLast(row: number): boolean {
    for (const key of this.#keys) {
      const order = key.compare(row - 1, row)
      if (order !== 0) return order < 0
    }
    return true
  }

  /** In the order of the key. The bytes are valid until the buffer is cleared. */
  encode(): readonly EncodedColumn[] {
    const sorted = this.#isSorted ? this : this.#sorted()
    return sorted.#columns.map((column) => column.encode())
  }

  /** Most sources yield rows in the order of their keys already, so this is rare. */
  #sorted(): RowGroupBuffer {
    const sorted = new RowGroupBuffer(
      this.#columns.map(({ element }) => element),
      this.#sortedBy,
    )
    const positions = this.#columns.map((column) => column.positions())
    const order = Uint32Array.from({ length: this.#rows }, (_, row) => row)
    order.sort((left, right) => this.#compareRows(positions, left, right) || left - right)
    for (const [at, column] of this.#columns.entries())
      for (const row of order) {
        const position = positions[at]?.[row] ?? -1
        sorted.#columns[at]?.add(position === -1 ? null : column.get(position))
      }
    return sorted
  }

  #compareRows(positions: readonly Int32Array[], left: number, right: number): number {
    for (const at of this.#sortedBy) {
      const first = positions[at]?.[left] ?? -1
      const second = positions[at]?.[right] ?? -1
      const isComparable = first !== -1 && second !== -1
      const difference = isComparable ? (this.#columns[at]?.compare(first, second) ?? 0) : nullsFirst(first, second)
      if (difference !== 0) return difference
    }
    return 0
  }

  clear(): void {
    for (const column of this.#columns) column.clear()
    this.#rows = 0
    this.#weight = 0
    this.#isSorted = true
  }
}

/** Of a number, and of what is kept for each text. */
const cellBytes = 8

function nullsFirst(first: number, second: number): number {
  return Math.sign(first + 1) - Math.sign(second + 1)
}
