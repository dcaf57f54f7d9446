/** Applies the rules of a stream to documents that its source has sent again for verification. */
import { decodeRows, encodeRow } from '../encoding/copy-text.ts'
import type { DocumentSample } from '../ports/document-sample.ts'
import type { RowBatch } from '../ports/model.ts'
import { shapeRows } from './shape-rows.ts'
import type { ShapedStream } from './shaped-stream.ts'

/**
 * The source counts rows that a filter leaves out, and lists keys without the values that decide. So of a filtered table only the documents
 * that were read again are compared, unless all of them were.
 */
export async function shapeSample(shaped: ShapedStream, sample: DocumentSample): Promise<DocumentSample> {
  const { original, filter } = shaped
  const batches: RowBatch[] = []
  for await (const batch of shapeRows(shaped, sample.batches, { deletes: false })) batches.push(batch)
  if (filter === null) return { ...sample, batches }
  const { name, key, columns } = original.table
  const places = key.map((column) => columns.findIndex((each) => each.name === column))
  const keysOf = (of: readonly RowBatch[]): readonly string[] =>
    of
      .filter((batch) => batch.table === name && batch.deletes !== true)
      .flatMap(({ bytes }) => decodeRows(bytes).map((row) => encodeRow(places.map((at) => row[at] ?? null))))
  const read = new Set(keysOf(sample.batches))
  const isComplete = sample.isComplete && sample.listed.every((one) => read.has(one))
  const kept = batches.filter((batch) => batch.deletes !== true)
  return { ...sample, batches: kept, listed: keysOf(kept), isComplete, count: null }
}
