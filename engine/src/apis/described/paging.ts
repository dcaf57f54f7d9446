/** Walks the pages of a list. Loops, repeated pages and lists that shrink meanwhile are noticed; none of them ends a walk early. */
import { Fault } from '../../ports/faults.ts'
import type { ApiResponse } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { type Call, misfit, type Query, type RecordList, recordsOf } from './calls.ts'
import type { Paging } from './description/schema-paging.ts'
import { pointerReader } from './pointer.ts'

/** Where a page begins. Null: the first page. */
export type PagePosition = {
  /** The number of records in front of it, a cursor, a key or an address. */
  readonly at: string | number
  /** The key of the record in front of it, if the API counts records: it shows whether they have moved since. */
  readonly after?: string
} | null

export interface Page {
  /** From 1, in this walk. */
  readonly number: number
  readonly records: readonly JsonObject[]
  readonly reply: ApiResponse
  /** Where the next page begins; null after the last one. */
  readonly next: PagePosition
  /** True if the walk begins at the first page again, because the list has changed. Rows that were returned are returned again. */
  readonly isRestart: boolean
}

export interface PagedWalk {
  readonly list: RecordList
  readonly call: Call
  readonly paging: Paging
  readonly from: PagePosition
  readonly limits?: WalkLimits
}

/** So that a hostile or broken API cannot keep a run busy for ever. */
export interface WalkLimits {
  readonly pagesMax: number
}
const defaultLimits: WalkLimits = { pagesMax: 200_000 }
const restartsMax = 3

export async function* walkPages({
  list,
  call,
  paging,
  from,
  limits = defaultLimits,
}: PagedWalk): AsyncGenerator<Page> {
  const steps = stepsOf(paging)
  let position = from
  let seen = new Set<string>()
  let before: PageFacts | null = null
  let restarts = 0
  let isRestart = false
  let read = 0
  const restart = (): void => {
    restarts += 1
    if (restarts > restartsMax) throw unstableList(list)
    ;[position, seen, before, isRestart, read] = [null, new Set(), null, true, 0]
  }
  for (let number = 1; ; number += 1) {
    if (number > limits.pagesMax) throw endlessList(list, limits.pagesMax)
    const reply = await list.api.get(steps.call(call, position))
    const records = recordsOf(list, number, reply.json)
    const facts = factsOf(records, reply.json, steps.total)
    const overlap = position === null ? 0 : steps.overlap(position)
    if (hasShrunk(before, facts) || hasMoved(list, position, records[overlap - 1])) {
      restart()
      continue
    }
    const fresh = records.slice(overlap)
    read += fresh.length
    const isAllRead = facts.marker === before?.marker || (from === null && facts.total !== null && read >= facts.total)
    const next = steps.next({ list, number, reply, records, fresh, position, isAllRead })
    if (next !== null && !addTo(seen, String(next.at))) throw loopOfPages(list, number)
    yield { number, records: fresh, reply, next, isRestart }
    if (next === null) return
    ;[position, before, isRestart] = [next, facts, false]
  }
}

interface PageFacts {
  readonly total: number | null
  /** Identifies the records of the page. */
  readonly marker: string
}

function factsOf(records: readonly JsonObject[], reply: ExactJson, total: string | undefined): PageFacts {
  const marker = `${records.length} ${JSON.stringify([records[0], records.at(-1)])}`
  return { total: total === undefined ? null : numberAt(reply, total), marker }
}

/** Records that were deleted from pages that were read already move others there. */
function hasShrunk(before: PageFacts | null, now: PageFacts): boolean {
  return typeof before?.total === 'number' && now.total !== null && now.total < before.total
}

/** @param anchor the record that the page and the one before have in common */
function hasMoved(list: RecordList, position: PagePosition, anchor: JsonObject | undefined): boolean {
  if (position?.after === undefined) return false
  return anchor === undefined || list.keyOf(anchor) !== position.after
}

function addTo(seen: Set<string>, position: string): boolean {
  const isNew = !seen.has(position)
  seen.add(position)
  return isNew
}

