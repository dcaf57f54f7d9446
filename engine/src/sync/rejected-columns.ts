/** Removes rejected columns and tables from the batches of a source. */
import { joinRows } from '../encoding/copy-text.ts'
import type { RowBatch, Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { ClearedStream } from './schema-changes.ts'

type RowTrimmer = (bytes: Uint8Array) => Uint8Array

/** Converts text batches of the stream as the source describes it to the stream as it is written. */
export async function* withoutRejectedColumns(
  { described, stream }: ClearedStream,
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<RowBatch> {
  if (described === stream) return yield* batches
  const trims = new Map(tablesOf(described).map((table) => [table.name, createTrimmer(table, stream)]))
  for await (const batch of batches) {
    const trim = batch.deletes === true ? undefined : trims.get(batch.table)
    if (trim === undefined) yield batch
    else yield trimBatch(batch, trim, stream.table.name)
  }
}

/** Of a rejected table only the checkpoint is kept. */
function trimBatch({ bytes, release, table, ...batch }: RowBatch, trim: RowTrimmer | null, main: string): RowBatch {
  const kept = trim?.(bytes) ?? new Uint8Array()
  release?.()
  return trim === null ? { ...batch, table: main, bytes: kept, rows: 0 } : { ...batch, table, bytes: kept }
}

/** Null for a rejected table; undefined for one without rejected columns. */
function createTrimmer(table: Table, { table: main, children }: Stream): RowTrimmer | null | undefined {
  const kept = [main, ...children].find(({ name }) => name === table.name)
  if (kept === undefined) return null
  const places = kept.columns.map((column) => table.columns.findIndex(({ name }) => name === column.name))
  if (places.length === table.columns.length) return undefined
  const joiner = joinRows()
  // A copy, because a batch is released while the beginning of a row may still wait for its end.
  return (bytes) => pickColumns(joiner.push(Buffer.from(bytes)), places)
}

/** In COPY text, tabs and newlines occur only as separators, so values need no decoding. */
function pickColumns(rows: Uint8Array, places: readonly number[]): Uint8Array {
  const lines = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('latin1').split('\n')
  lines.pop()
  const kept = lines.map((line) => {
    const values = line.split('\t')
    return `${places.map((place) => values[place] ?? '').join('\t')}\n`
  })
  return Buffer.from(kept.join(''), 'latin1')
}

function tablesOf({ table, children }: Stream): readonly Table[] {
  return [table, ...children]
}
