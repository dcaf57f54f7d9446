/** The complete keys of a stream, for Cin7 Core tells of no deletion; and the rows of some of them. */
import { eachRow, encodeRow } from '../../encoding/copy-text.ts'
import { encodeDocuments, type RowShape } from '../http/documents.ts'
import { member } from '../http/fields.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { KeyReadRequest } from '../../ports/source.ts'
import type { Cin7 } from './api.ts'
import { readDocument, wantedOf } from './details.ts'
import { walkList } from './lists.ts'
import { listLimit } from './tables/declare.ts'
import type { Cin7Stream } from './tables/declare.ts'

/**
 * A row that vanishes while another comes can hide a third from a walk through several pages, and what is missing here is
 * deleted. So several pages are walked through twice, and what either walk has seen is there.
 */
export async function* readKeys(cin7: Cin7, stream: Cin7Stream): AsyncGenerator<RowBatch> {
  const keys = new Set<string>()
  const pages = await walkOnce(cin7, stream, keys)
  if (pages > 1) await walkOnce(cin7, stream, keys)
  yield { table: stream.shape.table.name, bytes: Buffer.from([...keys].join(''), 'utf8'), rows: keys.size }
}

async function walkOnce(cin7: Cin7, stream: Cin7Stream, keys: Set<string>): Promise<number> {
  const walk = walkList(cin7, stream.list, {
    limit: listLimit,
    encode: (rows) => rows.map((row) => keyOf(stream, row)),
  })
  let pages = 0
  for await (const { content } of walk.pages) {
    pages += 1
    for (const key of content) keys.add(key)
  }
  return pages
}

/** A list cannot be asked for single rows, so all of it is walked through; of documents only those that are wanted cost a call. */
export async function* readByKey(
  cin7: Cin7,
  stream: Cin7Stream,
  keys: Uint8Array,
  request: KeyReadRequest,
): AsyncGenerator<RowBatch> {
  const wanted = new Set(eachRow(keys))
  const isWanted = (row: JsonObject): boolean => wanted.delete(keyOf(stream, row))
  const walk = walkList(cin7, stream.list, { query: wholeQuery(stream), encode: (rows) => rows.filter(isWanted) })
  for await (const { content } of walk.pages) {
    if (stream.kind !== 'dated' && stream.kind !== 'tasks') yield* await encodeDocuments(stream.shape, content)
    else for (const row of content) yield* (await readDocument(cin7, stream, wantedOf(stream, row), request)) ?? []
  }
}

function wholeQuery(stream: Cin7Stream): Readonly<Record<string, string>> {
  return stream.kind === 'list' ? { ...stream.list.whole } : {}
}

function keyOf(stream: Cin7Stream, row: JsonObject): string {
  const node = stream.kind === 'dated' ? { ...row, [stream.parameter]: member(row, stream.id) } : row
  const spot = { document: node, node, section: '', number: 0, ordinal: 1 }
  return encodeRow(keyFields(stream.shape).map(({ read }) => read(spot)))
}

function keyFields({ table, fields }: RowShape): RowShape['fields'] {
  return table.key.flatMap((name) => fields.filter(({ column }) => column.name === name))
}
