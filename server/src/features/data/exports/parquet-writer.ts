/** Writes a Parquet file in row groups, so that only one of them is in memory. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { ExportedTable, ExportRow } from './exported-table.ts'
import { type ParquetColumn, toParquetColumn } from './parquet-columns.ts'

/** Rows of a group, unless its values are larger. */
const groupRows = 10_000
const groupMaxChars = 8 * 1_048_576

export async function* writeParquet({ columns, rows }: ExportedTable): AsyncGenerator<Uint8Array> {
  const all = columns.map(toParquetColumn)
  const bytes = new ByteWriter()
  const schema = [{ name: 'rows', num_children: all.length }, ...all.map(({ element }) => element)]
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'Tributary' })
  let group = new RowGroup(all)
  for await (const batch of rows) {
    for (const row of batch) {
      group.add(row)
      if (!group.isFull) continue
      await group.writeTo(file)
      yield taken(bytes)
      group = new RowGroup(all)
    }
  }
  if (group.rows > 0) await group.writeTo(file)
  await file.finish()
  yield taken(bytes)
}

/** The values of each column, converted at once: they need less memory than the rows. */
class RowGroup {
  readonly #columns: readonly ParquetColumn[]
  readonly #values: readonly unknown[][]
  #chars = 0
  rows = 0

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns
    this.#values = columns.map(() => [])
  }

  get isFull(): boolean {
    return this.rows === groupRows || this.#chars >= groupMaxChars
  }

  add(row: ExportRow): void {
    for (const [at, { convert }] of this.#columns.entries()) {
      const value = row[at] ?? null
      this.#values[at]?.push(value === null ? null : convert(value))
      this.#chars += valueChars + (typeof value === 'string' ? value.length : 0)
    }
    this.rows += 1
  }

  async writeTo(file: ParquetWriter): Promise<void> {
    const columnData = this.#columns.map(({ element: { name } }, at) => ({
      name,
      data: this.#values[at] ?? [],
      offsetIndex: false,
    }))
    await file.write({ columnData, rowGroupSize: this.rows })
  }
}

/** What a value needs in addition to its characters. */
const valueChars = 16

/** Copies what was written, and begins again at the start of the buffer. */
function taken(bytes: ByteWriter): Uint8Array {
  const part = bytes.getBytes().slice()
  bytes.index = 0
  return part
}
