/** Writes rows to data files of a sensible size. Rows wait in memory until a row group is full, which is sorted by key. */
import type { SchemaElement } from 'hyparquet'
import type { LoadedTable } from '../catalog/catalog.ts'
import { type FieldPlan, RowGroupBuffer } from '../columns/row-group-buffer.ts'
import type { TextFields } from '../columns/text-fields.ts'
import type { Cell } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { ParquetDataFile } from '../format/parquet-file.ts'
import { parquetElements, type TableField } from '../format/parquet-schema.ts'
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

/**
 * Two row groups are the memory of a writer: one that is compressed and uploaded, and one that the next rows get into. Each costs some calls of the
 * compressor for a column, and reading a single row decodes a whole one.
 */
const groupRows = 50_000
const groupWeight = 16 * 1_048_576
const fileBytes = 96 * 1_048_576

export class DataWriter {
  readonly #options: DataWriterOptions
  readonly #elements: readonly SchemaElement[]
  readonly #files: DataFile[] = []
  #group: RowGroupBuffer
  /** A group that has been written: its memory is used again. */
  #spare: RowGroupBuffer | null = null
  #file: ParquetDataFile | null = null
  /** The last group on its way into the file. */
  #writing: Promise<void> = Promise.resolve()

  constructor(options: DataWriterOptions) {
    this.#options = options
    this.#elements = parquetElements(options.fields)
    this.#group = this.#newGroup()
  }

  /** Undefined if it can take the next row at once. */
  add(row: CellRow): Promise<void> | undefined {
    this.#group.add(row)
    return this.#isFull ? this.writeGroup() : undefined
  }

  /** Adds rows from text, up to one that has a field that cannot be read in columns. Returns how many. */
  async addFields(fields: TextFields, plan: FieldPlan): Promise<number> {
    const added = this.#group.addFields(fields, plan)
    if (this.#isFull) await this.writeGroup()
    return added
  }

  get #isFull(): boolean {
    return this.#group.rows >= groupRows || this.#group.weight >= groupWeight
  }

  /** The files that were written. Rows that are added afterwards go to another file. */
  async finish(): Promise<readonly DataFile[]> {
    await this.writeGroup()
    await this.#writing
    await this.#closeFile()
    this.#spare = null
    this.#group = this.#newGroup()
    return this.#files.splice(0)
  }

  async cancel(): Promise<void> {
    const file = this.#file
    this.#file = null
    this.#group.clear()
    await file?.cancel()
    await this.#writing.catch(() => undefined)
  }

  /** Lets the rows that wait in memory be written, as soon as those before them are. */
  async writeGroup(): Promise<void> {
    await this.#writing
    const group = this.#group
    if (group.rows === 0) return
    if (this.#file !== null && this.#file.size >= fileBytes) await this.#closeFile()
    this.#group = this.#spare ?? this.#newGroup()
    this.#spare = null
    this.#file ??= this.#openFile()
    this.#writing = this.#write(group, this.#file)
    // The next call gets the failure; until then it must not count as unhandled.
    this.#writing.catch(() => undefined)
  }

  async #write(group: RowGroupBuffer, file: ParquetDataFile): Promise<void> {
    await file.writeGroup(group.encode(), group.rows)
    group.clear()
    this.#spare = group
  }

  #newGroup(): RowGroupBuffer {
    return new RowGroupBuffer(this.#elements, this.#options.sortedBy)
  }

  #openFile(): ParquetDataFile {
    const { table, fields, nextPath } = this.#options
    const schema = schemaOf(table.metadata)
    const isSorted = this.#options.sortedBy.length > 0
    return new ParquetDataFile({
      storage: table.storage,
      path: nextPath(),
      fields,
      elements: this.#elements,
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