interface PageStep {
  readonly list: RecordList
  readonly number: number
  readonly reply: ApiResponse
  readonly records: readonly JsonObject[]
  /** The records that the page before does not have. */
  readonly fresh: readonly JsonObject[]
  readonly position: PagePosition
  /** The walk has as many records as the API counts, or the page has those of the one before. */
  readonly isAllRead: boolean
}

interface PagingSteps {
  readonly total: string | undefined
  call(call: Call, position: PagePosition): Call
  next(step: PageStep): PagePosition
  /** How many records at the beginning of the page were on the page before. */
  overlap(position: NonNullable<PagePosition>): number
}

const noOverlap = (): number => 0

function stepsOf(paging: Paging): PagingSteps {
  switch (paging.kind) {
    case 'none':
      return { total: undefined, call: (call) => call, next: () => null, overlap: noOverlap }
    case 'nextLink':
      return {
        total: paging.total,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ list, reply, number }) => linkIn(list, number, reply.json, paging.at),
        overlap: noOverlap,
      }
    case 'linkHeader':
      return {
        total: undefined,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ reply }) => nextOfHeader(reply.link),
        overlap: noOverlap,
      }
    case 'pageNumber':
      return numberedSteps(paging)
    case 'offset':
      return offsetSteps(paging)
    case 'cursor':
      return {
        total: undefined,
        call: (call, position) =>
          withQuery(call, { ...sizeQuery(paging.size), ...positionQuery(paging.parameter, position) }),
        next({ reply, list, number }) {
          const cursor = pointerReader(paging.at)(reply.json)
          const isLast = paging.more !== undefined && !flagAt(list, number, reply.json, paging.more)
          return isLast ? null : positionIn(list, number, paging.at, cursor)
        },
        overlap: noOverlap,
      }
    case 'keyset':
      return keysetSteps(paging)
  }
}

/**
 * Pages have different sizes, so that each begins with records of the one before: if the last of these is another one than before, records
 * have moved. With pages of one size, a record that is deleted while another one is inserted would hide a third one.
 */
function numberedSteps({ parameter, first, size, total }: Paging & { kind: 'pageNumber' }): PagingSteps {
  if (size === undefined) return fixedSteps({ parameter, first, total })
  // An API may return smaller pages than asked for.
  let rowsMax = size.rows
  return {
    total,
    call(call, position) {
      const { page, rows } = position === null ? { page: 0, rows: rowsMax } : coveringPage(Number(position.at), rowsMax)
      return withQuery(call, { [size.parameter]: String(rows), [parameter]: String(page + first) })
    },
    next({ list, records, fresh, position, isAllRead }) {
      if (position === null) rowsMax = Math.min(rowsMax, records.length)
      return fresh.length === 0 || isAllRead || rowsMax < 2 ? null : countedPosition(list, position, fresh)
    },
    overlap({ at }) {
      const { page, rows } = coveringPage(Number(at), rowsMax)
      return Number(at) - page * rows
    },
  }
}

/** The page that has the last of the records in front of a position, and the most after it. @returns page from 0 */
function coveringPage(position: number, rowsMax: number): { readonly page: number; readonly rows: number } {
  let best = { page: 0, rows: rowsMax, fresh: -1 }
  for (let rows = rowsMax; rows >= 2 && rows > best.fresh; rows -= 1) {
    const page = Math.floor((position - 1) / rows)
    const fresh = (page + 1) * rows - position
    if (fresh > best.fresh) best = { page, rows, fresh }
  }
  return best
}

/** Pages of the size that the API chooses. The description says why no record moves. */
function fixedSteps({
  parameter,
  first,
  total,
}: Pick<Paging & { kind: 'pageNumber' }, 'parameter' | 'first' | 'total'>): PagingSteps {
  return {
    total,
    call: (call, position) => withQuery(call, { [parameter]: String(position?.at ?? first) }),
    // A page may be shorter than others, so only an empty or a repeated page ends the list.
    next: ({ records, position, isAllRead }) =>
      records.length === 0 || isAllRead ? null : { at: Number(position?.at ?? first) + 1 },
    overlap: noOverlap,
  }
}

