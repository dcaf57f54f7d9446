/** Walks the pages of a list. Loops, repeated pages and lists that shrink meanwhile are noticed; none of them ends a walk early. */
import { Fault } from '../../ports/faults.ts'
import type { ApiResponse } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import type { Call, RecordList } from './calls.ts'
import { positionGone } from './connection.ts'
import type { Paging } from './description/schema-paging.ts'
import { type PagePosition, type PagingSteps, stepsOf } from './paging-steps.ts'
import { pointerReader } from './pointer.ts'
import { recordsOf } from './records.ts'

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
  let state = startAt(from)
  let restarts = 0
  for (let number = 1; ; number += 1) {
    if (number > limits.pagesMax) throw endlessList(list, limits.pagesMax)
    const page = await readPage({ list, call, steps, number }, state)
    if (page === 'gone' || page === 'moved') {
      const earlier = page === 'gone' ? fallBack(state) : null
      if (earlier === null) restarts = countRestart(list, restarts)
      state = earlier ?? { ...startAt(null), isRestart: true }
      continue
    }
    const { reply, records, facts, fresh } = page
    const { position, before } = state
    const read = state.read === null ? null : state.read + fresh.length
    const next = steps.next({ list, number, reply, records, fresh, position, isAllRead: isEnd(before, facts, read) })
    if (!isNew(state.seen, next)) throw loopOfPages(list, number)
    yield { number, records: fresh, reply, next, isRestart: state.isRestart }
    if (next === null) return
    state = { ...state, position: next, before: facts, read, isRestart: false, fallbacks: steps.fallbacks(records) }
  }
}

interface PageRead {
  readonly reply: ApiResponse
  readonly records: readonly JsonObject[]
  readonly facts: PageFacts
  /** The records that the page before does not have. */
  readonly fresh: readonly JsonObject[]
}

/** @returns `gone` if the API no longer has the record after which the page begins, `moved` if records have moved between pages */
async function readPage(
  { list, call, steps, number }: Pick<PagedWalk, 'list' | 'call'> & { steps: PagingSteps; number: number },
  { position, before }: WalkState,
): Promise<PageRead | 'gone' | 'moved'> {
  const reply = await readPosition(list, steps.call(call, position))
  if (reply === null) return 'gone'
  const records = recordsOf(list, number, reply.json)
  const facts = factsOf(records, reply.json, steps.total)
  const overlap = position === null ? 0 : steps.overlap(position)
  if (hasShrunk(before, facts) || hasMoved(list, position, records[overlap - 1])) return 'moved'
  return { reply, records, facts, fresh: records.slice(overlap) }
}

/** The page begins after an earlier record of the page before. Null after the first record of that page. */
function fallBack(state: WalkState): WalkState | null {
  const [position, ...fallbacks] = state.fallbacks
  return position === undefined ? null : { ...state, position, fallbacks }
}

function isEnd(before: PageFacts | null, facts: PageFacts, read: number | null): boolean {
  return facts.marker === before?.marker || isTotal(read, facts.total)
}

/** Null if the API no longer has the record after which the page begins. */
async function readPosition({ api }: RecordList, call: Call): Promise<ApiResponse | null> {
  try {
    return await api.get(call)
  } catch (error) {
    if (error instanceof Fault && error.code === `${api.code}.${positionGone}`) return null
    throw error
  }
}

interface WalkState {
  readonly position: PagePosition
  /** Where the page could begin instead, if the record before it is gone: nearest first. */
  readonly fallbacks: readonly NonNullable<PagePosition>[]
  readonly before: PageFacts | null
  /** Positions of this walk. */
  readonly seen: Set<string>
  /** Records so far; null if the walk does not begin with the first page. */
  readonly read: number | null
  readonly isRestart: boolean
}

function startAt(position: PagePosition): WalkState {
  return {
    position,
    fallbacks: [],
    before: null,
    seen: new Set(),
    read: position === null ? 0 : null,
    isRestart: false,
  }
}

function isTotal(read: number | null, total: number | null): boolean {
  return read !== null && total !== null && read >= total
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

/** Remembers the position. */
function isNew(seen: Set<string>, position: PagePosition): boolean {
  if (position === null) return true
  const isFirst = !seen.has(String(position.at))
  seen.add(String(position.at))
  return isFirst
}

/** @throws Fault `passing` if the list is not stable */
function countRestart(list: RecordList, restarts: number): number {
  if (restarts === restartsMax) throw unstableList(list)
  return restarts + 1
}

function loopOfPages({ api, stream }: RecordList, page: number): Fault {
  return new Fault('passing', {
    code: `${api.code}.unreadable_reply`,
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

/** How many records the API counts in a list; null if it counts none. */
export function totalOf(paging: Paging, reply: ExactJson): number | null {
  const { total } = stepsOf(paging)
  return total === undefined ? null : numberAt(reply, total)
}

function numberAt(reply: ExactJson, pointer: string): number | null {
  const found = pointerReader(pointer)(reply)
  const number = typeof found === 'string' && found !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
