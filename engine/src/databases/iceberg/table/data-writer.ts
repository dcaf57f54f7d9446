/** Writes rows to data files of a sensible size. Rows wait in memory until a row group is full, which is sorted by key. */
import type { LoadedTable } from '../catalog/catalog.ts'
import { type Cell, compareCells } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { ParquetDataFile } from '../format/parquet-file.ts'
import type { TableField } from '../format/parquet-schema.ts'
import type { FilePartition } from './partitions.ts'
import { schemaOf } from './snapshot-writer.ts'

export type CellRow = readonly Cell[]

export interface DataWriterOptions {
  readonly table: Pick<LoadedTable, 'metadata' | 'storage'>
  readonly fields: readonly TableField[]
  /** Positions of the key columns among the fields, by which rows are sorted; empty: as they come. */
  readonly sortedBy: readonly number[]
  /** The path of the next file. */
  readonly nextPath: () => string
  /** Of all rows. */
  readonly partition: FilePartition
}

/** A row group and its buffers are the memory of a writer. */
const groupRows = 25_000
const groupWeight = 16 * 1_048_576
const fileBytes = 96 * 1_048_576

export class DataWriter {
  readonly #options: DataWriterOptions
  readonly #files: DataFile[] = []
  /** The cells of each field: they need less memory than rows. */
  #columns: Cell[][]
  #rows = 0
  #isSorted = true
  #weight = 0
  #file: ParquetDataFile | null = null

  constructor(options: DataWriterOptions) {
    this.#options = options
    this.#columns = options.fields.map(() => [])
  }

  /** Undefined if it can take the next row at once. */
  add(row: CellRow): Promise<void> | undefined {
    const columns = this.#columns
    if (this.#isSorted && this.#rows > 0) this.#isSorted = this.#isNotBeforeLast(row)
    for (let at = 0; at < columns.length; at++) {
      const cell = row[at] ?? null
      columns[at]?.push(cell)
      this.#weight += typeof cell === 'string' || cell instanceof Uint8Array ? 8 + cell.length : 8
    }
    this.#rows++
    return this.#rows >= groupRows || this.#weight >= groupWeight ? this.writeGroup() : undefined
  }

  #isNotBeforeLast(row: CellRow): boolean {
    for (const at of this.#options.sortedBy) {
      const order = compareNullable(this.#columns[at]?.[this.#rows - 1] ?? null, row[at] ?? null)
      if (order !== 0) return order < 0
    }
    return true
  }

  /** The files that were written. Rows that are added afterwards go to another file. */
  async finish(): Promise<readonly DataFile[]> {
    await this.writeGroup()
    await this.#closeFile()
    return this.#files.splice(0)
  }

  async cancel(): Promise<void> {
    const file = this.#file
    this.#file = null
    this.#clear()
    await file?.cancel()
  }

  /** Writes the rows that wait in memory. */
  async writeGroup(): Promise<void> {
    const rows = this.#rows
    if (rows === 0) return
    const columns = this.#isSorted ? this.#columns : sortColumns(this.#columns, this.#options.sortedBy)
    this.#clear()
    this.#file ??= this.#openFile()
    await this.#file.writeGroup(columns, rows)
    if (this.#file.size >= fileBytes) await this.#closeFile()
  }

  #clear(): void {
    this.#columns = this.#options.fields.map(() => [])
    this.#rows = 0
    this.#weight = 0
    this.#isSorted = true
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
      partition: this.#options.partition,
      sortOrderId: isSorted ? table.metadata['default-sort-order-id'] : null,
    })
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = null
    if (file !== null) this.#files.push(await file.finish())
  }
}

/** Most sources yield rows in the order of their keys already, so this is rare. */
function sortColumns(columns: readonly Cell[][], sortedBy: readonly number[]): Cell[][] {
  const keys = sortedBy.map((at) => columns[at] ?? [])
  const order = (columns[0] ?? []).map((_, row) => row)
  order.sort((left, right) => {
    for (const key of keys) {
      const difference = compareNullable(key[left] ?? null, key[right] ?? null)
      if (difference !== 0) return difference
    }
    return left - right
  })
  return columns.map((cells) => order.map((row) => cells[row] ?? null))
}

function compareNullable(left: Cell, right: Cell): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1
  return compareCells(left, right)
}