/** Every page begins one record early. If that record is not the last one of the page before, records have moved. */
function offsetSteps({ parameter, size, total }: Paging & { kind: 'offset' }): PagingSteps {
  return {
    total,
    call: (call, position) =>
      withQuery(call, { ...sizeQuery(size), [parameter]: String(position === null ? 0 : Number(position.at) - 1) }),
    next: ({ list, fresh, position, isAllRead }) =>
      fresh.length === 0 || isAllRead ? null : countedPosition(list, position, fresh),
    overlap: () => 1,
  }
}

function countedPosition(list: RecordList, position: PagePosition, fresh: readonly JsonObject[]): PagePosition {
  const last = fresh.at(-1)
  return last === undefined ? null : { at: Number(position?.at ?? 0) + fresh.length, after: list.keyOf(last) }
}

function keysetSteps({ parameter, at, more, size }: Paging & { kind: 'keyset' }): PagingSteps {
  return {
    total: undefined,
    call: (call, position) => withQuery(call, { ...sizeQuery(size), ...positionQuery(parameter, position) }),
    next({ list, number, reply, records }) {
      const last = records.at(-1)
      if (last === undefined) return null
      if (more !== undefined && !flagAt(list, number, reply.json, more)) return null
      const key = positionIn(list, number, `${list.records}/${records.length - 1}${at}`, pointerReader(at)(last))
      if (key === null)
        throw misfit(list, { page: number, pointer: at, found: undefined, wanted: 'the key of the record' })
      return key
    },
    overlap: noOverlap,
  }
}

function withQuery({ path, query }: Call, more: Query): Call {
  return { path, query: { ...query, ...more } }
}

function sizeQuery(size: { readonly parameter: string; readonly rows: number } | undefined): Query {
  return size === undefined ? {} : { [size.parameter]: String(size.rows) }
}

function positionQuery(parameter: string, position: PagePosition): Query {
  return position === null ? {} : { [parameter]: String(position.at) }
}

/** A link has its query in it, and gets no other parameters. */
function linkCall(call: Call, position: PagePosition, size: Query): Call {
  return position === null ? withQuery(call, size) : { path: String(position.at), query: {} }
}

function linkIn(list: RecordList, page: number, reply: ExactJson, at: string): PagePosition {
  const link = pointerReader(at)(reply)
  if (link === undefined || link === null || link === '') return null
  if (typeof link === 'string') return { at: link }
  throw misfit(list, { page, pointer: at, found: link, wanted: 'the address of the next page' })
}

/** `<https://api.example.com/items?page=2>; rel="next"` (RFC 8288). */
function nextOfHeader(header: string | null): PagePosition {
  for (const [, address = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/gu))
    if (/;\s*rel\s*=\s*"?(?:[^",;]*\s)?next(?:\s[^",;]*)?"?/iu.test(parameters)) return { at: address }
  return null
}

function positionIn(list: RecordList, page: number, pointer: string, found: ExactJson | undefined): PagePosition {
  if (found === undefined || found === null || found === '') return null
  if (typeof found === 'string' || typeof found === 'number') return { at: found }
  throw misfit(list, { page, pointer, found, wanted: 'where the next page begins' })
}

function flagAt(list: RecordList, page: number, reply: ExactJson, pointer: string): boolean {
  const found = pointerReader(pointer)(reply)
  if (typeof found === 'boolean') return found
  throw misfit(list, { page, pointer, found, wanted: 'whether there is another page' })
}

function numberAt(reply: ExactJson, pointer: string): number | null {
  const found = pointerReader(pointer)(reply)
  const number = typeof found === 'string' && found !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function loopOfPages({ api, stream }: RecordList, page: number): Fault {
  return new Fault('passing', {
    code: `${api.code}.loop_of_pages`,
    notice: `Page ${page} of ${stream} leads back to a page of ${api.title} that was read already. Tributary tries again with the next run.`,
  })
}

function endlessList({ api, stream }: RecordList, pagesMax: number): Fault {
  return new Fault('data', {
    code: `${api.code}.endless_list`,
    notice: `${stream} has more than ${pagesMax} pages, which Tributary does not read: ${api.title} probably never ends its list. Have its description checked.`,
  })
}

function unstableList({ api, stream }: RecordList): Fault {
  return new Fault('passing', {
    code: `${api.code}.list_changes`,
    notice: `${stream} changed so often while it was read that it could not be read completely. Tributary tries again with the next run.`,
  })
}
