/** Infers the type of a new column from its cells. Pure, and free of zod, because browsers import it. */
import { type CellKind, cellKinds, type ColumnType } from './column-types.ts'
import type { SheetCell } from './cells.ts'

/** Null for an empty cell. */
export function kindOf(cell: SheetCell): CellKind | null {
  if (cell === null || cell === '') return null
  if (typeof cell === 'boolean') return 'truth'
  if (typeof cell === 'string') return 'text'
  if ('e' in cell) return 'error'
  if ('n' in cell) return 'number'
  return cell.d.length > dayLength ? 'moment' : 'date'
}

const dayLength = '2026-01-31'.length

/** Text can hold every value; a date is a timestamp at midnight. */
export function fits(kind: CellKind, type: ColumnType): boolean {
  if (kind === 'error') return false
  return kind === type || type === 'text' || (kind === 'date' && type === 'moment')
}

export interface KindCount {
  readonly kind: CellKind
  readonly cells: number
  /** The first cell of that kind, with its row. */
  readonly first: { readonly row: number; readonly cell: NonNullable<SheetCell> }
}

/** Counts the cells of one column by kind. */
export class ColumnCells {
  readonly #counts = new Map<CellKind, { cells: number; readonly first: KindCount['first'] }>()
  /** Texts, and numbers that are codes: see `type`. */
  #codes = 0
  #wholes = 0

  add(cell: SheetCell, row: number): void {
    const kind = kindOf(cell)
    if (cell === null || kind === null) return
    const count = this.#counts.get(kind)
    if (count === undefined) this.#counts.set(kind, { cells: 1, first: { row, cell } })
    else count.cells += 1
    if (typeof cell === 'string' && codeForm.test(cell.trim())) this.#codes += 1
    else if (typeof cell === 'object' && 'n' in cell && wholeForm.test(cell.n)) this.#wholes += 1
  }

  /** In the order of `cellKinds`; empty cells are not counted. */
  get kinds(): readonly KindCount[] {
    return cellKinds.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined ? [] : [{ kind, ...count }]
    })
  }

  /**
   * The type of more than half of the filled cells, ignoring errors; text if no type has the majority. Dates and
   * timestamps count together, and become timestamps if any cell is one. If any digits-only text cannot be kept as a
   * number, such as 00123, they are codes and the column is text. Null for a column without a filled cell.
   */
  get type(): ColumnType | null {
    if (this.#counts.size === 0) return null
    const [text, number, truth] = [this.#count('text'), this.#count('number'), this.#count('truth')]
    const dates = this.#count('date') + this.#count('moment')
    const filled = text + number + truth + dates
    const areCodes = this.#codes > 0 && this.#codes + this.#wholes === filled
    if (areCodes) return 'text'
    if (number * 2 > filled) return 'number'
    if (truth * 2 > filled) return 'truth'
    if (dates * 2 > filled) return this.#count('moment') > 0 ? 'moment' : 'date'
    return 'text'
  }

  #count(kind: CellKind): number {
    return this.#counts.get(kind)?.cells ?? 0
  }
}

/** Digits that a number of Excel changes: it drops leading zeros, and every digit after the fifteenth. */
const codeForm = /^(?:0\d+|\d{16,})$/u
const wholeForm = /^\d{1,15}$/u
