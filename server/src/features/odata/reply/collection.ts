/** Replies with the rows of a set, a page at a time, streamed in constant memory. */
import type { ClientBase } from 'pg'
import { countRows, type RowsEnd, streamRows } from '../../../access/query/read-rows.ts'
import type { EntitySet } from '../../../access/feed/feed-model.ts'
import type { FeedQuery } from '../model/build-query.ts'
import { contextUrl, entityFormat } from './json-format.ts'
import { jsonContentType, type ReplyFormat } from './negotiate.ts'
import { type PageToken, writePageToken } from './page-token.ts'
import { replyWith, type ReplyTarget } from './reply-with.ts'

/** Rows of a page unless the client prefers fewer. */
const pageSizeMax = 50_000

export interface CollectionRequest {
  readonly set: EntitySet
  readonly feed: FeedQuery
  readonly format: ReplyFormat
  /** The address of the service, without a slash at the end. */
  readonly base: string
  /** The page size that the client prefers. */
  readonly preferredPageSize: number | undefined
  readonly page: PageToken | undefined
  /** The address of the page that starts there. */
  readonly nextAddress: (token: string, top: number | undefined) => string
}

export async function replyWithCollection(
  client: ClientBase,
  request: CollectionRequest,
  target: ReplyTarget,
): Promise<void> {
  const { set, feed, format, base, page } = request
  const { reply } = target
  const pageSize = pageSizeOf(request)
  const limit = pageSize === undefined ? feed.top : Math.min(feed.top ?? pageSize, pageSize)
  const query = { ...feed.query, after: page?.after, offset: page === undefined ? feed.query.offset : undefined, limit }
  const count = feed.counts && page === undefined ? await countRows(client, feed.query) : undefined
  const { chunks, end } = streamRows(client, query, entityFormat(set, feed, format))
  async function* body() {
    yield head(format, contextUrl(base, set, feed), count)
    yield* chunks
    yield Buffer.from(`\n]${nextLink(request, pageSize, end())}}`)
  }
  reply.type(jsonContentType(format))
  if (pageSize !== undefined && request.preferredPageSize !== undefined && page === undefined)
    reply.header('preference-applied', `${format.version === '4.0' ? 'odata.' : ''}maxpagesize=${pageSize}`)
  await replyWith(body(), target)
}

/** Undefined: all rows come at once. */
function pageSizeOf(request: CollectionRequest): number | undefined {
  const { page, preferredPageSize } = request
  return hasPositions(request) ? Math.min(page?.pageSize ?? preferredPageSize ?? pageSizeMax, pageSizeMax) : undefined
}

function nextLink(
  { feed: { top }, nextAddress }: CollectionRequest,
  pageSize: number | undefined,
  { next, rows }: RowsEnd,
): string {
  if (next === null || pageSize === undefined || rows === top) return ''
  const address = nextAddress(writePageToken({ pageSize, after: next }), top === undefined ? undefined : top - rows)
  return `,"@odata.nextLink":${JSON.stringify(address)}`
}

/** A view without a key has no position to continue at, so that its rows come at once. */
function hasPositions({ set, feed }: CollectionRequest): boolean {
  if (feed.shape === 'groups') return feed.query.steps?.findLast((step) => step.type === 'group')?.by.length !== 0
  return set.key.length > 0 || set.table.kind === 'table'
}

function head({ metadata, ieee754Compatible }: ReplyFormat, context: string, count: bigint | undefined): Buffer {
  const contextPart = metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(context)},`
  const number = ieee754Compatible ? `"${count}"` : `${count}`
  const countPart = count === undefined ? '' : `"@odata.count":${number},`
  return Buffer.from(`{${contextPart}${countPart}"value":[\n`)
}
