/** Reads the ledger's journals, which never change: each has a number, and Xero gives those above a number, oldest first. */
import { asText } from '../http/canonical.ts'
import { areNameless, encodeDocuments } from '../http/documents.ts'
import { member } from '../http/fields.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { unknownShape } from './api.ts'
import type { XeroApi } from './api.ts'
import { rowsOf } from './pages.ts'
import type { JournalStream } from './tables/declare.ts'

const page = 100
/** Journals that are written together may be seen in another order than they are numbered. */
const overlap = 20

export async function* readJournals(
  api: XeroApi,
  stream: JournalStream,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { name: path, scope, shape } = stream
  const reached = since?.['offset']
  let offset = typeof reached === 'number' ? Math.max(0, reached - overlap) : 0
  let highest = typeof reached === 'number' ? reached : 0
  for (;;) {
    const rows = rowsOf(await api.ask({ path, scope, query: { offset: String(offset) } }), stream)
    if (areNameless(shape, rows)) throw unknownShape(path)
    const numbers = rows.map((row) => Number(asText(member(row, 'JournalNumber'))))
    if (numbers.some((number) => !Number.isSafeInteger(number))) throw unknownShape(path)
    const next = Math.max(offset, ...numbers)
    highest = Math.max(highest, next)
    yield* await encodeDocuments(shape, rows)
    yield { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { offset: highest } }
    if (rows.length < page || next === offset) return
    offset = next
  }
}
