/**
 * Walks through a stream's documents in the order of their changes. Keyset pagination: the next request starts at the
 * last row's change, not at a page number.
 * With page numbers, a document that changes during the walk would move to the end, and another would slip to a page
 * that was already read.
 */
import type { JsonObject } from '../http/exact-json.ts'
import { asText } from '../http/canonical-text.ts'
import { keyOf } from '../http/documents.ts'
import { readMember } from '../http/fields.ts'
import { isTooManyDocuments, type XeroApi } from './api.ts'
import { dayOf, parseInstant } from './tables/dates.ts'
import { readPage } from './read-page.ts'
import { type DateSpan, halve } from './date-spans.ts'
import type { ChangingStream } from './tables/stream-kinds.ts'

/** Position of a walk: complete before `from`, and within the span complete for changes before `cursor`. */
export interface WalkPosition extends DateSpan {
  readonly cursor: number | null
}

export interface WalkStep {
  readonly rows: readonly JsonObject[]
  /** Where to resume once these rows are stored. */
  readonly place: WalkPosition
}

export interface XeroWalk {
  readonly api: XeroApi
  readonly stream: ChangingStream
  readonly span: DateSpan
  /** Only changes since this moment. */
  readonly since: number | null
  /** Where an earlier walk through the same span was interrupted. */
  readonly place?: WalkPosition
}

export async function* walkChanges(options: XeroWalk): AsyncGenerator<WalkStep> {
  const { api, stream, span, place } = options
  let parts: readonly DateSpan[] =
    place === undefined ? [span] : [place, ...(place.before === span.before ? [] : [{ ...span, from: place.before }])]
  let cursor = place?.cursor ?? null
  for (let [part, ...rest] = parts; part !== undefined; [part, ...rest] = parts) {
    try {
      yield* walkSpan(options, { ...part, cursor })
      parts = rest
      cursor = null
      const [next] = rest
      if (next !== undefined) yield { rows: [], place: { ...next, cursor } }
    } catch (error) {
      if (!isTooManyDocuments(error) || stream.dated === undefined || stream.dated.method === 'here') throw error
      const halves = halve(part, dayOf(api.clock.now()))
      if (halves === null) throw error
      parts = [...halves, ...rest]
    }
  }
}

async function* walkSpan({ api, stream, since }: XeroWalk, start: WalkPosition): AsyncGenerator<WalkStep> {
  let { cursor } = start
  let number = 1
  let before: ReadonlySet<string> = new Set()
  for (;;) {
    const { rows, isLast } = await readPage(api, stream, { number, changedSince: laterOf(cursor, since), span: start })
    const versions = rows.map((row) => versionOf(stream, row))
    const reached = nextCursor(stream, rows)
    const hasMoved = reached !== null && (cursor === null || reached > cursor)
    if (hasMoved) cursor = reached
    yield {
      rows: rows.filter((_row, at) => !before.has(versions[at] ?? '')),
      place: { from: start.from, before: start.before, cursor },
    }
    if (isLast) return
    number = hasMoved ? 1 : number + 1
    before = new Set(versions)
  }
}

function laterOf(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.max(first, second)
}

/** Identifies a row's version: a row that arrives twice unchanged is not written again. */
function versionOf({ shape }: ChangingStream, row: JsonObject): string {
  return `${keyOf(shape, row)} ${asText(readMember(row, 'UpdatedDateUTC'))}`
}

/**
 * One second before the last change on the page: Xero has a resolution of seconds, and other documents may share that
 * second.
 */
function nextCursor({ isOrdered }: ChangingStream, rows: readonly JsonObject[]): number | null {
  if (!isOrdered || rows.length === 0) return null
  const changes = rows.map((row) => parseInstant(readMember(row, 'UpdatedDateUTC')))
  const isRising = changes.every((at, index) => !Number.isNaN(at) && at >= (changes[index - 1] ?? -Infinity))
  return isRising ? Math.floor((changes.at(-1) ?? 0) / 1_000) * 1_000 - 1_000 : null
}
