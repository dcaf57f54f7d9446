/** Reads a list once, and then the feed of its changes with the token that the API gives. */
import { Fault } from '../../../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Call, misfit } from '../calls.ts'
import { feedExpired } from '../connection.ts'
import type { Changes } from '../description/schema-changes.ts'
import { type Page, walkPages } from '../paging.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf } from './described-stream.ts'
import { RecordEncoder } from './record-encoder.ts'
import { withDetails } from './details.ts'
import { checkpointOf, nothingRead, type Progress, progressFrom } from './progress.ts'

export type FeedChanges = Changes & { readonly kind: 'feed' }

export async function* readFeed(
  stream: DescribedStream,
  changes: FeedChanges,
  { since, log }: ReadRequest,
  { changesMax } = defaultLimits,
): AsyncGenerator<RowBatch> {
  const progress = progressFrom(since)
  if (progress.token === null) return yield* readList(stream, changes)
  try {
    yield* readSince(stream, changes, { ...progress, changesMax })
  } catch (error) {
    const isTooOld = error instanceof Fault && error.code === `${stream.api.code}.${feedExpired}`
    if (!isTooOld) throw error
    log(`${stream.name}: ${stream.api.title} no longer knows the last read, so the whole list is read.`)
    yield* readList(stream, changes)
  }
}

async function* readList(stream: DescribedStream, changes: FeedChanges): AsyncGenerator<RowBatch> {
  const encoder = new RecordEncoder(stream, { skipsDeleted: true })
  let last: Page | null = null
  const walk = { list: listOf(stream), call: listCall(stream), paging: stream.paging, from: null }
  for await (const page of walkPages(walk)) {
    yield* await encoder.encode(await withDetails(stream, page.records), page.number)
    last = page
  }
  yield checkpointBatch(stream.shape, endOfFeed(stream, changes, last))
}

export interface FeedLimits {
  /** So many changes are committed at once, because a commit follows a checkpoint only after as many rows. */
  readonly changesMax: number
}
const defaultLimits: FeedLimits = { changesMax: 20_000 }

/**
 * Each record is written once, as it was reported last: the feed does not report it again, and of two versions in one commit the children of
 * both would remain.
 */
async function* readSince(
  stream: DescribedStream,
  changes: FeedChanges,
  { token, position, changesMax }: Progress & FeedLimits,
): AsyncGenerator<RowBatch> {
  const { paging, shape } = stream
  const list = listOf(stream)
  const latest = new Map<string, JsonObject>()
  const encoder = new RecordEncoder(stream, { skipsDeleted: false })
  let last: Page | null = null
  for await (const page of walkPages({ list, call: feedCall(stream, changes, token ?? ''), paging, from: position })) {
    for (const record of await withDetails(stream, page.records)) latest.set(list.keyOf(record), record)
    last = page
    if (latest.size < changesMax || page.next === null) continue
    yield* writeLatest(encoder, latest, page)
    yield checkpointBatch(shape, checkpointOf({ ...nothingRead, token, position: page.next, isComplete: true }))
  }
  if (last !== null) yield* writeLatest(encoder, latest, last)
  yield checkpointBatch(shape, endOfFeed(stream, changes, last))
}

const encodedAtOnce = 500

async function* writeLatest(
  encoder: RecordEncoder,
  latest: Map<string, JsonObject>,
  { number }: Page,
): AsyncGenerator<RowBatch> {
  const records = [...latest.values()]
  latest.clear()
  for (let from = 0; from < records.length; from += encodedAtOnce)
    yield* await encoder.encode(records.slice(from, from + encodedAtOnce), number)
  yield* encoder.takeDeletes()
}

/** @throws Fault `data` if the last reply has no token */
function endOfFeed(stream: DescribedStream, { token }: FeedChanges, last: Page | null): Checkpoint {
  const next = last === null ? undefined : pointerReader(token)(last.reply.json)
  if (typeof next === 'string' || typeof next === 'number')
    return checkpointOf({ ...nothingRead, token: String(next), isComplete: true })
  throw misfit(listOf(stream), {
    page: last?.number ?? 1,
    pointer: token,
    found: next,
    wanted: 'the token of the next read',
  })
}

export function feedCall(stream: DescribedStream, { parameter }: FeedChanges, token: string): Call {
  return parameter === undefined ? { path: token, query: {} } : listCall(stream, { [parameter]: token })
}
