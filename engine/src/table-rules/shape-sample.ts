/** Applies the rules of a stream to documents that its source has sent again for verification. */
import { decodeRows, encodeRow } from '../encoding/copy-text.ts'
import type { DocumentSample, NoSample } from '../ports/document-sample.ts'
import type { RowBatch } from '../ports/model.ts'
import { shapeRows } from './shape-rows.ts'
import type { ShapedStream } from './shaped-stream.ts'

const noneMatches = 'No document that was read again matches the filter of the table, so none could be compared.'

/**
 * The source counts rows that a filter leaves out, and lists keys without the values that decide. So of a filtered table only the documents
 * that were read again are compared, unless all of them were.
 */
export async function shapeSample(shaped: ShapedStream, sample: DocumentSample): Promise<DocumentSample | NoSample> {
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
  if (!isComplete && read.size > 0 && keysOf(kept).length === 0) return { reason: noneMatches }
  return { ...sample, batches: kept, listed: keysOf(kept), isComplete, count: null }
}
