/** Reads a list whose records have the moment of their last change: everything at first, then what has changed since. */
import { Fault } from '../../../ports/faults.ts'
import { checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { asText } from '../../http/canonical-text.ts'
import { type Call, type Query, valueWords } from '../calls.ts'
import { columnOf, columnPointer } from '../columns.ts'
import type { Changes } from '../description/schema-changes.ts'
import type { Paging } from '../description/schema-paging.ts'
import { millisecondsOf, momentParameter, type ParameterFormat } from '../moments.ts'
import { type Page, walkPages } from '../paging.ts'
import type { PagePosition } from '../paging-steps.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf, parametersOf } from './described-stream.ts'
import { RecordEncoder } from './record-encoder.ts'
import { detailKeys, type DetailKey, readDetail } from './details.ts'
import { checkpointOf, nothingRead, type Progress, progressFrom } from './progress.ts'

export type CursorChanges = Changes & { readonly kind: 'cursor' }

const dayMs = 86_400_000

export async function* readChanges(
  stream: DescribedStream,
  changes: CursorChanges,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const progress = progressFrom(since)
  const reading = new ChangesRead(stream, changes, startOf(progress, changes, stream.api.now()))
  yield* reading.read()
  // What was interrupted ends with the state of then: changes since are read, too.
  if (since !== null && !progress.isComplete)
    yield* new ChangesRead(stream, changes, startOf(reading.end(), changes, stream.api.now())).read()
}

/** Where a read begins: where the last one was interrupted, some minutes before the last one, or with everything. */
function startOf(progress: Progress, changes: CursorChanges, now: number): Progress {
  return progress.isComplete ? { ...nothingRead, since: changesSince(progress, changes, now) } : progress
}

/** From when on changes are read after a complete read; null: everything is. */
export function changesSince(
  { until }: Progress,
  { overlapSeconds, maxAgeDays }: CursorChanges,
  now: number,
): number | null {
  const since = (until ?? 0) - overlapSeconds * 1_000
  return maxAgeDays !== undefined && since < now - maxAgeDays * dayMs ? null : since
}

class ChangesRead {
  readonly #stream: DescribedStream
  readonly #changes: CursorChanges
  #progress: Progress
  #encoder: RecordEncoder
  #rows = 0

  constructor(stream: DescribedStream, changes: CursorChanges, start: Progress) {
    this.#stream = stream
    this.#changes = changes
    this.#progress = start
    this.#encoder = new RecordEncoder(stream, { skipsDeleted: start.since === null })
  }

  /** How far the read is, once it has ended. */
  end(): Progress {
    return { ...nothingRead, until: this.#progress.until ?? this.#stream.api.now(), isComplete: true }
  }

  async *read(): AsyncGenerator<RowBatch> {
    const { rowsMax } = this.#changes
    yield* this.#readPending()
    if (this.#progress.since !== null && this.#changes.order === 'ascending') yield* this.#readInOrder()
    else yield* this.#readPages()
    if (this.#progress.since !== null && rowsMax !== undefined && this.#rows >= rowsMax) {
      // The API reports no more changes than these, so others may be missing.
      yield* new ChangesRead(this.#stream, this.#changes, nothingRead).read()
      return
    }
    yield* this.#encoder.takeDeletes()
    yield checkpointBatch(this.#stream.shape, checkpointOf(this.end()))
  }

  /** Any order: the position in the list is the progress. */
  async *#readPages(): AsyncGenerator<RowBatch> {
    for await (const page of this.#walk(this.#progress.position)) {
      yield* this.#encode(page, { position: page.next })
    }
  }

  /**
   * The promised order lets each page begin with the moment that the one before has reached, so that a record that moves to the end
   * meanwhile hides no other one. The bound is included: records with the same moment are read again.
   */
  async *#readInOrder(): AsyncGenerator<RowBatch> {
    const momentOf = momentReader(this.#stream, this.#changes)
    for (let isDone = false; !isDone;) {
      isDone = true
      const since = this.#progress.since ?? 0
      for await (const page of this.#walk(null)) {
        const moments = page.records.map(momentOf)
        this.#requireOrder(moments, page)
        const reached = moments.at(-1) ?? since
        yield* this.#encode(page, { since: Math.max(reached, since) })
        if (page.next !== null && reached > since) {
          isDone = false
          break
        }
      }
    }
  }

  #walk(from: PagePosition): AsyncGenerator<Page> {
    const stream = this.#stream
    const isChanges = this.#progress.since !== null
    const records = isChanges ? (this.#changes.records ?? stream.description.records) : stream.description.records
    const paging = isChanges ? changesPaging(stream, this.#changes) : stream.paging
    return walkPages({ list: listOf(stream, records), call: this.#call(), paging, from })
  }

  #call(): Call {
    const { since } = this.#progress
    return since === null ? listCall(this.#stream) : changesCall(this.#stream, this.#changes, since)
  }

  /** The rows of a page, and how far the read is once they are stored. */
  async *#encode(page: Page, reached: Partial<Progress>): AsyncGenerator<RowBatch> {
    this.#rows += page.records.length
    this.#progress = { ...this.#progress, until: this.#progress.until ?? this.#startedAt(page) }
    const { detail } = this.#stream.description
    if (detail !== undefined) {
      this.#progress = { ...this.#progress, ...reached, pending: detailKeys(this.#stream, page.records) }
      return yield* this.#readPending()
    }
    this.#progress = { ...this.#progress, ...reached }
    yield* this.#store(page.records, page.number)
  }

  /** The documents that the list has named, a few at a time. */
  async *#readPending(): AsyncGenerator<RowBatch> {
    const { detail } = this.#stream.description
    if (detail === undefined) return
    while (this.#progress.pending.length > 0) {
      const [now, later]: [readonly DetailKey[], readonly DetailKey[]] = [
        this.#progress.pending.slice(0, detailsAtOnce),
        this.#progress.pending.slice(detailsAtOnce),
      ]
      const documents: JsonObject[] = []
      for (const key of now) {
        const document = await readDetail(this.#stream, detail, key)
        if (document !== null) documents.push(document)
      }
      this.#progress = { ...this.#progress, pending: later }
      yield* this.#store(documents, 1)
    }
  }

  async *#store(records: readonly JsonObject[], page: number): AsyncGenerator<RowBatch> {
    yield* await this.#encoder.encode(records, page)
    // Deleted keys are known only at the end, so an interrupted read with deletions starts over.
    const hasDeletions = this.#stream.description.deletes?.kind === 'status' && this.#progress.since !== null
    if (!hasDeletions) yield checkpointBatch(this.#stream.shape, checkpointOf(this.#progress))
  }

  /** The earlier of both clocks, because one may be fast. */
  #startedAt({ reply }: Page): number {
    const now = this.#stream.api.now()
    return Math.min(now, reply.serverTime ?? now)
  }

  #requireOrder(moments: readonly number[], page: Page): void {
    const at = moments.findIndex((moment, index) => index > 0 && moment < (moments[index - 1] ?? moment))
    if (at === -1) return
    const { api, name } = this.#stream
    throw new Fault('data', {
      code: `${api.code}.order`,
      notice: `${name}, page ${page.number}: record ${at + 1} was changed before the one in front of it (${valueWords(page.records[at])}), although the description says that records come in this order. Rows could be missed, so none of this table are read. Have its description corrected.`,
    })
  }
}

const detailsAtOnce = 20

export function changesCall(stream: DescribedStream, { from, to, query, path }: CursorChanges, since: number): Call {
  const { api } = stream
  const more = {
    ...parametersOf(stream, query),
    ...spanQuery([from, since], ...(to === undefined ? [] : [[to, api.now()] as const])),
  }
  return path === undefined ? listCall(stream, more) : { path: api.withSettings({ path, query: {} }).path, query: more }
}

export function changesPaging({ paging }: DescribedStream, changes: CursorChanges): Paging {
  return changes.paging ?? paging
}

interface MomentParameter {
  readonly parameter: string
  readonly format: ParameterFormat
  readonly template?: string | undefined
}

/** The bounds of a read. Those of one parameter follow one another in it. */
export function spanQuery(...bounds: readonly (readonly [MomentParameter, number])[]): Query {
  const query: Record<string, string> = {}
  for (const [of, at] of bounds)
    for (const [name, value] of Object.entries(momentQuery(of, at))) query[name] = `${query[name] ?? ''}${value}`
  return query
}

export function momentQuery({ parameter, format, template = '{moment}' }: MomentParameter, at: number): Query {
  return { [parameter]: template.replace('{moment}', momentParameter(at, format)) }
}

/** @throws Fault `data` if a record has no moment */
function momentReader(stream: DescribedStream, { column }: CursorChanges): (record: JsonObject) => number {
  const written = stream.description.columns[column] ?? ''
  const { format = 'iso', zone = 'UTC' } = columnOf(written)
  const pointer = columnPointer(column, written)
  const find = pointerReader(pointer)
  return (record) => {
    const value = find(record)
    const text = asText(value ?? null)
    const at = text === null ? null : millisecondsOf(text, format, zone)
    if (at !== null) return at
    throw new Fault('data', {
      code: `${stream.api.code}.no_moment`,
      notice: `${stream.name}: ‘${pointer}’ has ${valueWords(value)} instead of the moment of the last change, so changes cannot be found. The rows that the target has of it stay as they are.`,
    })
  }
}
