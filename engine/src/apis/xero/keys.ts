/** The complete keys of a list, for finding what has vanished from it without a word; and the rows of some of them. */
import { encodeRow, eachRow } from '../../encoding/copy-text.ts'
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { XeroApi } from './api.ts'
import { readPage } from './pages.ts'
import type { XeroStream } from './tables/declare.ts'

export async function* readKeys(api: XeroApi, stream: XeroStream): AsyncGenerator<RowBatch> {
  const lines = (await readList(api, stream)).map((row) => keyOf(stream, row))
  yield { table: stream.shape.table.name, bytes: Buffer.from(lines.join(''), 'utf8'), rows: lines.length }
}

export async function* readByKey(api: XeroApi, stream: XeroStream, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const wanted = new Set(eachRow(keys))
  yield* await encodeDocuments(
    stream.shape,
    (await readList(api, stream)).filter((row) => wanted.has(keyOf(stream, row))),
  )
}

/** Only lists that come in one answer vanish without a word. */
async function readList(api: XeroApi, stream: XeroStream): Promise<readonly JsonObject[]> {
  if (stream.kind !== 'changing' || stream.vanishes !== true)
    throw new Error(`The keys of ${stream.name} are not compared.`)
  return (await readPage(api, stream, { number: 1 })).rows
}

function keyOf({ shape: { table, fields } }: XeroStream, row: JsonObject): string {
  const spot = { document: row, node: row, section: '', number: 0, ordinal: 1 }
  return encodeRow(
    table.key.flatMap((name) => fields.filter(({ column }) => column.name === name)).map(({ read }) => read(spot)),
  )
}
