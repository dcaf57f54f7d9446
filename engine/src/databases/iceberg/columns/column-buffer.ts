/** The values of a column of a row group, in the form in which Parquet stores them, from cells or straight from text. */
import type { SchemaElement } from 'hyparquet'
import type { Cell } from '../format/cells.ts'
import type { EncodedColumn, EncodedValues, Value } from '../format/encoded-column.ts'
import type { TextFields } from './text-fields.ts'

/** Reads the first `count` selected fields into the column, after the values that it has. Returns how many were read before one that cannot. */
export type FieldReader<Column> = (column: Column, fields: TextFields, count: number) => number

/** Small, because each of many open partitions has its columns. */
const firstCapacity = 32

export abstract class ColumnBuffer {
  readonly element: SchemaElement
  /** 1 for each row that has a value. */
  #present = new Uint8Array(firstCapacity)
  #rows = 0
  #values = 0

  constructor(element: SchemaElement) {
    this.element = element
  }

  /** How many rows have a value. */
  get values(): number {
    return this.#values
  }

  get hasNulls(): boolean {
    return this.#values < this.#rows
  }

  add(cell: Cell): void {
    this.#reserve(1)
    this.#present[this.#rows++] = cell === null ? 0 : 1
    if (cell !== null) this.set(this.#values++, cell)
  }

  addNulls(rows: number): void {
    this.#reserve(rows)
    this.#present.fill(0, this.#rows, this.#rows + rows)
    this.#rows += rows
  }

  /**
   * Adds the fields of this column of the next rows. Returns how many were added before one that cannot be read, which may be an exotic form of
   * a value or no value of the type.
   */
  addFields(fields: TextFields, { at, isKey, read }: FieldsOfColumn): number {
    const { rows } = fields
    this.#reserve(rows)
    const selected = fields.select(at, this.#present, this.#rows)
    const count = read(this, fields, selected)
    const hasAll = count === selected && (selected === rows || !isKey)
    const added = hasAll ? rows : this.#rowsUntil(count, isKey)
    this.#rows += added
    this.#values += hasAll ? selected : this.#valuesIn(this.#rows - added, this.#rows)
    return added
  }

  /** The rows before the value at this position, or before the first null. */
  #rowsUntil(count: number, endsAtNull: boolean): number {
    let values = 0
    for (let row = this.#rows; ; row++) {
      const isPresent = this.#present[row] === 1
      if (isPresent ? values === count : endsAtNull) return row - this.#rows
      if (isPresent) values++
    }
  }

  #valuesIn(from: number, to: number): number {
    let values = 0
    for (let row = from; row < to; row++) values += this.#present[row] as number
    return values
  }

  /** Drops the rows from this one on. */
  truncate(rows: number): void {
    if (rows >= this.#rows) return
    this.#values -= this.#valuesIn(rows, this.#rows)
    this.#rows = rows
  }

  /** For each row the position of its value, or -1. */
  positions(): Int32Array {
    const positions = new Int32Array(this.#rows)
    let values = 0
    for (let row = 0; row < this.#rows; row++) positions[row] = this.#present[row] === 1 ? values++ : -1
    return positions
  }

  encode(): EncodedColumn {
    const isPresent = this.#present.subarray(0, this.#rows)
    return { element: this.element, isPresent, nulls: this.#rows - this.#values, ...this.encodeValues() }
  }

  clear(): void {
    this.#rows = 0
    this.#values = 0
  }

  #reserve(rows: number): void {
    this.#present = grown(this.#present, this.#rows, this.#rows + rows)
    this.reserveValues(this.#values + rows)
  }

  /** Makes room for this many values. */
  protected abstract reserveValues(count: number): void
  /** Sets the value after the last, in the form that `Cell` describes for the type. */
  abstract set(at: number, value: Value): void
  abstract get(at: number): Value
  /** The order of the values at two positions, as `compareCells` has it. */
  abstract compare(left: number, right: number): number
  protected abstract encodeValues(): EncodedValues

  /** @param extremes the positions of the bounds; of no meaning without values */
  protected withBounds(
    plain: Uint8Array,
    { least, greatest }: Extremes,
    dictionary: EncodedValues['dictionary'] = null,
  ): EncodedValues {
    const isEmpty = this.#values === 0
    return {
      plain,
      dictionary,
      least: isEmpty ? undefined : this.get(least),
      greatest: isEmpty ? undefined : this.get(greatest),
      nans: 0,
    }
  }
}

/** How a column of the text gets into a column of the table. */
export interface FieldsOfColumn {
  /** The position among the columns of the text. */
  readonly at: number
  /** Null is no value of a key. */
  readonly isKey: boolean
  readonly read: FieldReader<ColumnBuffer>
  /** How many bytes a value has at least that `read` accepts; it accepts none with a separator. */
  readonly leastLength: number
}

type GrowingArray = Uint8Array | Int32Array | Uint32Array | BigInt64Array | Float64Array

/** The array, or a longer copy of it, with room for so many items. */
export function grown<Items extends GrowingArray>(array: Items, used: number, needed: number): Items {
  if (needed <= array.length) return array
  const longer = new (array.constructor as new (length: number) => Items)(Math.max(needed, array.length * 2))
  longer.set(array.subarray(0, used) as never)
  return longer
}

/**
 * The positions of two values. Each class finds them by a loop over its own `compare`: one loop for all classes would call it through a
 * table, which takes longer than what it does.
 */
export interface Extremes {
  readonly least: number
  readonly greatest: number
}

export function bytesOf({ buffer, byteOffset }: ArrayBufferView, length: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}
