/** Reads a whole list, or only its keys. */
import type { RowBatch } from '../../../ports/model.ts'
import { eachRow } from '../../../encoding/copy-text.ts'
import { encodeKeys, keyOf } from '../../http/documents.ts'
import { type DescribedStream, parametersOf } from './described-stream.ts'
import { RecordEncoder } from './record-encoder.ts'
import { withDetails } from './details.ts'
import { walkList } from './walk-list.ts'

export async function* readWhole(stream: DescribedStream): AsyncGenerator<RowBatch> {
  const encoder = new RecordEncoder(stream, { skipsDeleted: true })
  for await (const page of walkList(stream))
    yield* await encoder.encode(await withDetails(stream, page.records), page.number)
}

/** The rows with these keys, which a walk through the whole list finds. @param keys encoded rows of key values */
export async function* readWholeByKey(stream: DescribedStream, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const wanted = new Set(eachRow(keys))
  const encoder = new RecordEncoder(stream, { skipsDeleted: true })
  const { shape } = stream
  for await (const page of walkList(stream)) {
    const found = page.records.filter((record) => wanted.has(keyOf(shape, record)))
    if (found.length > 0) yield* await encoder.encode(await withDetails(stream, found), page.number)
  }
}

/** The keys of all records that are not deleted. */
export async function* readKeys(stream: DescribedStream): AsyncGenerator<RowBatch> {
  const { description, shape } = stream
  const query = description.deletes?.kind === 'keys' ? parametersOf(stream, description.deletes.query) : {}
  for await (const page of walkList(stream, { query })) {
    const present = page.records.filter((record) => !stream.isDeleted(record))
    if (present.length > 0) yield encodeKeys(shape, present)
  }
}
