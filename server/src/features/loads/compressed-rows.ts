/** Rows that were replaced, packed so that they can be brought back. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { asType, type OwnColumn, type Value } from './sheet/column-values.ts'

export function packRows(columns: readonly OwnColumn[], rows: readonly (readonly Value[])[]): Buffer {
  return gzipSync(JSON.stringify({ columns: columns.map(({ name }) => name), rows }))
}

/** As rows of these columns, of which there may be more by now. */
export function unpackRows(packed: Buffer, columns: readonly OwnColumn[]): readonly (readonly Value[])[] {
  const kept = JSON.parse(gunzipSync(packed).toString('utf8')) as { columns: string[]; rows: Value[][] }
  const places = columns.map(({ name, type }) => ({ type, at: kept.columns.indexOf(name) }))
  return kept.rows.map((row) => places.map(({ at, type }) => asType(row[at] ?? null, type)))
}
