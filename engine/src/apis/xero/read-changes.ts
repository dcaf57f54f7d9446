/**
 * Reads the changes of a stream since the last read. Also re-reads all documents in slices, because Xero does not
 * report every change.
 */
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { XeroApi } from './api.ts'
import {
  asDay,
  dayOf,
  formatMonth,
  monthOf,
  monthsFrom,
  plusDays,
  plusMonths,
  type XeroDay,
  type XeroMonth,
} from './tables/dates.ts'
import { always, type DateSpan } from './date-spans.ts'
import {
  checkpointOf,
  progressFromCheckpoint,
  type RereadCycle,
  sliceCount,
  startCycle,
  type XeroProgress,
} from './progress.ts'
import type { ChangingStream } from './tables/stream-kinds.ts'
import { walkChanges } from './walk-changes.ts'

/** Our clock may be ahead of Xero's. */
const clockMs = 60_000
/** Overlap with the last read, for changes that are reported late or by a slow clock. */
const overlapMs = 5 * 60_000
const dayMs = 86_400_000
/** A daily run that starts a little early still counts as a day later. */
const earlyMs = 60 * 60_000

export async function* readChanges(
  api: XeroApi,
  stream: ChangingStream,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  if (request.months !== undefined) return yield* readMonths(api, stream, request.months)
  const reading = new ChangesRead(api, stream, request)
  if (reading.isInterrupted) yield* reading.resume()
  yield* reading.begin()
  yield* reading.rereadSlices()
}

export function checkpointOfMoment(moment: Date): Checkpoint {
  return { until: moment.getTime() }
}

/** The next read delivers what changed after this moment. */
export function changedSinceOf({ until }: XeroProgress): number {
  return until - overlapMs
}

/** Re-reads the documents of these months. */
async function* readMonths(
  api: XeroApi,
  stream: ChangingStream,
  months: readonly XeroMonth[],
): AsyncGenerator<RowBatch> {
  for (const span of mergeMonths(months))
    for await (const { rows } of walkChanges({ api, stream, span, since: null }))
      yield* await encodeDocuments(stream.shape, rows)
}

/** Merges consecutive months into one span. */
function mergeMonths(months: readonly XeroMonth[]): DateSpan[] {
  const spans: { from: XeroMonth; before: XeroMonth }[] = []
  for (const month of months.map(monthOf).toSorted()) {
    const last = spans.at(-1)
    if (last?.before === month) last.before = plusMonths(month, 1)
    else if (last === undefined || last.before < month) spans.push({ from: month, before: plusMonths(month, 1) })
  }
  return spans
}

class ChangesRead {
  readonly #api: XeroApi
  readonly #stream: ChangingStream
  readonly #tell: ReadRequest['log']
  #progress: XeroProgress | null

  constructor(api: XeroApi, stream: ChangingStream, { since, log }: ReadRequest) {
    this.#api = api
    this.#stream = stream
    this.#tell = log
    this.#progress = progressFromCheckpoint(since, api.clock.now())
  }

  /** True if an earlier read was interrupted. */
  get isInterrupted(): boolean {
    return this.#progress !== null && this.#progress.walk !== null
  }

