/** Reads documents whole, one call for each that its list says has changed. */
import type { ApiClient } from '../../http/client.ts'
import type { Clock } from '../../clock.ts'
import { asMilliseconds } from '../../http/canonical.ts'
import { encodeDocuments } from '../../http/documents.ts'
import { isObject } from '../../http/fields.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { Fault } from '../../faults.ts'
import type { Batch } from '../../model.ts'
import type { ReadRequest } from '../../source.ts'
import { cin7Pace, noSuchRecordCode } from './api.ts'
import { checkpointOf, earliest, queueOf, spansAfter, spansOf } from './detail-queue.ts'
import type { Item, Span } from './detail-queue.ts'
import { walkList } from './lists.ts'
import { textOf } from './tables/declare.ts'
import type { DetailStream } from './tables/declare.ts'

interface Wanted extends Item {
  readonly path: string
}

export async function* readDetails(client: ApiClient, clock: Clock, stream: DetailStream, request: ReadRequest): AsyncGenerator<Batch> {
  let spans = spansOf(request.since)
  const { queue, until } = await changedSince(client, clock, stream, spans)
  if (queue.length > cin7Pace.calls) request.tell(longWait(stream, queue.length))

  for (const wanted of queue) {
    const document = await findDocument(client, wanted)
    if (document === null)
      request.tell(`Cin7 Core named ${wanted.id} among the ${stream.noun} but has no such record. It is left out until it is named again.`)
    const batches = document === null ? [] : await encodeDocuments(stream.shape, [document])
    spans = spansAfter(spans, wanted)
    yield* batches
    yield border(stream, spans, until)
  }
  yield border(stream, [], until)
}

/** All that is left to do, oldest pages first for the list, newest first for the documents. */
async function changedSince(
  client: ApiClient,
  clock: Clock,
  stream: DetailStream,
  spans: readonly Span[],
): Promise<{ queue: Wanted[]; until: number }> {
  const place = { since: earliest(spans), until: null, page: 0, total: null }
  const walk = walkList({ client, clock, list: stream.list, place, encode: (rows) => rows.map((row) => wantedOf(stream, row)) })
  const items: Wanted[] = []
  for await (const page of walk.pages) items.push(...page.content)
  return { queue: queueOf(spans, items), until: walk.until() }
}

function wantedOf(stream: DetailStream, row: JsonObject): Wanted {
  const changedAt = asMilliseconds(textOf(row, stream.changed))
  // A row that does not say when it changed is taken for the oldest of all: it is read by a full sync.
  return { id: textOf(row, stream.id), changedAt: Number.isNaN(changedAt) ? 0 : changedAt, path: stream.pathOf(row) }
}

async function findDocument(client: ApiClient, { path, id }: Wanted): Promise<JsonObject | null> {
  try {
    const { json } = await client.get(path, { ID: id })
    return isObject(json) ? json : null
  } catch (error) {
    if (error instanceof Fault && error.code === noSuchRecordCode) return null
    throw error
  }
}

/** No rows, only the promise that all before are whole. */
function border(stream: DetailStream, spans: readonly Span[], until: number): Batch {
  return { table: stream.shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: checkpointOf(spans, until) }
}

function longWait({ noun }: DetailStream, count: number): string {
  const minutes = Math.ceil((count / cin7Pace.calls) * (cin7Pace.windowMs / 60_000))
  return `${count} ${noun} are read one by one, newest first; Cin7 Core's limit makes that about ${minutes} minutes. What is cut off goes on with the next run.`
}
