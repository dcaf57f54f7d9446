/** What the manifests say about the values of a data file. */
import { decodeBound } from '../format/bounds.ts'
import type { Cell } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import type { TableField } from '../format/parquet-schema.ts'

export interface ColumnBounds {
  /** Null if unknown. Text may be cut, so it is at most the least value. */
  readonly least: Exclude<Cell, null> | null
  /** Null if unknown. */
  readonly greatest: Exclude<Cell, null> | null
  /** True also if it is unknown. */
  readonly hasNulls: boolean
}

const unknown: ColumnBounds = { least: null, greatest: null, hasNulls: true }

export function boundsOf(file: DataFile, field: TableField | undefined): ColumnBounds {
  // Not a number lies outside of the bounds of doubles.
  if (field === undefined || field.type === 'double') return unknown
  const { id, type } = field
  const [least, greatest] = [file.lower.get(id), file.upper.get(id)]
  return {
    least: least === undefined ? null : decodeBound(type, least),
    greatest: greatest === undefined ? null : decodeBound(type, greatest),
    hasNulls: file.nulls.get(id) !== 0n,
  }
}
