/** Reads records by their date, window by window, because the API promises no order and reports no changes. */
import { checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import type { Changes } from '../description/schema-changes.ts'
import { walkPages } from '../paging.ts'
import { type DescribedStream, listCall, listOf, RecordEncoder } from './described-stream.ts'
import { withDetails } from './details.ts'
import { checkpointOf, nothingRead, progressFrom } from './progress.ts'
import { momentQuery } from './read-changes.ts'

export type WindowChanges = Changes & { readonly kind: 'windows' }

const dayMs = 86_400_000

export async function* readWindows(
  stream: DescribedStream,
  changes: WindowChanges,
  { since, log }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const progress = progressFrom(since)
  const { api, shape, paging } = stream
  const startedAt = api.now()
  // Records may be dated ahead, such as a due invoice, so the last window has no end worth mentioning.
  const end = startedAt + aheadDays * dayMs
  const encoder = new RecordEncoder(stream, { skipsDeleted: !progress.isComplete })
  const first = progress.isComplete
    ? (progress.until ?? startedAt) - changes.againDays * dayMs
    : (progress.since ?? Date.parse(changes.start))
  for (let from = startOfDay(first); from < end; from += changes.days * dayMs) {
    const until = from + changes.days * dayMs
    const query = { ...momentQuery(changes.from, from), ...momentQuery(changes.to, Math.min(until, end)) }
    for await (const page of walkPages({ list: listOf(stream), call: listCall(stream, query), paging, from: null }))
      yield* await encoder.encode(await withDetails(stream, page.records), page.number)
    if (!progress.isComplete)
      yield checkpointBatch(shape, checkpointOf({ ...nothingRead, since: until, until: progress.until ?? startedAt }))
  }
  yield* encoder.takeDeletes()
  yield checkpointBatch(
    shape,
    checkpointOf({
      ...nothingRead,
      until: progress.isComplete ? startedAt : (progress.until ?? startedAt),
      isComplete: true,
    }),
  )
  const line = encoder.unknownMembers()
  if (line !== null) log(line)
}

const aheadDays = 3_660

function startOfDay(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}
