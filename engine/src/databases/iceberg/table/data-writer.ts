/** Writes rows to data files of a sensible size. Rows wait in memory until a row group is full, which is sorted by key. */
import type { LoadedTable } from '../catalog/catalog.ts'
import { type Cell, compareCells } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { ParquetDataFile } from '../format/parquet-file.ts'
import type { TableField } from '../format/parquet-schema.ts'
import { schemaOf } from './snapshot-writer.ts'

export type CellRow = readonly Cell[]

export interface DataWriterOptions {
  readonly table: Pick<LoadedTable, 'metadata' | 'storage'>
  readonly fields: readonly TableField[]
  /** Positions of the key columns among the fields, by which rows are sorted; empty: as they come. */
  readonly sortedBy: readonly number[]
  /** The path of the next file. */
  readonly nextPath: () => string
}

/** A row group and its buffers are the memory of a writer. */
const groupRows = 50_000
const groupWeight = 16 * 1_048_576
const fileBytes = 96 * 1_048_576

export class DataWriter {
  readonly #options: DataWriterOptions
  readonly #files: DataFile[] = []
  #rows: CellRow[] = []
  #weight = 0
  #file: ParquetDataFile | null = null

  constructor(options: DataWriterOptions) {
    this.#options = options
  }

  async add(row: CellRow): Promise<void> {
    this.#rows.push(row)
    this.#weight += weightOf(row)
    if (this.#rows.length >= groupRows || this.#weight >= groupWeight) await this.#writeGroup()
  }

  /** The files that were written. Rows that are added afterwards go to another file. */
  async finish(): Promise<readonly DataFile[]> {
    await this.#writeGroup()
    await this.#closeFile()
    return this.#files.splice(0)
  }

  async cancel(): Promise<void> {
    const file = this.#file
    this.#file = null
    this.#rows = []
    await file?.cancel()
  }

  async #writeGroup(): Promise<void> {
    const { fields, sortedBy } = this.#options
    const rows = this.#rows
    if (rows.length === 0) return
    this.#rows = []
    this.#weight = 0
    if (sortedBy.length > 0) sortRows(rows, sortedBy)
    this.#file ??= this.#openFile()
    await this.#file.writeGroup(
      fields.map((_, at) => rows.map((row) => row[at] ?? null)),
      rows.length,
    )
    if (this.#file.size >= fileBytes) await this.#closeFile()
  }

  #openFile(): ParquetDataFile {
    const { table, fields, nextPath } = this.#options
    const schema = schemaOf(table.metadata)
    const isSorted = this.#options.sortedBy.length > 0
    return new ParquetDataFile({
      storage: table.storage,
      path: nextPath(),
      fields,
      schemaJson: JSON.stringify(schema),
      partition: {},
      sortOrderId: isSorted ? table.metadata['default-sort-order-id'] : null,
    })
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = null
    if (file !== null) this.#files.push(await file.finish())
  }
}

function weightOf(row: CellRow): number {
  let weight = 0
  for (const cell of row) {
    weight += 8
    if (typeof cell === 'string' || cell instanceof Uint8Array) weight += cell.length
  }
  return weight
}

/** Most sources yield rows in the order of their keys already. */
function sortRows(rows: CellRow[], sortedBy: readonly number[]): void {
  const compare = (left: CellRow, right: CellRow): number => {
    for (const at of sortedBy) {
      const order = compareNullable(left[at] ?? null, right[at] ?? null)
      if (order !== 0) return order
    }
    return 0
  }
  const isSorted = rows.every((row, at) => at === 0 || compare(rows[at - 1] ?? row, row) <= 0)
  if (!isSorted) rows.sort(compare)
}

function compareNullable(left: Cell, right: Cell): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1
  return compareCells(left, right)
}
