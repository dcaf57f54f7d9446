/** Walks the pages of a list. Loops, repeated pages and lists that shrink meanwhile are noticed; none of them ends a walk early. */
import { Fault } from '../../ports/faults.ts'
import type { ApiResponse } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { type Call, misfit, type Query, type RecordList, recordsOf } from './calls.ts'
import type { Paging } from './description/schema-paging.ts'
import { pointerReader } from './pointer.ts'

/** Where a page begins: a page number, an offset, a cursor, a key or an address. Null: the first page. */
export type PagePosition = string | number | null

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
  for (let number = 1; ; number += 1) {
    if (number > limits.pagesMax) throw endlessList(list, limits.pagesMax)
    const reply = await list.api.get(steps.call(call, position))
    const records = recordsOf(list, number, reply.json)
    const facts = factsOf(records, reply.json, steps.total)
    if (before !== null && hasMoved(before, facts, steps.anchor(position))) {
      restarts += 1
      if (restarts > restartsMax) throw unstableList(list)
      ;[position, seen, before, isRestart, read] = [null, new Set(), null, true, 0]
      continue
    }
    // With an anchor, the first record is the last one of the page before.
    const fresh = before !== null && steps.anchor(position) ? records.slice(1) : records
    read += fresh.length
    const isRepeated = facts.marker === before?.marker
    const isAllRead = isRepeated || (from === null && facts.total !== null && read >= facts.total)
    const next = steps.next({ list, number, reply, records, position, isAllRead })
    if (next !== null && !addTo(seen, String(next))) throw loopOfPages(list, number)
    yield { number, records: fresh, reply, next, isRestart }
    if (next === null) return
    ;[position, before, isRestart] = [next, records.length === 0 ? before : facts, false]
  }
}

interface PageFacts {
  readonly total: number | null
  readonly first: string
  readonly last: string
  /** Identifies the records of the page. */
  readonly marker: string
}

function factsOf(records: readonly JsonObject[], reply: ExactJson, total: string | undefined): PageFacts {
  const [first, last] = [JSON.stringify(records[0] ?? null), JSON.stringify(records.at(-1) ?? null)]
  return {
    total: total === undefined ? null : numberAt(reply, total),
    first,
    last,
    marker: `${records.length} ${first} ${last}`,
  }
}

/** Rows moved to pages that were read already, if the total shrank or the record that both pages have is another one. */
function hasMoved(before: PageFacts, now: PageFacts, isAnchored: boolean): boolean {
  if (before.total !== null && now.total !== null && now.total < before.total) return true
  return isAnchored && before.last !== now.first
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
  readonly position: PagePosition
  /** The walk has as many records as the API counts, or the page has those of the one before. */
  readonly isAllRead: boolean
}

interface PagingSteps {
  readonly total: string | undefined
  call(call: Call, position: PagePosition): Call
  next(step: PageStep): PagePosition
  /** Whether the page at this position begins with the last record of the page before. */
  anchor(position: PagePosition): boolean
}

const neverAnchored = (): boolean => false

function stepsOf(paging: Paging): PagingSteps {
  switch (paging.kind) {
    case 'none':
      return { total: undefined, call: (call) => call, next: () => null, anchor: neverAnchored }
    case 'nextLink':
      return {
        total: paging.total,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ list, reply, number }) => linkIn(list, number, reply.json, paging.at),
        anchor: neverAnchored,
      }
    case 'linkHeader':
      return {
        total: undefined,
        call: (call, position) => linkCall(call, position, sizeQuery(paging.size)),
        next: ({ reply }) => nextOfHeader(reply.link),
        anchor: neverAnchored,
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
        anchor: neverAnchored,
      }
    case 'keyset':
      return keysetSteps(paging)
  }
}

function numberedSteps({ parameter, first, size, total }: Paging & { kind: 'pageNumber' }): PagingSteps {
  return {
    total,
    call: (call, position) => withQuery(call, { ...sizeQuery(size), [parameter]: String(position ?? first) }),
    // A page may be shorter than asked for, so only an empty or a repeated page ends the list.
    next: ({ records, position, isAllRead }) =>
      records.length === 0 || isAllRead ? null : Number(position ?? first) + 1,
    anchor: neverAnchored,
  }
}

/** Every page begins one record early. If that record is not the last one of the page before, records have moved. */
function offsetSteps({ parameter, size, total }: Paging & { kind: 'offset' }): PagingSteps {
  const isAnchored = (position: PagePosition): boolean => position !== null && Number(position) > 0
  return {
    total,
    call: (call, position) => withQuery(call, { ...sizeQuery(size), [parameter]: String(position ?? 0) }),
    next: ({ records, position, isAllRead }) =>
      records.length <= 1 || isAllRead ? null : Number(position ?? 0) + records.length - 1,
    anchor: isAnchored,
  }
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
    anchor: neverAnchored,
  }
}

function withQuery({ path, query }: Call, more: Query): Call {
  return { path, query: { ...query, ...more } }
}

function sizeQuery(size: { readonly parameter: string; readonly rows: number } | undefined): Query {
  return size === undefined ? {} : { [size.parameter]: String(size.rows) }
}

function positionQuery(parameter: string, position: PagePosition): Query {
  return position === null ? {} : { [parameter]: String(position) }
}

/** A link has its query in it, and gets no other parameters. */
function linkCall(call: Call, position: PagePosition, size: Query): Call {
  return position === null ? withQuery(call, size) : { path: String(position), query: {} }
}

function linkIn(list: RecordList, page: number, reply: ExactJson, at: string): PagePosition {
  const link = pointerReader(at)(reply)
  if (link === undefined || link === null || link === '') return null
  if (typeof link === 'string') return link
  throw misfit(list, { page, pointer: at, found: link, wanted: 'the address of the next page' })
}

/** `<https://api.example.com/items?page=2>; rel="next"` (RFC 8288). */
function nextOfHeader(header: string | null): PagePosition {
  for (const [, address = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/gu))
    if (/;\s*rel\s*=\s*"?(?:[^",;]*\s)?next(?:\s[^",;]*)?"?/iu.test(parameters)) return address
  return null
}

function positionIn(list: RecordList, page: number, pointer: string, found: ExactJson | undefined): PagePosition {
  if (found === undefined || found === null || found === '') return null
  if (typeof found === 'string' || typeof found === 'number') return found
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
