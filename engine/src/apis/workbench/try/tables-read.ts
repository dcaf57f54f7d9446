/** The rows that a read has given, by table: their columns with types, which of them have values, and which values do not fit. */
import { decodeRows } from '../../../encoding/copy-text.ts'
import type { Column, LogicalType, RowBatch, Table } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import { misfitOf } from './value-fit.ts'

export interface TriedTable {
  readonly name: string
  readonly columns: readonly TriedColumn[]
  /** Canonical texts in the order of the columns. At most 200. */
  readonly rows: readonly (readonly (string | null)[])[]
  readonly rowsRead: number
}

export interface TriedColumn {
  readonly name: string
  readonly type: string
  /** Where the value is in a record. */
  readonly pointer: string
  /** Whether any row has a value. */
  readonly isSeen: boolean
}

export interface TriedValue {
  readonly table: string
  readonly column: string
  readonly pointer: string
  /** From 1, in the order of reading. */
  readonly row: number
  readonly value: string
  readonly wanted: string
}

export interface TablesResult {
  readonly tables: readonly TriedTable[]
  /** Values that do not fit their type. A target would reject these rows. */
  readonly misfits: readonly TriedValue[]
}

const misfitsShown = 50

/** Rows of a stream, with what is wrong with them. */
export class TablesRead {
  readonly #rowsMax: number
  readonly #tables = new Map<string, { readonly table: Table; readonly rows: (string | null)[][]; count: number }>()
  readonly #seen = new Map<string, Set<number>>()
  readonly #misfits: TriedValue[] = []

  /** @param rowsMax so many rows of a table are kept */
  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  open({ table, children }: Stream): void {
    for (const one of [table, ...children]) {
      this.#tables.set(one.name, { table: one, rows: [], count: 0 })
      this.#seen.set(one.name, new Set())
    }
  }

  add({ table: name, bytes, deletes }: RowBatch): void {
    const known = this.#tables.get(name)
    if (known === undefined || deletes === true) return
    for (const row of decodeRows(bytes)) {
      known.count += 1
      if (known.rows.length < this.#rowsMax) known.rows.push(row)
      for (const [index, column] of known.table.columns.entries())
        this.#check(known.table, known.count, { index, column, value: row[index] ?? null })
    }
  }

  result(masked: (text: string) => string): TablesResult {
    return {
      tables: [...this.#tables.values()].map(({ table, rows, count }) => ({
        name: table.name,
        columns: table.columns.map((column, index) => ({
          name: column.name,
          type: typeWords(column.type),
          pointer: column.sourceField ?? '',
          isSeen: this.#seen.get(table.name)?.has(index) ?? false,
        })),
        rows: rows.map((row) => row.map((value) => (value === null ? null : masked(value)))),
        rowsRead: count,
      })),
      misfits: this.#misfits.map((one) => ({ ...one, value: masked(one.value) })),
    }
  }

  #check(table: Table, row: number, { index, column, value }: CheckedValue): void {
    if (value !== null) this.#seen.get(table.name)?.add(index)
    const wanted = value === null ? (column.nullable ? null : 'a value') : misfitOf(column.type, value)
    if (wanted === null || this.#misfits.length >= misfitsShown) return
    const shown = (value ?? 'nothing').slice(0, 100).toWellFormed()
    this.#misfits.push({
      table: table.name,
      column: column.name,
      pointer: column.sourceField ?? '',
      row,
      value: shown,
      wanted,
    })
  }
}

interface CheckedValue {
  readonly index: number
  readonly column: Column
  readonly value: string | null
}

/** As a description writes it. */
function typeWords(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
    case 'bytes':
      return type.maxLength === undefined ? type.kind : `${type.kind}(${type.maxLength})`
    case 'integer':
      return { 2: 'smallint', 4: 'integer', 8: 'bigint' }[type.bytes]
    case 'decimal':
      return type.precision === undefined ? 'decimal' : `decimal(${type.precision},${type.scale ?? 0})`
    case 'localTimestamp':
      return `timestamp(${type.digits})`
    case 'instant':
      return `instant(${type.digits})`
    default:
      return type.kind
  }
}
