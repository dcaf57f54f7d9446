/**
 * Reads a list once, and then the records that the API's events are about. Events may be rendered in an old form, come in any order and
 * repeat: they only say which records to read again.
 */
import { decodeRows } from '../../../encoding/copy-text.ts'
import { checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { encodeKeys } from '../../http/documents.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { misfit, type RecordList } from '../calls.ts'
import { columnPointer } from '../columns.ts'
import type { Changes } from '../description/schema-changes.ts'
import { type Page, walkPages } from '../paging.ts'
import { partsOf, pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf, parametersOf } from './described-stream.ts'
import { type DetailKey, readDetail } from './details.ts'
import { checkpointOf, nothingRead, type Progress, progressFrom } from './progress.ts'
import { momentQuery } from './read-changes.ts'
import { RecordEncoder } from './record-encoder.ts'

export type EventChanges = Changes & { readonly kind: 'events' }

const dayMs = 86_400_000
/** So many records are read before how far the read is gets stored. */
const recordsAtOnce = 50

export async function* readEvents(
  stream: DescribedStream,
  changes: EventChanges,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const progress = progressFrom(since)
  const until = yield* readOnce(stream, changes, startOf(progress, changes, stream.api.now()))
  if (since === null || progress.isComplete) return
  // What was interrupted ends with the state of then: what events since name is read, too.
  const end: Progress = { ...nothingRead, until, isComplete: true }
  yield* readOnce(stream, changes, startOf(end, changes, stream.api.now()))
}

/** @returns up to when changes are known */
function readOnce(stream: DescribedStream, changes: EventChanges, start: Progress): AsyncGenerator<RowBatch, number> {
  return start.since === null ? readList(stream, start) : readChanged(stream, changes, start)
}

/** An interrupted read continues; otherwise with the events since some minutes before the last read, or with everything. */
function startOf(progress: Progress, changes: EventChanges, now: number): Progress {
  if (progress.isComplete) return { ...nothingRead, since: eventsSince(progress, changes, now) }
  const known = progress.since ?? progress.until
  return known === null || known < now - changes.maxAgeDays * dayMs ? nothingRead : progress
}

/** From when on events are read after a complete read; null: everything is read. */
export function eventsSince(
  { until }: Progress,
  { overlapSeconds, maxAgeDays }: EventChanges,
  now: number,
): number | null {
  const since = (until ?? 0) - overlapSeconds * 1_000
  return since < now - maxAgeDays * dayMs ? null : since
}

async function* readList(stream: DescribedStream, start: Progress): AsyncGenerator<RowBatch, number> {
  const { paging, shape, api } = stream
  const encoder = new RecordEncoder(stream, { skipsDeleted: true })
  let { until } = start
  for await (const page of walkPages({ list: listOf(stream), call: listCall(stream), paging, from: start.position })) {
    until ??= startedAt(stream, page)
    yield* await encoder.encode(page.records, page.number)
    if (page.next !== null) yield checkpointBatch(shape, checkpointOf({ ...nothingRead, until, position: page.next }))
  }
  until ??= api.now()
  yield checkpointBatch(shape, checkpointOf({ ...nothingRead, until, isComplete: true }))
  return until
}

/** The earlier of both clocks, because one may be fast. */
function startedAt({ api }: DescribedStream, { reply }: Page): number {
  const now = api.now()
  return Math.min(now, reply.serverTime ?? now)
}

/** Which records changed is stored before the first of them is read, so that an interrupted read continues. */
async function* readChanged(
  stream: DescribedStream,
  changes: EventChanges,
  { since, until, pending }: Progress,
): AsyncGenerator<RowBatch, number> {
  let progress: Progress = { ...nothingRead, since, until, pending }
  if (until === null) {
    const found = await changedKeys(stream, changes, since ?? 0)
    progress = { ...progress, until: found.until, pending: found.keys }
    yield checkpointBatch(stream.shape, checkpointOf(progress))
  }
  while (progress.pending.length > 0) {
    yield* readRecords(stream, changes, progress.pending.slice(0, recordsAtOnce))
    progress = { ...progress, pending: progress.pending.slice(recordsAtOnce) }
    yield checkpointBatch(stream.shape, checkpointOf(progress))
  }
  yield checkpointBatch(stream.shape, checkpointOf({ ...nothingRead, until: progress.until, isComplete: true }))
  return progress.until ?? stream.api.now()
}

interface ChangedKeys {
  readonly keys: readonly DetailKey[]
  /** Every change up to then is known. */
  readonly until: number
  /** False if there are more events than those of so many pages. */
  readonly isAll: boolean
}

export async function changedKeys(
  stream: DescribedStream,
  changes: EventChanges,
  since: number,
  pagesMax = Infinity,
): Promise<ChangedKeys> {
  const { api, name, paging } = stream
  const column = keyColumn(stream)
  const list = { api, stream: `events of ${name}`, records: changes.records, keyOf: JSON.stringify }
  const ids = new Set<string>()
  let until = api.now()
  let isAll = true
  for (const { query, ids: pointers } of changes.of) {
    const call = { path: changes.path, query: { ...parametersOf(stream, query), ...momentQuery(changes.from, since) } }
    for await (const page of walkPages({ list, call, paging, from: null })) {
      until = Math.min(until, startedAt(stream, page))
      const keys = page.records.flatMap((event) => keysOf(list, page.number, event, pointers))
      for (const key of keys) ids.add(key)
      if (page.number < pagesMax || page.next === null) continue
      isAll = false
      break
    }
  }
  return { keys: [...ids].map((id) => ({ [column]: id })), until, isAll }
}

/** An event that names no record is about none. */
function keysOf(list: RecordList, page: number, event: JsonObject, pointers: readonly string[]): readonly string[] {
  return pointers.flatMap((pointer) => {
    const key = pointerReader(pointer)(event) ?? null
    if (typeof key === 'object' && key !== null)
      throw misfit(list, { page, pointer, found: key, wanted: 'the key of a record' })
    return key === null ? [] : [String(key)]
  })
}

function keyColumn({ shape }: DescribedStream): string {
  return shape.table.key[0] ?? ''
}

/** Rows of records as they are now, and the keys of those that are gone. */
async function* readRecords(
  stream: DescribedStream,
  { record: detail }: EventChanges,
  keys: readonly DetailKey[],
): AsyncGenerator<RowBatch> {
  const records: JsonObject[] = []
  const gone: JsonObject[] = []
  for (const key of keys) {
    const record = await readDetail(stream, detail, key)
    if (record === null || stream.isDeleted(record)) gone.push(keyRecord(stream, key))
    else records.push(record)
  }
  yield* await new RecordEncoder(stream, { skipsDeleted: true }).encode(records, 1)
  if (gone.length > 0) yield { ...encodeKeys(stream.shape, gone), deletes: true }
}

/** A record with nothing but its key. */
export function keyRecord(stream: DescribedStream, key: DetailKey): JsonObject {
  const column = keyColumn(stream)
  const written = stream.description.columns[column]
  const parts = partsOf(written === undefined ? '' : columnPointer(column, written))
  const value = parts.reduceRight<ExactJson>((inner, part) => ({ [part]: inner }), key[column] ?? null)
  return value as JsonObject
}

/** The rows with these keys. @param keys encoded rows of key values */
export async function* readByKey(
  stream: DescribedStream,
  changes: EventChanges,
  keys: Uint8Array,
): AsyncGenerator<RowBatch> {
  const column = keyColumn(stream)
  const wanted = decodeRows(keys).map(([value]) => ({ [column]: value ?? '' }))
  for (let at = 0; at < wanted.length; at += recordsAtOnce)
    for await (const batch of readRecords(stream, changes, wanted.slice(at, at + recordsAtOnce)))
      if (batch.deletes !== true) yield batch
}
