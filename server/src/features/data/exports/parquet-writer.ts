/** Writes a Parquet file in row groups, so that only one of them is in memory. */
import type { DataCell } from '@tributary/contract/data'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { ExportedTable, ExportRow } from './export-rows.ts'
import { type ParquetColumn, toParquetColumn } from './parquet-columns.ts'

/** Rows of a group, unless its values are larger. */
const groupRows = 20_000
const groupMaxChars = 16 * 1_048_576

export async function* writeParquet({ columns, rows }: ExportedTable): AsyncGenerator<Uint8Array> {
  const all = columns.map(toParquetColumn)
  const bytes = new ByteWriter()
  const schema = [{ name: 'rows', num_children: all.length }, ...all.map(({ element }) => element)]
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'Tributary' })
  let group: ExportRow[] = []
  let size = 0
  for await (const batch of rows) {
    for (const row of batch) {
      group.push(row)
      size += sizeOf(row)
      if (group.length < groupRows && size < groupMaxChars) continue
      await writeGroup(file, all, group)
      yield taken(bytes)
      group = []
      size = 0
    }
  }
  if (group.length > 0) await writeGroup(file, all, group)
  await file.finish()
  yield taken(bytes)
}

function sizeOf(row: ExportRow): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 4), 0)
}

async function writeGroup(
  file: ParquetWriter,
  columns: readonly ParquetColumn[],
  rows: readonly ExportRow[],
): Promise<void> {
  const columnData = columns.map(({ element, convert }, at) => ({
    name: element.name,
    data: rows.map((row) => converted(row[at] ?? null, convert)),
    offsetIndex: false,
  }))
  await file.write({ columnData, rowGroupSize: rows.length })
}

function converted(value: DataCell, convert: ParquetColumn['convert']): unknown {
  return value === null ? null : convert(value)
}

/** Copies what was written, and begins again at the start of the buffer. */
function taken(bytes: ByteWriter): Uint8Array {
  const part = bytes.getBytes().slice()
  bytes.index = 0
  return part
}
