/** Finds the files that may hold given values, by the bounds in their manifests. */
import { decodeBound } from '../format/bounds.ts'
import { type Cell, compareCells } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import type { TableField } from '../format/parquet-schema.ts'
import type { CellTuple } from './segment.ts'

export class TupleSearch {
  readonly #fields: readonly TableField[]
  /** By the first column. */
  readonly #tuples: readonly CellTuple[]

  /** @param fields of the values of each tuple */
  constructor(fields: readonly TableField[], tuples: Iterable<CellTuple>) {
    this.#fields = fields
    this.#tuples = [...tuples].sort(([left = null], [right = null]) => compareFirst(left, right))
  }

  /** False only if none of the tuples is in the file. */
  mayBeIn(file: DataFile): boolean {
    if (this.#tuples.length === 0) return false
    const ranges = this.#fields.map(({ id, type }) => rangeOf(file, id, type))
    const [first] = ranges
    if (first === undefined) return true
    for (let at = this.#firstAtLeast(first.lower); at < this.#tuples.length; at++) {
      const tuple = this.#tuples[at] ?? []
      if (isAbove(tuple[0] ?? null, first)) return false
      if (ranges.every((range, column) => isWithin(tuple[column] ?? null, range))) return true
    }
    return false
  }

  #firstAtLeast(bound: Exclude<Cell, null> | null): number {
    if (bound === null) return 0
    let low = 0
    let high = this.#tuples.length
    while (low < high) {
      const middle = (low + high) >> 1
      const value = this.#tuples[middle]?.[0] ?? null
      if (value === null || compareCells(value, bound) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface CellRange {
  /** Null without a bound. */
  readonly lower: Exclude<Cell, null> | null
  readonly upper: Exclude<Cell, null> | null
}

function rangeOf(file: DataFile, id: number, type: string): CellRange {
  const lower = file.lower.get(id)
  const upper = file.upper.get(id)
  return {
    lower: lower === undefined ? null : decodeBound(type, lower),
    upper: upper === undefined ? null : decodeBound(type, upper),
  }
}

function isAbove(cell: Cell, { upper }: CellRange): boolean {
  return cell !== null && upper !== null && compareCells(cell, upper) > 0
}

/** Not a number has no place between bounds. */
function isWithin(cell: Cell, { lower, upper }: CellRange): boolean {
  if (cell === null || Number.isNaN(cell)) return true
  return (lower === null || compareCells(cell, lower) >= 0) && (upper === null || compareCells(cell, upper) <= 0)
}

function compareFirst(left: Cell, right: Cell): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1
  return compareCells(left, right)
}
