/**
 * Walks through the documents of a stream in the order in which they changed. The next request goes on from the moment of the last
 * row, not from a page's number: a document that changes meanwhile moves to the end and would pull others over the border of a page.
 */
import type { JsonObject } from '../http/exact-json.ts'
import { asText } from '../http/canonical.ts'
import { member } from '../http/fields.ts'
import { isTooMuch } from './api.ts'
import type { XeroApi } from './api.ts'
import { dayOf, momentOf } from './tables/dates.ts'
import { readPage } from './pages.ts'
import { halve } from './spans.ts'
import type { Span } from './spans.ts'
import type { ChangingStream } from './tables/declare.ts'

/** Where a walk stands: everything dated before `from` has been given, and of the span what changed before `cursor`. */
export interface Place extends Span {
  readonly cursor: number | null
}

export interface Step {
  readonly rows: readonly JsonObject[]
  /** Where to go on once these rows are stored. */
  readonly place: Place
}

export interface Walk {
  readonly api: XeroApi
  readonly stream: ChangingStream
  readonly span: Span
  /** Only what has changed since. */
  readonly since: number | null
  /** Where an earlier walk through the same span was cut. */
  readonly place?: Place
}

export async function* walk(asked: Walk): AsyncGenerator<Step> {
  const { api, stream, span, place } = asked
  let parts: readonly Span[] =
    place === undefined ? [span] : [place, ...(place.before === span.before ? [] : [{ ...span, from: place.before }])]
  let cursor = place?.cursor ?? null
  for (let [part, ...rest] = parts; part !== undefined; [part, ...rest] = parts) {
    try {
      yield* walkPart(asked, { ...part, cursor })
      parts = rest
      cursor = null
      const [next] = rest
      if (next !== undefined) yield { rows: [], place: { ...next, cursor } }
    } catch (error) {
      if (!isTooMuch(error) || stream.dated === undefined || stream.dated.asked === 'here') throw error
      const halves = halve(part, dayOf(api.clock.now()))
      if (halves === null) throw error
      parts = [...halves, ...rest]
    }
  }
}

async function* walkPart({ api, stream, since }: Walk, start: Place): AsyncGenerator<Step> {
  let { cursor } = start
  let number = 1
  let before: ReadonlySet<string> = new Set()
  for (;;) {
    const { rows, isLast } = await readPage(api, stream, { number, changedSince: later(cursor, since), span: start })
    const marks = rows.map((row) => markOf(stream, row))
    const reached = reachedBy(stream, rows)
    const hasMoved = reached !== null && (cursor === null || reached > cursor)
    if (hasMoved) cursor = reached
    yield {
      rows: rows.filter((_row, at) => !before.has(marks[at] ?? '')),
      place: { from: start.from, before: start.before, cursor },
    }
    if (isLast) return
    number = hasMoved ? 1 : number + 1
    before = new Set(marks)
  }
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

/** A row that comes a second time as it came before need not be written again. */
function markOf({ shape }: ChangingStream, row: JsonObject): string {
  const key = shape.fields
    .slice(0, 1)
    .map(({ read }) => read({ document: row, node: row, section: '', number: 0, ordinal: 1 }))
  return `${key[0]} ${asText(member(row, 'UpdatedDateUTC'))}`
}

/** A second before the last change on the page: Xero counts in seconds, and others may have changed in the same one. */
function reachedBy({ isOrdered }: ChangingStream, rows: readonly JsonObject[]): number | null {
  if (!isOrdered || rows.length === 0) return null
  const changes = rows.map((row) => momentOf(member(row, 'UpdatedDateUTC')))
  const isRising = changes.every((at, index) => !Number.isNaN(at) && at >= (changes[index - 1] ?? -Infinity))
  return isRising ? Math.floor((changes.at(-1) ?? 0) / 1_000) * 1_000 - 1_000 : null
}
