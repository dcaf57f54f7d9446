/** Reads all keys of a list, to find rows that were deleted without notice, and the rows of selected keys. */
import { eachRow } from '../../encoding/copy-text.ts'
import { encodeDocuments, encodeKeys, keyOf } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { XeroApi } from './api.ts'
import { readPage } from './read-page.ts'
import type { XeroStream } from './tables/stream-kinds.ts'

export async function* readKeys(
  api: XeroApi,
  stream: XeroStream,
  columns: readonly string[] = [],
): AsyncGenerator<RowBatch> {
  const rows = await readList(api, stream)
  yield encodeKeys(stream.shape, rows, columns)
}

export async function* readByKey(api: XeroApi, stream: XeroStream, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const requestedKeys = new Set(eachRow(keys))
  yield* await encodeDocuments(
    stream.shape,
    (await readList(api, stream)).filter((row) => requestedKeys.has(keyOf(stream.shape, row))),
  )
}

/** Only lists that fit into one response have unreported deletions. */
async function readList(api: XeroApi, stream: XeroStream): Promise<readonly JsonObject[]> {
  if (stream.kind !== 'changing' || stream.hasUnreportedDeletions !== true)
    throw new Error(`The keys of ${stream.name} are not compared.`)
  return (await readPage(api, stream, { number: 1 })).rows
}
