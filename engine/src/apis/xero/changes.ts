/** Reads what has changed in a stream since the last reading, and in turn everything again, for Xero does not tell of every change. */
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { XeroApi } from './api.ts'
import { asDay, dayOf, monthOf, monthsFrom, nameOf, plusDays, plusMonths } from './tables/dates.ts'
import type { Day, Month } from './tables/dates.ts'
import { always } from './spans.ts'
import type { Span } from './spans.ts'
import { checkpointOf, freshRound, progressOf, slices } from './progress.ts'
import type { Progress } from './progress.ts'
import type { ChangingStream } from './tables/declare.ts'
import { walk } from './walk.ts'

/** Our clock may run ahead of Xero's. */
const clockMs = 60_000
/** What was told late, or by a clock that runs behind, lies within this of the last reading. */
const overlapMs = 5 * 60_000
const dayMs = 86_400_000
/** A run that comes a little early each day is not put off to the next one. */
const earlyMs = 60 * 60_000

export async function* readChanges(
  api: XeroApi,
  stream: ChangingStream,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  if (request.months !== undefined) return yield* readMonths(api, stream, request.months)
  const reading = new Reading(api, stream, request)
  if (reading.isUnderWay) yield* reading.goOn()
  yield* reading.begin()
  yield* reading.again()
}

export function checkpointOfMoment(moment: Date): Checkpoint {
  return { until: moment.getTime() }
}

/** Whatever has changed in them. */
async function* readMonths(api: XeroApi, stream: ChangingStream, months: readonly Month[]): AsyncGenerator<RowBatch> {
  for (const span of spansOf(months))
    for await (const { rows } of walk({ api, stream, span, since: null }))
      yield* await encodeDocuments(stream.shape, rows)
}

/** Months that follow each other are asked for together. */
function spansOf(months: readonly Month[]): Span[] {
  const spans: { from: Month; before: Month }[] = []
  for (const month of months.map(monthOf).toSorted()) {
    const last = spans.at(-1)
    if (last?.before === month) last.before = plusMonths(month, 1)
    else if (last === undefined || last.before < month) spans.push({ from: month, before: plusMonths(month, 1) })
  }
  return spans
}

class Reading {
  readonly #api: XeroApi
  readonly #stream: ChangingStream
  readonly #tell: ReadRequest['log']
  #progress: Progress | null

  constructor(api: XeroApi, stream: ChangingStream, { since, log }: ReadRequest) {
    this.#api = api
    this.#stream = stream
    this.#tell = log
    this.#progress = progressOf(since, api.clock.now())
  }

  /** An earlier reading was cut. */
  get isUnderWay(): boolean {
    return this.#progress !== null && this.#progress.walk !== null
  }

  /** Everything where nothing has been read, else what has changed since. */
  async *begin(): AsyncGenerator<RowBatch> {
    const now = this.#api.clock.now()
    const before = this.#progress
    this.#progress = {
      oldest: null,
      quiet: freshRound(now),
      ...before,
      until: now - clockMs,
      walk: { since: before === null ? null : before.until - overlapMs, place: { ...always, cursor: null } },
    }
    yield* this.goOn()
  }

  async *goOn(): AsyncGenerator<RowBatch> {
    const { walk: begun } = this.#known()
    if (begun === null) return
    for await (const { rows, place } of walk({
      ...this.#asked(),
      span: always,
      since: begun.since,
      place: begun.place,
    })) {
      this.#meet(rows)
      this.#progress = { ...this.#known(), walk: { since: begun.since, place } }
      yield* await encodeDocuments(this.#stream.shape, rows)
      yield this.#border()
    }
    this.#progress = { ...this.#known(), walk: null }
    yield this.#border()
  }

  /** The slices that are due. What has no date that Xero can be asked for is read again whole, once a week. */
  async *again(): AsyncGenerator<RowBatch> {
    const { dated, page } = this.#stream
    const { quiet } = this.#known()
    const days = Math.floor((this.#api.clock.now() - quiet.at + earlyMs) / dayMs)
    if (dated !== undefined && dated.asked !== 'here') return yield* this.#slices(days)
    // Small lists whose every change is told.
    if (dated === undefined && page === undefined) return
    if (days < slices) return
    yield* this.#slice({ span: always, quiet: freshRound(this.#api.clock.now()) })
  }

  async *#slices(days: number): AsyncGenerator<RowBatch> {
    for (let day = 1; day <= Math.min(days, slices); day += 1) {
      const { quiet, oldest } = this.#known()
      // After a long rest one round makes up for all that were missed.
      const at = days > slices ? this.#api.clock.now() : quiet.at + dayMs
      const before = quiet.left === 1 ? null : edgeOf(quiet.from ?? oldest, quiet.left, dayOf(this.#api.clock.now()))
      const next = before === null ? freshRound(at) : { at, left: quiet.left - 1, from: before }
      yield* this.#slice({ span: { from: quiet.from, before }, quiet: next })
    }
  }

  async *#slice({ span, quiet }: { readonly span: Span; readonly quiet: Progress['quiet'] }): AsyncGenerator<RowBatch> {
    let count = 0
    if (span.from === null || span.from !== span.before) {
      for await (const { rows } of walk({ ...this.#asked(), span, since: null })) {
        this.#meet(rows)
        count += rows.length
        yield* await encodeDocuments(this.#stream.shape, rows)
      }
    }
    if (count > 0) this.#tell(`${this.#stream.shape.table.name}: ${count} ${this.#what(span)} read again.`)
    this.#progress = { ...this.#known(), quiet }
    yield this.#border()
  }

  #what({ from, before }: Span): string {
    if (this.#stream.dated === undefined) return 'rows'
    const { oldest } = this.#known()
    const first = nameOf(monthOf(from ?? oldest ?? dayOf(this.#api.clock.now())))
    const last = before === null ? null : nameOf(monthOf(plusDays(before, -1)))
    if (last === first) return `documents of ${first}`
    return last === null ? `documents from ${first} on` : `documents of ${first} to ${last}`
  }

  #asked() {
    return { api: this.#api, stream: this.#stream }
  }

  #known(): Progress {
    if (this.#progress === null) throw new Error('The reading has not begun.')
    return this.#progress
  }

  #meet(rows: readonly JsonObject[]): void {
    const { dated } = this.#stream
    if (dated === undefined) return
    const days = rows.flatMap((row) => asDay(member(row, dated.key)) ?? [])
    const progress = this.#known()
    const oldest = [...days, ...(progress.oldest === null ? [] : [progress.oldest])].reduce<Day | null>(
      (least, day) => (least === null || day < least ? day : least),
      null,
    )
    this.#progress = { ...progress, oldest }
  }

  /** No rows, only the promise that all before are whole. */
  #border(): RowBatch {
    return {
      table: this.#stream.shape.table.name,
      bytes: new Uint8Array(),
      rows: 0,
      checkpoint: checkpointOf(this.#known()),
    }
  }
}

/** Where a slice ends that begins with this day, when so many are left until today's month is over. */
function edgeOf(from: Day | null, left: number, today: Day): Month {
  const start = monthOf(from ?? today)
  const months = Math.max(0, monthsFrom(start, plusMonths(monthOf(today), 1)))
  return plusMonths(start, Math.ceil(months / left))
}
