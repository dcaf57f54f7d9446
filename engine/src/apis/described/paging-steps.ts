/** What each kind of paging asks for the next page with. */
import type { ApiResponse } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { type Call, misfit, type Query, type RecordList } from './calls.ts'
import { fillPlaceholders } from './description/placeholders.ts'
import type { Paging } from './description/schema-paging.ts'
import { pointerReader } from './pointer.ts'

/** Where a page begins. Null: the first page. */
export type PagePosition = {
  /** The number of records in front of it, a cursor, a key or an address. */
  readonly at: string | number
  /** The key of the record in front of it, if the API counts records: it shows whether they have moved since. */
  readonly after?: string
} | null

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

export interface PagingSteps {
  readonly total: string | undefined
  call(call: Call, position: PagePosition): Call
  next(step: PageStep): PagePosition
  /** How many records at the beginning of the page were on the page before. */
  overlap(position: NonNullable<PagePosition>): number
  /** Where the page after these records could begin, if the last of them is deleted meanwhile: nearest first. */
  fallbacks(records: readonly JsonObject[]): readonly NonNullable<PagePosition>[]
}

const noOverlap = (): number => 0
const noFallbacks = (): readonly [] => []

export function stepsOf(paging: Paging): PagingSteps {
  switch (paging.kind) {
    case 'none':
      return { total: undefined, call: (call) => call, next: () => null, overlap: noOverlap, fallbacks: noFallbacks }
    case 'nextLink':
      return {
        total: paging.total,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ list, reply, number }) => linkIn(list, number, reply.json, paging.at),
        overlap: noOverlap,
        fallbacks: noFallbacks,
      }
    case 'linkHeader':
      return {
        total: undefined,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ reply }) => nextOfHeader(reply.link),
        overlap: noOverlap,
        fallbacks: noFallbacks,
      }
    case 'pageNumber':
      return numberedSteps(paging)
    case 'offset':
      return offsetSteps(paging)
    case 'statement':
      return statementSteps(paging)
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
        fallbacks: noFallbacks,
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
    fallbacks: noFallbacks,
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
    fallbacks: noFallbacks,
  }
}

function offsetSteps({ parameter, size, total }: Paging & { kind: 'offset' }): PagingSteps {
  return countedSteps(total, (call, recordsBefore) =>
    withQuery(call, { ...sizeQuery(size), [parameter]: String(recordsBefore) }),
  )
}

function statementSteps({ parameter, text, first, rows }: Paging & { kind: 'statement' }): PagingSteps {
  return countedSteps(undefined, (call, recordsBefore) => {
    const page = fillPlaceholders(text, (name) => (name === 'rows' ? String(rows) : String(recordsBefore + first)))
    return withQuery(call, { [parameter]: `${call.query[parameter] ?? ''} ${page}`.trim() })
  })
}

/** Every page begins one record early. If that record is not the last one of the page before, records have moved. */
function countedSteps(total: string | undefined, callAfter: (call: Call, recordsBefore: number) => Call): PagingSteps {
  return {
    total,
    call: (call, position) => callAfter(call, position === null ? 0 : Number(position.at) - 1),
    next: ({ list, fresh, position, isAllRead }) =>
      fresh.length === 0 || isAllRead ? null : countedPosition(list, position, fresh),
    overlap: () => 1,
    fallbacks: noFallbacks,
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
    fallbacks(records) {
      const keys = records.slice(0, -1).map((record) => pointerReader(at)(record))
      return keys
        .flatMap((key) => (typeof key === 'string' || typeof key === 'number' ? [{ at: key }] : []))
        .toReversed()
    },
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
  for (const link of (header ?? '').split('<').slice(1)) {
    const [address = '', ...parameters] = link.split(/[>;]/u)
    if (parameters.some(isNext)) return { at: address }
  }
  return null
}

function isNext(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  const relations = value.replaceAll(/[",]/gu, ' ').toLowerCase().split(' ')
  return name.trim().toLowerCase() === 'rel' && relations.includes('next')
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
