/** Reads documents of Cin7 Core again, to be compared with their copies: pages of a list, documents behind it, or a month of the ledger. */
import { encodeDocuments, keyOf } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../../ports/document-sample.ts'
import type { Cin7Connection } from './api.ts'
import { overlapMs, spansFromCheckpoint } from './detail-queue.ts'
import { documentReferenceOf, listChanges, readDocument } from './details.ts'
import { keyOfRow } from './keys.ts'
import { readLedgerMonth } from './ledger.ts'
import { readListPage, sinceQuery } from './lists.ts'
import { dueTasks } from './tasks.ts'
import {
  type Cin7Stream,
  type DetailStream,
  type LedgerStream,
  listLimit,
  type ListStream,
} from './tables/stream-kinds.ts'

export async function readSample(
  cin7: Cin7Connection,
  stream: Cin7Stream,
  request: SampleRequest,
): Promise<DocumentSample | NoSample> {
  if (stream.kind === 'ledger') return await sampleLedger(cin7, stream, request)
  const pages = await readPages(cin7, stream, request)
  const listed = new Map(pages.rows.map((row) => [keyOfRow(stream, row), row]))
  const common = { listed: [...listed.keys()], isComplete: pages.isComplete, count: countOf(pages, listed.size) }
  if (stream.kind !== 'list') return { ...common, ...(await sampleDocuments(cin7, stream, { request, listed })) }
  const batches = await encodeDocuments(stream.shape, [...listed.values()])
  return { ...common, batches, changed: await listChangedRows(cin7, stream, request) }
}

interface SampledPages {
  readonly rows: readonly JsonObject[]
  readonly isComplete: boolean
  readonly total: number | null
}

/** All rows of a short list; otherwise its first page, which counts the rows, and another one. */
async function readPages(
  cin7: Cin7Connection,
  stream: ListStream | DetailStream,
  { calls, position }: SampleRequest,
): Promise<SampledPages> {
  const limit = stream.list.limit ?? listLimit
  const query = stream.kind === 'list' ? stream.list.fullQuery : undefined
  const read = (number: number) => readListPage(cin7, stream.list, { number, limit, ...(query && { query }) })
  const first = await read(1)
  const { total } = first
  const size = first.rows.length
  if (total === null || size === 0 || total <= size)
    return { rows: first.rows, isComplete: total === null ? size < limit : total <= size, total: total ?? size }
  const pages = Math.ceil(total / size)
  // One is left for the changes since the last run.
  if (pages > Math.max(1, calls - 1)) {
    const other = await read(2 + Math.floor(position * (pages - 1)))
    return { rows: [...first.rows, ...other.rows], isComplete: false, total }
  }
  const rows = [...first.rows]
  for (let number = 2; number <= pages; number += 1) rows.push(...(await read(number)).rows)
  return { rows, isComplete: rows.length >= total, total }
}

/** The same key may be on two pages, so a complete list counts its keys. */
function countOf({ isComplete, total }: SampledPages, keys: number): DocumentSample['count'] {
  const rows = isComplete ? keys : total
  return rows === null ? null : { rows }
}

/** Null if they do not fit into one page, or if Cin7 Core does not report them. */
async function listChangedRows(
  cin7: Cin7Connection,
  stream: ListStream,
  { checkpoint }: SampleRequest,
): Promise<ReadonlySet<string> | null> {
  const until = checkpoint?.['until']
  if (stream.list.since === undefined || typeof until !== 'number' || checkpoint?.['page'] !== undefined) return null
  const query = sinceQuery(stream.list, until - overlapMs)
  const { rows, total } = await readListPage(cin7, stream.list, {
    number: 1,
    limit: stream.list.limit ?? listLimit,
    query,
  })
  return (total ?? rows.length) > rows.length ? null : new Set(rows.map((row) => keyOfRow(stream, row)))
}

interface ListedDocuments {
  readonly request: SampleRequest
  readonly listed: ReadonlyMap<string, JsonObject>
}

async function sampleDocuments(
  cin7: Cin7Connection,
  stream: DetailStream,
  { request, listed }: ListedDocuments,
): Promise<Pick<DocumentSample, 'batches' | 'changed'>> {
  const rows = [...listed.values()]
  const batches: RowBatch[] = []
  for (const row of spread(rows, request))
    batches.push(
      ...((await readDocument(cin7, stream, documentReferenceOf(stream, row), {
        encoding: 'text',
        log: request.log,
      })) ?? []),
    )
  return { batches, changed: await listChangedDocuments(cin7, stream, { request, listed }) }
}

/** As many as a sample has, at equal distances. */
function spread(rows: readonly JsonObject[], { documents, position }: SampleRequest): readonly JsonObject[] {
  if (rows.length <= documents) return rows
  const step = rows.length / documents
  return Array.from({ length: documents }, (_, at) => rows[Math.floor((at + position) * step)]).filter(
    (row) => row !== undefined,
  )
}

async function listChangedDocuments(
  cin7: Cin7Connection,
  stream: DetailStream,
  { request: { checkpoint }, listed }: ListedDocuments,
): Promise<ReadonlySet<string> | null> {
  if (checkpoint === null) return null
  if (stream.kind === 'tasks')
    return new Set(dueTasks([...listed.values()], checkpoint).map((row) => keyOfRow(stream, row)))
  const { queue } = await listChanges(cin7, stream, spansFromCheckpoint(checkpoint))
  return new Set(queue.map(({ id }) => keyOf(stream.shape, { [stream.parameter]: id })))
}

/** Entries have no change date. Their number in all months is compared, and those of one month. */
async function sampleLedger(
  cin7: Cin7Connection,
  stream: LedgerStream,
  { checkpoint, position }: SampleRequest,
): Promise<DocumentSample | NoSample> {
  const month = await readLedgerMonth(cin7, stream, checkpoint, position)
  if (month === null) return { reason: 'The ledger had no entries when it was last read.' }
  const { document, entries } = month
  const [table] = stream.shape.children
  return {
    batches: await encodeDocuments(stream.shape, [document]),
    listed: [keyOf(stream.shape, document)],
    isComplete: false,
    count: table === undefined ? null : { rows: entries, table: table.table.name },
    changed: null,
  }
}
