/** Writes the company before each row of a source, and brings the columns of its rows into the order of the shared table. */
import { assertNoCut, decodeRow, encodeRow, joinRows } from '../encoding/copy-text.ts'
import type { RowBatch, Table } from '../ports/model.ts'

/** The columns of one company's table within the shared one, or null if they are the same in the same order. */
export type ColumnPlaces = readonly number[] | null

/** @param shared without the column of the company */
export function columnPlaces(shared: readonly string[], own: Table): ColumnPlaces {
  const places = shared.map((name) => own.columns.findIndex((column) => column.name === name))
  return places.length === own.columns.length && places.every((place, at) => place === at) ? null : places
}

export class CompanyRows {
  readonly #company: string
  readonly #tables: ReadonlyMap<string, ColumnPlaces>
  readonly #joiners = new Map<string, ReturnType<typeof joinRows>>()

  constructor(company: string, tables: ReadonlyMap<string, ColumnPlaces>) {
    this.#company = encodeRow([company]).slice(0, -1)
    this.#tables = tables
  }

  /** Rows that end in the batch. A row that ends in a later one comes with that. */
  shape(batch: RowBatch): RowBatch {
    const { bytes, rows: _rows, release, ...rest } = batch
    const isDeletion = batch.deletes === true
    const joiner = this.#joinerOf(isDeletion ? '' : batch.table)
    const lines = Buffer.from(joiner.push(Buffer.from(bytes)))
      .toString('utf8')
      .split('\n')
    release?.()
    lines.pop()
    const places = isDeletion ? null : (this.#tables.get(batch.table) ?? null)
    const shaped = lines.map((line) => `${this.#company}\t${places === null ? line : reorder(line, places)}\n`)
    return { ...rest, bytes: Buffer.from(shaped.join(''), 'utf8'), rows: shaped.length }
  }

  assertComplete(): void {
    for (const { waiting } of this.#joiners.values()) assertNoCut(waiting)
  }

  #joinerOf(table: string): ReturnType<typeof joinRows> {
    const joiner = this.#joiners.get(table) ?? joinRows()
    this.#joiners.set(table, joiner)
    return joiner
  }
}

function reorder(line: string, places: readonly number[]): string {
  const values = decodeRow(line)
  return encodeRow(places.map((place) => values[place] ?? null)).slice(0, -1)
}
