/** Reads documents one by one: one call for each that its list reports as changed. */
import { asMilliseconds } from '../http/canonical-text.ts'
import { allLackKeys, encodeDocuments } from '../http/documents.ts'
import { isObject, readMembers } from '../http/fields.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { KeyReadRequest, ReadRequest } from '../../ports/source.ts'
import { type Cin7Connection, isNoSuchRecord, unknownFormatFault } from './api.ts'
import {
  buildQueue,
  type ChangeSpan,
  checkpointOf,
  earliestMoment,
  type QueuedDocument,
  spansFromCheckpoint,
  spansLeftAfter,
} from './detail-queue.ts'
import { sinceQuery, walkList } from './lists.ts'
import { type DatedStream, type DetailStream, textOf } from './tables/stream-kinds.ts'

/** A document to fetch. */
export interface DocumentReference {
  readonly id: string
  readonly path: string
  /** The list's row, if it holds more than the document does. */
  readonly row?: JsonObject
}

export function documentReferenceOf(stream: DetailStream, row: JsonObject): DocumentReference {
  return { id: textOf(row, stream.id), path: stream.pathOf(row), ...(stream.kind === 'tasks' && { row }) }
}

export async function* readDated(
  cin7: Cin7Connection,
  stream: DatedStream,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  let spans = spansFromCheckpoint(request.since)
  const { queue, until } = await listChanges(cin7, stream, spans)
  reportLength(cin7, stream, queue.length, request)

  for (const reference of queue) {
    const batches = await readDocument(cin7, stream, reference, request)
    spans = spansLeftAfter(spans, reference)
    yield* batches ?? []
    yield checkpointBatch(stream.shape, checkpointOf(spans, until))
  }
  yield checkpointBatch(stream.shape, checkpointOf([], until))
}

type ChangedDocument = QueuedDocument & DocumentReference

/** Lists all changes within the spans, as a queue sorted newest first. */
export async function listChanges(
  cin7: Cin7Connection,
  stream: DatedStream,
  spans: readonly ChangeSpan[],
): Promise<{ queue: ChangedDocument[]; until: number }> {
  const query = sinceQuery(stream.list, earliestMoment(spans))
  const walk = walkList(cin7, stream.list, {
    query,
    encode: (rows) => rows.map((row) => changedDocumentOf(stream, row)),
  })
  const items: ChangedDocument[] = []
  for await (const page of walk.pages) items.push(...page.content)
  // Documents without an id or change date would sort last and never be read again.
  if (items.length > 0 && items.every(({ id, changedAt }) => id === '' || changedAt === 0))
    throw unknownFormatFault(stream.list.path)
  return { queue: buildQueue(spans, items), until: walk.until() }
}

function changedDocumentOf(stream: DatedStream, row: JsonObject): ChangedDocument {
  const changedAt = asMilliseconds(textOf(row, stream.changed))
  // A row without a change date sorts last: a full sync reads it.
  return { ...documentReferenceOf(stream, row), changedAt: Number.isNaN(changedAt) ? 0 : changedAt }
}

/** Returns the document as batches, or null, with a notice, if Cin7 Core no longer has it. */
export async function readDocument(
  cin7: Cin7Connection,
  stream: DetailStream,
  reference: DocumentReference,
  request: KeyReadRequest,
): Promise<RowBatch[] | null> {
  const document = await fetchDocument(cin7, stream, reference, request)
  return document === null ? null : await encodeDocuments(stream.shape, [{ ...reference.row, ...document }])
}

async function fetchDocument(
  { client }: Cin7Connection,
  stream: DetailStream,
  reference: DocumentReference,
  { log }: KeyReadRequest,
): Promise<JsonObject | null> {
  const { parameter, detailQuery, wrap, noun } = stream
  try {
    const { json } = await client.get(reference.path, { [parameter]: reference.id, ...detailQuery })
    const document = wrap === undefined ? json : (readMembers(json, wrap)[0] ?? null)
    if (isObject(document) && allLackKeys(stream.shape, [document])) throw unknownFormatFault(reference.path)
    if (isObject(document)) return document
  } catch (error) {
    if (!isNoSuchRecord(error)) throw error
  }
  log(
    `Cin7 Core lists ${reference.id} among the ${noun} but has no such record. It is left out until Cin7 Core lists it again.`,
  )
  return null
}

export function reportLength(
  { callsPerMinute }: Cin7Connection,
  { noun }: DetailStream,
  count: number,
  { log }: ReadRequest,
): void {
  if (count <= callsPerMinute) return
  log(
    `${count} ${noun} are read one by one; Cin7 Core's limit makes that about ${Math.ceil(count / callsPerMinute)} minutes. If the run is interrupted, the next run continues there.`,
  )
}
