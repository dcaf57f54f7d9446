/** Reads a list of Cin7 Core: all pages, or the changes since the last read. */
import { allLackKeys, encodeDocuments } from '../http/documents.ts'
import { isObject, readMember, readMembers } from '../http/fields.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import type { ApiResponse } from '../http/client.ts'
import { type ListPage, readPages } from '../http/pagination.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import { type Cin7Connection, isUnavailable, unknownFormatFault } from './api.ts'
import { overlapMs } from './detail-queue.ts'
import { type ListEndpoint, listLimit, type ListStream } from './tables/stream-kinds.ts'

/**
 * Progress in a list: complete up to `until`; or, with a page, complete up to that page of the changes after `since`.
 */
interface ListProgress {
  readonly since: number | null
  readonly until: number | null
  readonly page: number
  readonly total: number | null
}

export async function* readList(
  cin7: Cin7Connection,
  { list, shape }: ListStream,
  checkpoint: Checkpoint | null,
): AsyncGenerator<RowBatch> {
  const progress = progressFromCheckpoint(checkpoint)
  const query = { ...list.fullQuery, ...sinceQuery(list, progress.since) }
  const encode = (rows: readonly JsonObject[]): Promise<RowBatch[]> => {
    if (allLackKeys(shape, rows)) throw unknownFormatFault(list.path)
    return encodeDocuments(shape, rows)
  }
  const walk = walkList(cin7, list, { query, progress, encode })
  for await (const page of walk.pages) {
    const reached = { since: progress.since, until: walk.until(), page: page.number, total: page.total }
    for (const [index, batch] of page.content.entries())
      yield index === page.content.length - 1 ? { ...batch, checkpoint: reached } : batch
  }
  yield checkpointBatch(shape, { until: walk.until() })
}

function progressFromCheckpoint(checkpoint: Checkpoint | null): ListProgress {
  if (checkpoint === null) return listStart
  const until = Number(checkpoint['until'])
  if (typeof checkpoint['page'] !== 'number') return { ...listStart, since: until - overlapMs }
  const { since, page, total } = checkpoint
  return {
    since: typeof since === 'number' ? since : null,
    until,
    page,
    total: typeof total === 'number' ? total : null,
  }
}

const listStart: ListProgress = { since: null, until: null, page: 0, total: null }

export function sinceQuery({ since }: ListEndpoint, moment: number | null): Readonly<Record<string, string>> {
  return since === undefined || moment === null ? {} : { [since]: new Date(moment).toISOString() }
}

interface ListWalkRequest<Content> {
  /** Parameters in addition to the list's own. */
  readonly query?: Readonly<Record<string, string>>
  readonly progress?: ListProgress
  readonly limit?: number
  readonly encode: (rows: readonly JsonObject[]) => Content | Promise<Content>
}

interface ListWalk<Content> {
  readonly pages: AsyncIterable<ListPage<Content>>
  /** After the first page: the moment up to which this walk will have seen every change. */
  until(): number
}

export function walkList<Content>(
  cin7: Cin7Connection,
  list: ListEndpoint,
  { query, progress = listStart, limit = list.limit ?? listLimit, encode }: ListWalkRequest<Content>,
): ListWalk<Content> {
  let until = progress.until
  let path = list.path

  async function fetch(number: number): Promise<ListPage<Content>> {
    const requestedAt = cin7.clock.now()
    const {
      rows,
      total,
      serverTime,
      path: knownPath,
    } = await readListPage(cin7, { ...list, path }, { number, limit, ...(query && { query }) })
    path = knownPath
    until ??= Math.min(requestedAt, serverTime ?? requestedAt)
    const ends = JSON.stringify([rows[0], rows.at(-1)])
    return { number, rows: rows.length, total, marker: ends, content: await encode(rows) }
  }

  return {
    pages: readPages({ fetch, limit, from: progress.page + 1, total: progress.total }),
    until: () => until ?? cin7.clock.now(),
  }
}

interface ListPageRequest {
  readonly number: number
  readonly limit: number
  /** Parameters in addition to the list's own. */
  readonly query?: Readonly<Record<string, string>>
}

export async function readListPage(
  cin7: Cin7Connection,
  list: ListEndpoint,
  { number, limit, query }: ListPageRequest,
) {
  const parameters = { ...list.query, ...query, Page: String(number), Limit: String(limit) }
  const { answer, path } = await getEitherSpelling(cin7, list, parameters)
  return { rows: rowsOf(answer.json, list), total: totalOf(answer.json), serverTime: answer.serverTime, path }
}

/** False if the account does not have this list: reading it would fail each time. */
export async function isListed(cin7: Cin7Connection, list: ListEndpoint): Promise<boolean> {
  try {
    await getEitherSpelling(cin7, list, { Page: '1', Limit: '1' })
    return true
  } catch (error) {
    if (isUnavailable(error)) return false
    throw error
  }
}

/**
 * Returns the response and the path it came from. Tries the alternate spelling if the first is unknown and the
 * alternate returns the same list.
 */
async function getEitherSpelling(
  { client }: Cin7Connection,
  list: ListEndpoint,
  query: Readonly<Record<string, string>>,
): Promise<{ answer: ApiResponse; path: string }> {
  const { path, alternatePath = path } = list
  try {
    return { answer: await client.get(path, query), path }
  } catch (error) {
    if (path === alternatePath || !isUnavailable(error)) throw error
    const answer = await client.get(alternatePath, query)
    if (answer.json !== null && !hasKey(answer.json, list.rows)) throw error
    return { answer, path: alternatePath }
  }
}

/**
 * An empty body is an empty list. A response without the list, or without the rows that it counts, is an unknown
 * format.
 */
function rowsOf(json: ExactJson, { rows, alternateRows = rows, path }: ListEndpoint): readonly JsonObject[] {
  if (json === null) return []
  const key = hasKey(json, rows) ? rows : alternateRows
  const rowNodes = readMembers(json, key)
  const isMissing = !hasKey(json, key) || (readMember(json as JsonObject, key) === null && (totalOf(json) ?? 0) > 0)
  if (isMissing) throw unknownFormatFault(path)
  return rowNodes
}

function hasKey(json: ExactJson, key: string): boolean {
  return isObject(json) && Object.keys(json).some((name) => name.toLowerCase() === key.toLowerCase())
}

export function totalOf(json: ExactJson): number | null {
  const total = isObject(json) ? readMember(json, 'Total') : null
  const number = typeof total === 'string' ? Number(total) : total
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
