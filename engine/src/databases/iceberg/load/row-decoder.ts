/** Turns the COPY text of batches into rows of cells. A value that does not fit its column is never changed: its row is rejected. */
import { assertNoCut, decodeField, decodeRow, decodeTexts, joinRows } from '../../../encoding/copy-text.ts'
import { isUnknown, unknownReason } from '../../../encoding/unsupported-values.ts'
import type { LogicalType } from '../../../ports/model.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import type { TargetColumn, TargetTable } from '../../sql-target/table-layout.ts'
import { fieldReaderOf, leastLengthOf } from '../columns/field-readers.ts'
import type { FieldPlan } from '../columns/row-group-buffer.ts'
import { type Cell, type CellParser, parserOf } from '../format/cells.ts'
import type { PrecisionLosses } from '../format/moments.ts'
import type { CellRow } from '../table/data-writer.ts'
import type { TableShape } from '../table/table-shape.ts'

export interface DecoderOptions {
  readonly target: TargetTable
  readonly shape: TableShape
  readonly rejects: Rejects
  readonly losses: PrecisionLosses
  /** Rows of the table so far, rejected ones included. */
  readonly seen: { count: number }
}

interface ColumnDecoder {
  readonly parse: CellParser
  readonly values: LogicalType
  readonly position: number
  readonly isKey: boolean
  readonly name: string
  readonly type: string
}

/** Few enough that their fields are no burden. */
const rowsAtOnce = 2_000

export class RowDecoder {
  readonly #options: DecoderOptions
  readonly #columns: readonly ColumnDecoder[]
  readonly #joiner = joinRows()
  /** A row without values. */
  readonly #empty: readonly Cell[]

  /** @param columns the columns of the rows, in their order; those of the table, or of its key */
  constructor(options: DecoderOptions, columns: readonly TargetColumn[] = options.target.columns) {
    this.#options = options
    const { target, shape, losses } = options
    this.#empty = shape.fields.map(() => null)
    this.#columns = columns.map((column) => ({
      parse: parserFor(column.values, column.type, losses),
      values: column.values,
      position: shape.columns[target.columns.indexOf(column)] ?? -1,
      isKey: column.isKey,
      name: column.name,
      type: column.type,
    }))
  }

  /** How the rows get into the columns of files; null if a column has a type whose fields are not read so. */
  get fieldPlan(): FieldPlan | null {
    const { fields } = this.#options.shape
    const readers = this.#columns.map(({ type, values, parse }) => fieldReaderOf(type, values, parse))
    if (readers.includes(null)) return null
    return fields.map((_, position) => {
      const at = this.#columns.findIndex((column) => column.position === position)
      const read = readers[at] ?? null
      const { isKey = false, type = '' } = this.#columns[at] ?? {}
      return read === null ? null : { at, isKey, read, leastLength: leastLengthOf(type) }
    })
  }

  get columns(): number {
    return this.#columns.length
  }

  *decode(bytes: Uint8Array): Generator<CellRow> {
    yield* this.decodeWhole(this.join(bytes))
    this.stopIfTooMany()
  }

  /** Whether a row has begun and not ended. */
  get isWaiting(): boolean {
    return this.#joiner.waiting > 0
  }

  /** The rows that are whole now. */
  join(bytes: Uint8Array): Uint8Array {
    return this.#joiner.push(bytes)
  }

  /** @param bytes whole rows */
  *decodeWhole(bytes: Uint8Array): Generator<CellRow> {
    for (const text of decodeTexts(bytes, rowsAtOnce))
      for (let start = 0; start < text.length;) {
        const end = text.indexOf('\n', start)
        const row = this.decodeRow(text.slice(start, end))
        if (row !== null) yield row
        start = end + 1
      }
  }

  /** Throws a `data` Fault if too many rows have been rejected. */
  stopIfTooMany(): void {
    this.#options.rejects.stopIfTooMany(this.#options.seen.count, this.#options.target.table.name)
  }

  /** Counts rows that were decoded elsewhere. */
  noteSeen(rows: number): void {
    this.#options.seen.count += rows
  }

  /** @throws Fault `bug` if a row has begun and not ended */
  assertWhole(): void {
    assertNoCut(this.#joiner.waiting)
  }

  /** Returns null for a row that is rejected. @param line without its newline */
  decodeRow(line: string): CellRow | null {
    this.noteSeen(1)
    const row = this.#empty.slice()
    let from = 0
    for (let at = 0; at < this.#columns.length; at++) {
      const column = this.#columns[at]
      if (column === undefined) break
      const tab = line.indexOf('\t', from)
      const to = tab === -1 ? line.length : tab
      const value = from > line.length ? null : decodeField(line.slice(from, to))
      from = to + 1
      if (value === null && !column.isKey) continue
      const cell = value === null ? undefined : column.parse(value)
      if (cell !== undefined) row[column.position] = cell
      else if (!this.#mayBeNull(column, value)) return this.#reject(decodeRow(line), at)
    }
    return row
  }

  #mayBeNull({ isKey, values }: ColumnDecoder, text: string | null): boolean {
    const { rejects } = this.#options
    if (isKey || rejects.unknownValues !== 'null' || !isUnknown(text, values)) return false
    rejects.nulled++
    return true
  }

  #reject(values: readonly (string | null)[], at: number): null {
    const { rejects, target } = this.#options
    const column = this.#columns[at]
    const text = values[at] ?? null
    rejects.add(target.table, { values, at, reason: column === undefined ? '' : reasonOf(column, text) })
    return null
  }
}

function reasonOf({ name, type, values }: ColumnDecoder, text: string | null): string {
  if (text === null) return `The key column ‘${name}’ has no value.`
  return isUnknown(text, values)
    ? unknownReason(text)
    : `The value does not fit the column ‘${name}’ of the type ${type}. Correct it in the source.`
}

/** For values of one type in a column of another, after the source has changed the type. */
export function parserFor(values: LogicalType, type: string, losses: PrecisionLosses): CellParser {
  const parse = parserOf(type, losses)
  if (values.kind === 'boolean' && type !== 'boolean' && type !== 'string')
    return (text) => parse({ t: '1', f: '0' }[text] ?? text)
  if (values.kind === 'date' && type === 'timestamp') return (text) => parse(`${text} 00:00:00`)
  return parse
}