  /** Starts reading: everything the first time, later the changes. */
  async *begin(): AsyncGenerator<RowBatch> {
    const now = this.#api.clock.now()
    const before = this.#progress
    this.#progress = {
      oldest: null,
      reread: startCycle(now),
      ...before,
      until: now - clockMs,
      walk: { since: before === null ? null : changedSinceOf(before), place: { ...always, cursor: null } },
    }
    yield* this.resume()
  }

  async *resume(): AsyncGenerator<RowBatch> {
    const { walk: interrupted } = this.#currentProgress()
    if (interrupted === null) return
    for await (const { rows, place } of walkChanges({
      ...this.#walkTarget(),
      span: always,
      since: interrupted.since,
      place: interrupted.place,
    })) {
      this.#updateOldest(rows)
      this.#progress = { ...this.#currentProgress(), walk: { since: interrupted.since, place } }
      yield* await encodeDocuments(this.#stream.shape, rows)
      yield this.#checkpointBatch()
    }
    this.#progress = { ...this.#currentProgress(), walk: null }
    yield this.#checkpointBatch()
  }

  /** Re-reads the slices that are due. A list that Xero cannot filter by date is re-read whole once a week. */
  async *rereadSlices(): AsyncGenerator<RowBatch> {
    const { dated, page } = this.#stream
    const { reread } = this.#currentProgress()
    const days = Math.floor((this.#api.clock.now() - reread.at + earlyMs) / dayMs)
    if (dated !== undefined && dated.method !== 'here') return yield* this.#slices(days)
    // Small lists without pages report every change.
    if (dated === undefined && page === undefined) return
    if (days < sliceCount) return
    yield* this.#slice({ span: always, reread: startCycle(this.#api.clock.now()) })
  }

  async *#slices(days: number): AsyncGenerator<RowBatch> {
    for (let day = 1; day <= Math.min(days, sliceCount); day += 1) {
      const { reread, oldest } = this.#currentProgress()
      // After a long pause, one cycle replaces all missed ones.
      const at = days > sliceCount ? this.#api.clock.now() : reread.at + dayMs
      const before =
        reread.left === 1 ? null : sliceEnd(reread.from ?? oldest, reread.left, dayOf(this.#api.clock.now()))
      const next = before === null ? startCycle(at) : { at, left: reread.left - 1, from: before }
      yield* this.#slice({ span: { from: reread.from, before }, reread: next })
    }
  }

  async *#slice({ span, reread }: { readonly span: DateSpan; readonly reread: RereadCycle }): AsyncGenerator<RowBatch> {
    let count = 0
    if (span.from === null || span.from !== span.before) {
      for await (const { rows } of walkChanges({ ...this.#walkTarget(), span, since: null })) {
        this.#updateOldest(rows)
        count += rows.length
        yield* await encodeDocuments(this.#stream.shape, rows)
      }
    }
    if (count > 0) this.#tell(`${this.#stream.shape.table.name}: ${count} ${this.#describeSlice(span)} read again.`)
    this.#progress = { ...this.#currentProgress(), reread }
    yield this.#checkpointBatch()
  }

  #describeSlice({ from, before }: DateSpan): string {
    if (this.#stream.dated === undefined) return 'rows'
    const { oldest } = this.#currentProgress()
    const first = formatMonth(monthOf(from ?? oldest ?? dayOf(this.#api.clock.now())))
    const last = before === null ? null : formatMonth(monthOf(plusDays(before, -1)))
    if (last === first) return `documents of ${first}`
    return last === null ? `documents from ${first} on` : `documents of ${first} to ${last}`
  }

  #walkTarget() {
    return { api: this.#api, stream: this.#stream }
  }

  #currentProgress(): XeroProgress {
    if (this.#progress === null) throw new Error('The read has not begun.')
    return this.#progress
  }

  #updateOldest(rows: readonly JsonObject[]): void {
    const { dated } = this.#stream
    if (dated === undefined) return
    const days = rows.flatMap((row) => asDay(readMember(row, dated.key)) ?? [])
    const progress = this.#currentProgress()
    const oldest = [...days, ...(progress.oldest === null ? [] : [progress.oldest])].reduce<XeroDay | null>(
      (least, day) => (least === null || day < least ? day : least),
      null,
    )
    this.#progress = { ...progress, oldest }
  }

  #checkpointBatch(): RowBatch {
    return checkpointBatch(this.#stream.shape, checkpointOf(this.#currentProgress()))
  }
}

/** The end of the slice that starts on this day, if this many slices remain until the end of the current month. */
function sliceEnd(from: XeroDay | null, left: number, today: XeroDay): XeroMonth {
  const start = monthOf(from ?? today)
  const months = Math.max(0, monthsFrom(start, plusMonths(monthOf(today), 1)))
  return plusMonths(start, Math.ceil(months / left))
}
