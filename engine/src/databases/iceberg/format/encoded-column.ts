/** The values of a column of a row group, as a column chunk is written from them. */
import type { SchemaElement } from 'hyparquet'
import type { Cell } from './cells.ts'

export type Value = Exclude<Cell, null>

export interface EncodedValues {
  /** In Parquet's plain encoding: of the dictionary if there is one, otherwise of each row that has a value. */
  readonly plain: Uint8Array
  readonly dictionary: EncodedDictionary | null
  /** Undefined if no value can be compared. */
  readonly least: Value | undefined
  readonly greatest: Value | undefined
  readonly nans: number
}

export interface EncodedDictionary {
  readonly size: number
  /** For each value its position in the dictionary. */
  readonly indexes: Uint32Array
}

export interface EncodedColumn extends EncodedValues {
  readonly element: SchemaElement
  /** 1 for each row that has a value, otherwise 0. */
  readonly isPresent: Uint8Array
  readonly nulls: number
}

/** One bit for each item, the first in the lowest bit of a byte. @param items 0 or 1 */
export function packBits(items: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(items.length / 8))
  for (let at = 0; at < items.length; at++)
    bytes[at >> 3] = (bytes[at >> 3] as number) | ((items[at] as number) << (at & 7))
  return bytes
}
