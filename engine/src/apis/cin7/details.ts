/** Reads documents whole, one call for each that its list says has changed. */
import { asMilliseconds } from '../http/canonical.ts'
import { areNameless, encodeDocuments } from '../http/documents.ts'
import { isObject, members } from '../http/fields.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { KeyReadRequest, ReadRequest } from '../../ports/source.ts'
import { isNoSuchRecord, unknownShape } from './api.ts'
import type { Cin7 } from './api.ts'
import { checkpointOf, earliest, queueOf, spansAfter, spansOf } from './detail-queue.ts'
import type { Item, Span } from './detail-queue.ts'
import { sinceQuery, walkList } from './lists.ts'
import { textOf } from './tables/declare.ts'
import type { DatedStream, DetailStream } from './tables/declare.ts'

/** One document to read. */
export interface Wanted {
  readonly id: string
  readonly path: string
  /** What the list says of it, where that is more than the document does. */
  readonly row?: JsonObject
}

export function wantedOf(stream: DetailStream, row: JsonObject): Wanted {
  return { id: textOf(row, stream.id), path: stream.pathOf(row), ...(stream.kind === 'tasks' && { row }) }
}

export async function* readDated(cin7: Cin7, stream: DatedStream, request: ReadRequest): AsyncGenerator<RowBatch> {
  let spans = spansOf(request.since)
  const { queue, until } = await changedSince(cin7, stream, spans)
  tellLength(cin7, stream, queue.length, request)

  for (const wanted of queue) {
    const batches = await readDocument(cin7, stream, wanted, request)
    spans = spansAfter(spans, wanted)
    yield* batches ?? []
    yield border(stream, checkpointOf(spans, until))
  }
  yield border(stream, checkpointOf([], until))
}

type DatedItem = Item & Wanted

/** All that is left to do, oldest pages first for the list, newest first for the documents. */
async function changedSince(
  cin7: Cin7,
  stream: DatedStream,
  spans: readonly Span[],
): Promise<{ queue: DatedItem[]; until: number }> {
  const query = sinceQuery(stream.list, earliest(spans))
  const walk = walkList(cin7, stream.list, { query, encode: (rows) => rows.map((row) => itemOf(stream, row)) })
  const items: DatedItem[] = []
  for await (const page of walk.pages) items.push(...page.content)
  // Taken for the oldest of all, not one of them would be read again.
  if (items.length > 0 && items.every(({ id, changedAt }) => id === '' || changedAt === 0))
    throw unknownShape(stream.list.path)
  return { queue: queueOf(spans, items), until: walk.until() }
}

function itemOf(stream: DatedStream, row: JsonObject): DatedItem {
  const changedAt = asMilliseconds(textOf(row, stream.changed))
  // A row that does not say when it changed is taken for the oldest of all: it is read by a full sync.
  return { ...wantedOf(stream, row), changedAt: Number.isNaN(changedAt) ? 0 : changedAt }
}

/** The document as batches; null, and people are told, where Cin7 Core has none any more. */
export async function readDocument(
  cin7: Cin7,
  stream: DetailStream,
  wanted: Wanted,
  request: KeyReadRequest,
): Promise<RowBatch[] | null> {
  const document = await findDocument(cin7, stream, wanted, request)
  return document === null ? null : await encodeDocuments(stream.shape, [{ ...wanted.row, ...document }])
}

async function findDocument(
  { client }: Cin7,
  stream: DetailStream,
  wanted: Wanted,
  { log }: KeyReadRequest,
): Promise<JsonObject | null> {
  const { parameter, detailQuery, wrap, noun } = stream
  try {
    const { json } = await client.get(wanted.path, { [parameter]: wanted.id, ...detailQuery })
    const document = wrap === undefined ? json : (members(json, wrap)[0] ?? null)
    if (isObject(document) && areNameless(stream.shape, [document])) throw unknownShape(wanted.path)
    if (isObject(document)) return document
  } catch (error) {
    if (!isNoSuchRecord(error)) throw error
  }
  log(`Cin7 Core named ${wanted.id} among the ${noun} but has no such record. It is left out until it is named again.`)
  return null
}

/** No rows, only the promise that all before are whole. */
export function border({ shape }: DetailStream, checkpoint: Checkpoint): RowBatch {
  return { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint }
}

export function tellLength(
  { callsPerMinute }: Cin7,
  { noun }: DetailStream,
  count: number,
  { log }: ReadRequest,
): void {
  if (count <= callsPerMinute) return
  log(
    `${count} ${noun} are read one by one; Cin7 Core's limit makes that about ${Math.ceil(count / callsPerMinute)} minutes. What is cut off goes on with the next run.`,
  )
}
