/** Writes a data file: rows in groups, each of them sorted, compressed and uploaded before the next is in memory. */
import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Properties } from '../catalog/metadata.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import { encodeLower, encodeUpper } from './bounds.ts'
import { Channel } from './channel.ts'
import { compressColumn, writeColumnChunk } from './column-chunk.ts'
import type { EncodedColumn } from './encoded-column.ts'
import { FileStatistics } from './file-statistics.ts'
import { type DataFile, dataFile } from './manifest.ts'
import { pageCompressors } from './page-compressor.ts'
import type { TableField } from './parquet-schema.ts'

export interface DataFileOptions {
  readonly storage: ObjectStorage
  readonly path: string
  readonly fields: readonly TableField[]
  /** Of the fields. */
  readonly elements: readonly SchemaElement[]
  /** The schema of the table as JSON, which readers without field ids use. */
  readonly schemaJson: string
  readonly partition: { readonly specId: number; readonly values: { readonly [name: string]: number | null } }
  readonly sortOrderId: number | null
}

export const compression: Properties = { 'write.parquet.compression-codec': 'zstd' }

/** Longer than what bounds and statistics keep of a value. */
const keptLength = 64

type ColumnMetadata = NonNullable<RowGroup['columns'][number]['meta_data']>

/** Shortens the least and the greatest value, which stay in memory until the file is complete. */
function detachStatistics(chunk: ColumnMetadata): void {
  const { statistics } = chunk
  if (statistics === undefined) return
  const { min_value: least, max_value: greatest } = statistics
  chunk.statistics = { ...statistics, ...copied('min_value', least), ...copied('max_value', greatest) }
}

function copied(name: 'min_value' | 'max_value', value: unknown): Partial<ColumnMetadata['statistics']> {
  if (typeof value === 'string') return { [name]: Buffer.from(value.slice(0, keptLength)).toString() }
  return value instanceof Uint8Array ? { [name]: Uint8Array.from(value.subarray(0, keptLength)) } : {}
}

function groupOf(columns: ColumnChunk[], rows: number, size: number): RowGroup {
  let uncompressed = 0n
  for (const { meta_data: chunk } of columns) {
    if (chunk === undefined) continue
    detachStatistics(chunk)
    uncompressed += chunk.total_uncompressed_size
  }
  return {
    columns,
    total_byte_size: uncompressed,
    num_rows: BigInt(rows),
    total_compressed_size: BigInt(size),
  }
}

export class ParquetDataFile {
  readonly #options: DataFileOptions
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter
  readonly #statistics: FileStatistics
  readonly #channel = new Channel<Uint8Array>()
  readonly #upload: Promise<number>
  readonly #splits: bigint[] = []
  readonly #leaveCompressors = pageCompressors.enter()
  rows = 0

  constructor(options: DataFileOptions) {
    this.#options = options
    const { elements } = options
    this.#statistics = new FileStatistics(options.fields)
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'table', num_children: elements.length }, ...elements],
      codec: 'ZSTD',
      createdBy: 'Tributary',
      kvMetadata: [{ key: 'iceberg.schema', value: options.schemaJson }],
    })
    this.#upload = options.storage.write(options.path, this.#channel)
    // The next call that waits gets the failure; until then it must not count as unhandled.
    this.#upload.catch((error: unknown) => this.#channel.fail(error))
  }

  get path(): string {
    return this.#options.path
  }

  /** Compressed bytes so far. */
  get size(): number {
    return this.#bytes.offset
  }

  /** One after the other: a group must be complete before the next. @param columns of each field; they must not change until then */
  async writeGroup(columns: readonly EncodedColumn[], rows: number): Promise<void> {
    const compressed = await Promise.all(columns.map(compressColumn))
    const start = this.#bytes.offset
    this.#splits.push(BigInt(start))
    const chunks = compressed.map((column) => writeColumnChunk(this.#bytes, column))
    const group = groupOf(chunks, rows, this.#bytes.offset - start)
    this.#writer.row_groups.push(group)
    this.#writer.num_rows += group.num_rows
    this.#statistics.addGroup(group)
    this.rows += rows
    await this.#channel.push(this.#take())
  }

  async finish(): Promise<DataFile> {
    this.#leaveCompressors()
    await this.#writer.finish()
    await this.#channel.push(this.#take())
    this.#channel.end()
    return this.#describe(await this.#upload)
  }

  /** Ends the upload. The object may exist afterwards. */
  async cancel(): Promise<void> {
    this.#leaveCompressors()
    this.#channel.fail(new Error('The file is not needed.'))
    await this.#upload.catch(() => undefined)
  }

  #take(): Uint8Array {
    const part = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    return part
  }

  #describe(size: number): DataFile {
    const { path, partition, sortOrderId } = this.#options
    const { columnSizes, valueCounts, nullCounts, nanCounts, bounds } = this.#statistics
    const lower = bounds.map(({ id, type, least }) => ({ key: id, value: encodeLower(type, least) }))
    const upper = bounds.flatMap(({ id, type, greatest }) => {
      const value = encodeUpper(type, greatest)
      return value === null ? [] : [{ key: id, value }]
    })
    return dataFile(
      {
        content: 0,
        file_path: path,
        file_format: 'PARQUET',
        partition: partition.values,
        record_count: BigInt(this.rows),
        file_size_in_bytes: BigInt(size),
        column_sizes: columnSizes,
        value_counts: valueCounts,
        null_value_counts: nullCounts,
        nan_value_counts: nanCounts,
        lower_bounds: lower,
        upper_bounds: upper,
        key_metadata: null,
        split_offsets: this.#splits,
        equality_ids: null,
        sort_order_id: sortOrderId,
      },
      partition.specId,
    )
  }
}
