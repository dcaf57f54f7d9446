/** Which records of a sample the next run reads anyway, because they changed since the last one. */
import { Fault } from '../../../ports/faults.ts'
import type { SampleRequest } from '../../../ports/document-sample.ts'
import { asText } from '../../http/canonical-text.ts'
import { keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { columnOf, columnPointer } from '../columns.ts'
import { feedExpired } from '../connection.ts'
import { millisecondsOf } from '../moments.ts'
import { type PagedWalk, type Page, walkPages } from '../paging.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listOf } from './described-stream.ts'
import { type Progress, progressFrom } from './progress.ts'
import { changesCall, changesPaging, changesSince, type CursorChanges } from './read-changes.ts'
import { changedKeys, type EventChanges, eventsSince, keyRecord } from './read-events.ts'
import { feedCall, type FeedChanges } from './read-feed.ts'
import type { WindowChanges } from './read-windows.ts'

export interface ChangedRecords {
  /** Null: any record may have changed. */
  readonly keys: ReadonlySet<string> | null
  /** Every changed record of the list is among the keys, also those that the sample does not have. */
  readonly isComplete: boolean
}

const unknown: ChangedRecords = { keys: null, isComplete: false }

/** How many calls `findChanged` takes at most. */
export function callsForChanges({ description: { changes } }: DescribedStream): number {
  if (changes === undefined || changes.kind === 'windows') return 0
  return changes.kind === 'events' ? changes.of.length : 1
}

/** Called after the records were read, so that what changes meanwhile is known, too. */
export async function findChanged(
  stream: DescribedStream,
  { checkpoint }: SampleRequest,
  records: readonly JsonObject[],
): Promise<ChangedRecords> {
  const { changes } = stream.description
  const progress = progressFrom(checkpoint)
  if (!progress.isComplete) return unknown
  switch (changes?.kind) {
    case 'cursor':
      return await changedByCursor(stream, changes, { progress, records })
    case 'windows':
      return { keys: changedByDate(stream, changes, { progress, records }), isComplete: false }
    case 'feed':
      return await changedInFeed(stream, changes, progress)
    case 'events':
      return await changedByEvents(stream, changes, progress)
    default:
      return unknown
  }
}

interface ReadRecords {
  readonly progress: Progress
  readonly records: readonly JsonObject[]
}

/** The changes that fit into one page; if there are more, what the moments of the records say. */
async function changedByCursor(
  stream: DescribedStream,
  changes: CursorChanges,
  { progress, records }: ReadRecords,
): Promise<ChangedRecords> {
  const since = changesSince(progress, changes, stream.api.now())
  if (since === null) return unknown
  const list = listOf(stream, changes.records ?? stream.description.records)
  const call = changesCall(stream, changes, since)
  const page = await firstPage({ list, call, paging: changesPaging(stream, changes), from: null })
  if (page !== null && page.next === null && page.records.length < (changes.rowsMax ?? Infinity))
    return { keys: keysOf(stream, page.records), isComplete: true }
  const isSince = isDatedFrom(stream, changes.column, since)
  return { keys: keysOf(stream, records.filter(isSince)), isComplete: false }
}

function changedByDate(
  stream: DescribedStream,
  { column, againDays }: WindowChanges,
  { progress, records }: ReadRecords,
): ReadonlySet<string> {
  const from = (progress.until ?? 0) - (againDays + 1) * 86_400_000
  return keysOf(stream, records.filter(isDatedFrom(stream, column, from)))
}

/** A record without a moment may be newer. */
function isDatedFrom({ description }: DescribedStream, column: string, from: number): (record: JsonObject) => boolean {
  const written = description.columns[column] ?? ''
  const { format = 'iso', zone = 'UTC' } = columnOf(written)
  const find = pointerReader(columnPointer(column, written))
  return (record) => {
    const at = millisecondsOf(asText(find(record) ?? null) ?? '', format, zone)
    return at === null || at >= from
  }
}

async function changedInFeed(
  stream: DescribedStream,
  changes: FeedChanges,
  { token, position }: Progress,
): Promise<ChangedRecords> {
  if (token === null || position !== null) return unknown
  const { paging, api } = stream
  try {
    const page = await firstPage({ list: listOf(stream), call: feedCall(stream, changes, token), paging, from: null })
    return page?.next === null ? { keys: keysOf(stream, page.records), isComplete: true } : unknown
  } catch (error) {
    if (error instanceof Fault && error.code === `${api.code}.${feedExpired}`) return unknown
    throw error
  }
}

async function changedByEvents(
  stream: DescribedStream,
  changes: EventChanges,
  progress: Progress,
): Promise<ChangedRecords> {
  const since = eventsSince(progress, changes, stream.api.now())
  const found = since === null ? null : await changedKeys(stream, changes, since, 1)
  if (found?.isAll !== true) return unknown
  const records = found.keys.map((key) => keyRecord(stream, key))
  return { keys: keysOf(stream, records), isComplete: true }
}

function keysOf({ shape }: DescribedStream, records: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(records.map((record) => keyOf(shape, record)))
}

async function firstPage(walk: PagedWalk): Promise<Page | null> {
  for await (const page of walkPages(walk)) return page
  return null
}
