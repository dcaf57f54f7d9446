/**
 * Reads the ledger's journals, which never change. Keyset pagination: Xero returns the journals above a number,
 * oldest first.
 */
import { asText } from '../http/canonical-text.ts'
import { allLackKeys, encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { unknownFormatFault, type XeroApi } from './api.ts'
import { rowsOf } from './read-page.ts'
import type { JournalStream } from './tables/stream-kinds.ts'

const page = 100
/** Journals that are written together may become visible in a different order than their numbers. */
const overlap = 20

export async function* readJournals(
  api: XeroApi,
  stream: JournalStream,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { shape } = stream
  const reached = since?.['offset']
  let offset = typeof reached === 'number' ? Math.max(0, reached - overlap) : 0
  let highest = typeof reached === 'number' ? reached : 0
  for (;;) {
    const rows = await readJournalsAfter(api, stream, offset)
    const numbers = rows.map(numberOfJournal)
    if (numbers.some((number) => !Number.isSafeInteger(number))) throw unknownFormatFault(stream.name)
    const next = Math.max(offset, ...numbers)
    highest = Math.max(highest, next)
    yield* await encodeDocuments(shape, rows)
    yield checkpointBatch(shape, { offset: highest })
    if (rows.length < page || next === offset) return
    offset = next
  }
}

/** The next hundred journals above a number. */
export async function readJournalsAfter(
  api: XeroApi,
  stream: JournalStream,
  offset: number,
): Promise<readonly JsonObject[]> {
  const { name: path, scope, shape } = stream
  const rows = rowsOf(await api.get({ path, scope, query: { offset: String(offset) } }), stream)
  if (allLackKeys(shape, rows)) throw unknownFormatFault(path)
  return rows
}

export function numberOfJournal(row: JsonObject): number {
  return Number(asText(readMember(row, 'JournalNumber')))
}
