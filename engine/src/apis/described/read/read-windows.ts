/** Reads records by their date, window by window, because the API promises no order and reports no changes. */
import { checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import type { Changes } from '../description/schema-changes.ts'
import { walkPages } from '../paging.ts'
import { type DescribedStream, listCall, listOf } from './described-stream.ts'
import { RecordEncoder } from './record-encoder.ts'
import { withDetails } from './details.ts'
import { checkpointOf, nothingRead, type Progress, progressFrom } from './progress.ts'
import { spanQuery } from './read-changes.ts'

export type WindowChanges = Changes & { readonly kind: 'windows' }

const dayMs = 86_400_000

export async function* readWindows(
  stream: DescribedStream,
  changes: WindowChanges,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const progress = progressFrom(since)
  const encoder = new RecordEncoder(stream, { skipsDeleted: !progress.isComplete })
  const until = yield* readFrom(stream, changes, progress, encoder)
  // What was interrupted ends with the state of then: the last windows are read, too.
  if (since !== null && !progress.isComplete)
    yield* readFrom(stream, changes, { ...nothingRead, until, isComplete: true }, encoder)
}

/** @returns up to when changes are known */
async function* readFrom(
  stream: DescribedStream,
  changes: WindowChanges,
  progress: Progress,
  encoder: RecordEncoder,
): AsyncGenerator<RowBatch, number> {
  const { api, shape, paging } = stream
  const startedAt = api.now()
  // Records may be dated ahead, such as a due invoice.
  const end = startedAt + changes.aheadDays * dayMs
  const first = progress.isComplete
    ? (progress.until ?? startedAt) - changes.againDays * dayMs
    : (progress.since ?? Date.parse(changes.start))
  for (let from = startOfDay(first); from <= end; from += changes.days * dayMs) {
    const until = from + changes.days * dayMs
    const query = spanQuery([changes.from, from], [changes.to, until])
    for await (const page of walkPages({ list: listOf(stream), call: listCall(stream, query), paging, from: null }))
      yield* await encoder.encode(await withDetails(stream, page.records), page.number)
    if (!progress.isComplete)
      yield checkpointBatch(shape, checkpointOf({ ...nothingRead, since: until, until: progress.until ?? startedAt }))
  }
  yield* encoder.takeDeletes()
  const until = progress.isComplete ? startedAt : (progress.until ?? startedAt)
  yield checkpointBatch(shape, checkpointOf({ ...nothingRead, until, isComplete: true }))
  return until
}

function startOfDay(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}
