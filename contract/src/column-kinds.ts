/** What the cells of a column hold, and the type that a new column of a table gets from them. Pure, and free of zod: browsers import it. */
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

/** Text holds every value, and a date is a date with a time at midnight. */
export function fits(kind: CellKind, type: ColumnType): boolean {
  if (kind === 'error') return false
  return kind === type || type === 'text' || (kind === 'date' && type === 'moment')
}

export interface KindCount {
  readonly kind: CellKind
  readonly cells: number
  /** The first cell of that kind, by the row that it was added with. */
  readonly first: { readonly row: number; readonly cell: NonNullable<SheetCell> }
}

/** Counts the cells of one column by kind. */
export class ColumnCells {
  readonly #counts = new Map<CellKind, { cells: number; readonly first: KindCount['first'] }>()
  /** Texts and numbers that are codes: see `type`. */
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
   * The type that more than half of the filled cells have, errors of the sheet left aside; text where no type has the majority. Dates and
   * dates with a time vote together, and all become dates with a time if any has one. Digits alone are codes if any of them is one that a
   * number cannot keep, such as 00123: then the column is text. Null for a column without a filled cell.
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
