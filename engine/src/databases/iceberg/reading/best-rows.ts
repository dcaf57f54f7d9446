/** The order of a page, and the first rows of it among all that were offered. */
import { type Cell, compareCells } from '../format/cells.ts'
import type { CellRow } from '../table/data-writer.ts'

/** Nulls come last, in descending order first. */
export interface OrderTerm {
  /** The position of the column among the fields. */
  readonly at: number
  readonly descending: boolean
}

/** Compares the values of the order's columns, in the sequence of its terms. */
export function compareValues(order: readonly OrderTerm[], left: CellRow, right: CellRow): number {
  for (let term = 0; term < order.length; term++) {
    const compared = compareCell(left[term] ?? null, right[term] ?? null)
    if (compared !== 0) return order[term]?.descending === true ? -compared : compared
  }
  return 0
}

/** Not a number is greater than every number, and null than every value. */
export function compareCell(left: Cell, right: Cell): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
  const [isLeft, isRight] = [Number.isNaN(left), Number.isNaN(right)]
  if (isLeft || isRight) return Number(isLeft) - Number(isRight)
  return compareCells(left, right)
}

export interface OrderedRow {
  /** Of the order's columns. */
  readonly values: CellRow
}

/** Keeps a limited number of rows, the first ones by the order. Of equal rows, those that were offered first. */
export class BestRows<Row extends OrderedRow> {
  readonly #order: readonly OrderTerm[]
  readonly #limit: number
  #rows: Row[] = []
  #last: Row | null = null

  constructor(order: readonly OrderTerm[], limit: number) {
    this.#order = order
    this.#limit = limit
  }

  /** The values that a row must come before; null while there is room. */
  get bound(): CellRow | null {
    return this.#last?.values ?? null
  }

  offer(row: Row): void {
    if (this.#last !== null && compareValues(this.#order, row.values, this.#last.values) >= 0) return
    this.#rows.push(row)
    if (this.#rows.length >= this.#limit * spare) this.#cut()
  }

  /** Without an order no later row comes before the ones that are here. */
  get isComplete(): boolean {
    return this.#order.length === 0 && this.#rows.length >= this.#limit
  }

  /** Sorts the rows and drops those beyond the limit. */
  list(): readonly Row[] {
    this.#cut()
    return this.#rows
  }

  #cut(): void {
    this.#rows.sort((left, right) => compareValues(this.#order, left.values, right.values))
    this.#rows.length = Math.min(this.#rows.length, this.#limit)
    this.#last = this.#rows.length === this.#limit ? (this.#rows.at(-1) ?? null) : null
  }
}

/** Sorting more rows at once is rarer. */
const spare = 4
