/** Reads a list once, and then the feed of its changes with the token that the API gives. */
import { Fault } from '../../../ports/faults.ts'
import { checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { type Call, misfit } from '../calls.ts'
import { feedExpired } from '../connection.ts'
import type { Changes } from '../description/schema-changes.ts'
import { type Page, walkPages } from '../paging.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf } from './described-stream.ts'
import { RecordEncoder } from './record-encoder.ts'
import { withDetails } from './details.ts'
import { checkpointOf, nothingRead, progressFrom } from './progress.ts'

export type FeedChanges = Changes & { readonly kind: 'feed' }

export async function* readFeed(
  stream: DescribedStream,
  changes: FeedChanges,
  { since, log }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { token } = progressFrom(since)
  try {
    yield* readFrom(stream, changes, token, log)
  } catch (error) {
    const isTooOld = error instanceof Fault && error.code === `${stream.api.code}.${feedExpired}`
    if (!isTooOld || token === null) throw error
    log(`${stream.name}: ${stream.api.title} no longer knows the last read, so the whole list is read.`)
    yield* readFrom(stream, changes, null, log)
  }
}

async function* readFrom(
  stream: DescribedStream,
  changes: FeedChanges,
  token: string | null,
  log: ReadRequest['log'],
): AsyncGenerator<RowBatch> {
  const { paging, shape } = stream
  const encoder = new RecordEncoder(stream, { skipsDeleted: token === null })
  let last: Page | null = null
  for await (const page of walkPages({
    list: listOf(stream),
    call: feedCall(stream, changes, token),
    paging,
    from: null,
  })) {
    yield* await encoder.encode(await withDetails(stream, page.records), page.number)
    last = page
  }
  yield* encoder.deletes()
  const next = last === null ? undefined : pointerReader(changes.token)(last.reply.json)
  if (typeof next !== 'string' && typeof next !== 'number')
    throw misfit(listOf(stream), {
      page: last?.number ?? 1,
      pointer: changes.token,
      found: next,
      wanted: 'the token of the next read',
    })
  yield checkpointBatch(shape, checkpointOf({ ...nothingRead, token: String(next), isComplete: true }))
  const line = encoder.unknownMembers()
  if (line !== null) log(line)
}

function feedCall(stream: DescribedStream, { parameter }: FeedChanges, token: string | null): Call {
  if (token === null) return listCall(stream)
  return parameter === undefined ? { path: token, query: {} } : listCall(stream, { [parameter]: token })
}
