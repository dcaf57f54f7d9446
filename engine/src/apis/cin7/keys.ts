/** Reads all keys of a stream, because Cin7 Core reports no deletions, and the rows of selected keys. */
import { eachRow } from '../../encoding/copy-text.ts'
import { batchOf, encodeDocuments, keyOf } from '../http/documents.ts'
import { readMember } from '../http/fields.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { KeyReadRequest } from '../../ports/source.ts'
import type { Cin7Connection } from './api.ts'
import { readDocument, documentReferenceOf } from './details.ts'
import { walkList } from './lists.ts'
import { type Cin7Stream, listLimit } from './tables/stream-kinds.ts'

/**
 * Rows that move between pages during the walk can hide another row, and a missing key deletes its row.
 * So a list of several pages is walked twice, and a key from either walk counts.
 */
export async function* readKeys(cin7: Cin7Connection, stream: Cin7Stream): AsyncGenerator<RowBatch> {
  const keys = new Set<string>()
  const pages = await collectKeys(cin7, stream, keys)
  if (pages > 1) await collectKeys(cin7, stream, keys)
  yield batchOf(stream.shape, [...keys])
}

async function collectKeys(cin7: Cin7Connection, stream: Cin7Stream, keys: Set<string>): Promise<number> {
  const walk = walkList(cin7, stream.list, {
    limit: listLimit,
    encode: (rows) => rows.map((row) => keyOfRow(stream, row)),
  })
  let pages = 0
  for await (const { content } of walk.pages) {
    pages += 1
    for (const key of content) keys.add(key)
  }
  return pages
}

/**
 * Reads the rows of these keys. Cin7 cannot filter a list by key, so the whole list is walked; only requested
 * documents cost a call.
 */
export async function* readByKey(
  cin7: Cin7Connection,
  stream: Cin7Stream,
  keys: Uint8Array,
  request: KeyReadRequest,
): AsyncGenerator<RowBatch> {
  const requestedKeys = new Set(eachRow(keys))
  const isRequested = (row: JsonObject): boolean => requestedKeys.delete(keyOfRow(stream, row))
  const walk = walkList(cin7, stream.list, { query: fullQueryOf(stream), encode: (rows) => rows.filter(isRequested) })
  for await (const { content } of walk.pages) {
    if (stream.kind !== 'dated' && stream.kind !== 'tasks') yield* await encodeDocuments(stream.shape, content)
    else
      for (const row of content)
        yield* (await readDocument(cin7, stream, documentReferenceOf(stream, row), request)) ?? []
  }
}

function fullQueryOf(stream: Cin7Stream): Readonly<Record<string, string>> {
  return stream.kind === 'list' ? { ...stream.list.fullQuery } : {}
}

/** The list calls the id of a dated stream's document by another key than the document does. */
export function keyOfRow(stream: Cin7Stream, row: JsonObject): string {
  return keyOf(stream.shape, stream.kind === 'dated' ? { ...row, [stream.parameter]: readMember(row, stream.id) } : row)
}
