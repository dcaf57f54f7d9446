/** Compresses replaced rows, so that an undo can restore them. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { widenValue, type OwnColumn, type ColumnValue } from './sheet/column-values.ts'

export function compressRows(columns: readonly OwnColumn[], rows: readonly (readonly ColumnValue[])[]): Buffer {
  return gzipSync(JSON.stringify({ columns: columns.map(({ name }) => name), rows }))
}

/** Rows in the order of these columns. Columns added since are null. */
export function decompressRows(compressed: Buffer, columns: readonly OwnColumn[]): readonly (readonly ColumnValue[])[] {
  const stored = JSON.parse(gunzipSync(compressed).toString('utf8')) as { columns: string[]; rows: ColumnValue[][] }
  const positions = columns.map(({ name, type }) => ({ type, at: stored.columns.indexOf(name) }))
  return stored.rows.map((row) => positions.map(({ at, type }) => widenValue(row[at] ?? null, type)))
}
