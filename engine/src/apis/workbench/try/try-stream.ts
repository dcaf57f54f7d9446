/** Tries a stream of a description: a few pages, with what was sent and received, the rows of them, and what does not fit. */
import { decodeRows } from '../../../encoding/copy-text.ts'
import { asFault } from '../../../ports/faults.ts'
import type { Column, LogicalType, RowBatch, Table } from '../../../ports/model.ts'
import type { ConnectionContext, OpenSource, Stream } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import { describedSource } from '../../described/source.ts'
import { secretsOf } from '../secrets.ts'
import { type ExchangeRecord, ExchangeRecorder } from './exchange-record.ts'
import { misfitOf } from './value-fit.ts'

export interface TryRequest {
  readonly description: SourceDescription
  readonly settings: DescribedSettings
  /** Absent: the first stream. */
  readonly stream?: string | undefined
  readonly pages: number
}

export interface TriedTable {
  readonly name: string
  readonly columns: readonly TriedColumn[]
  /** Canonical texts in the order of the columns. At most 200. */
  readonly rows: readonly (readonly (string | null)[])[]
  readonly rowsRead: number
}

export interface TriedColumn {
  readonly name: string
  readonly type: string
  /** Where the value is in a record. */
  readonly pointer: string
  /** Whether any row has a value. */
  readonly isSeen: boolean
}

export interface TriedValue {
  readonly table: string
  readonly column: string
  readonly pointer: string
  /** From 1, in the order of reading. */
  readonly row: number
  readonly value: string
  readonly wanted: string
}

export interface TryResult {
  readonly stream: string
  /** Names of all streams that the description reads. */
  readonly streams: readonly string[]
  readonly exchanges: readonly ExchangeRecord[]
  readonly tables: readonly TriedTable[]
  /** Values that do not fit their type. A target would reject these rows. */
  readonly misfits: readonly TriedValue[]
  readonly log: readonly string[]
  /** Why reading ended before so many pages; null if it did not fail. */
  readonly fault: string | null
  /** The list has more pages than were read. */
  readonly hasMore: boolean
}

const callsMax = 60
const rowsShown = 200
const misfitsShown = 50

/** Rejects only if the caller aborts. */
export async function tryStream(request: TryRequest, around: ConnectionContext): Promise<TryResult> {
  const { description, settings, pages } = request
  const recorder = new ExchangeRecorder(secretsOf(description, settings), callsMax)
  const enough = new AbortController()
  const signal = AbortSignal.any([around.signal, enough.signal])
  const observe: NonNullable<ConnectionContext['observe']> = (exchange) => {
    recorder.record(exchange)
    if (recorder.records.length >= callsMax) enough.abort()
  }
  const read = new TablesRead()
  const log: string[] = []
  const found = { stream: request.stream ?? '', streams: [] as string[], fault: null as string | null, hasMore: false }
  try {
    await using source = await describedSource(description).open(settings, { ...around, signal, observe })
    const streams = await source.streams()
    found.streams = streams.map(({ name }) => name)
    const stream = findStream(streams, request.stream)
    if (stream === undefined) found.fault = noStream(request.stream, found.streams)
    else {
      found.stream = stream.name
      read.open(stream)
      found.hasMore = await readPages(source, { stream, pages, log }, read)
    }
  } catch (error) {
    around.signal.throwIfAborted()
    if (enough.signal.aborted) found.hasMore = true
    else found.fault = recorder.masked(asFault(error).notice)
  }
  return {
    ...found,
    exchanges: recorder.records,
    ...read.result(recorder),
    log: log.map((line) => recorder.masked(line)),
  }
}

function findStream(streams: readonly Stream[], name: string | undefined): Stream | undefined {
  return name === undefined ? streams[0] : streams.find((stream) => stream.name === name)
}

function noStream(name: string | undefined, known: readonly string[]): string {
  return name === undefined
    ? 'The description reads no stream.'
    : `There is no stream ${name}. There is ${known.join(', ')}.`
}

interface PagesRead {
  readonly stream: Stream
  readonly pages: number
  readonly log: string[]
}

/** @returns whether there is more to read */
async function readPages(source: OpenSource, { stream, pages, log }: PagesRead, read: TablesRead): Promise<boolean> {
  let page = 0
  const batches = source.read(stream, { since: null, encoding: 'text', log: (line) => void log.push(line) })
  for await (const batch of batches) {
    if (batch.table === stream.table.name && batch.rows > 0 && (page += 1) > pages) return true
    read.add(batch)
  }
  return false
}

class TablesRead {
  readonly #tables = new Map<string, { readonly table: Table; readonly rows: (string | null)[][]; count: number }>()
  readonly #seen = new Map<string, Set<number>>()
  readonly #misfits: TriedValue[] = []

  open({ table, children }: Stream): void {
    for (const one of [table, ...children]) {
      this.#tables.set(one.name, { table: one, rows: [], count: 0 })
      this.#seen.set(one.name, new Set())
    }
  }

  add({ table: name, bytes, deletes }: RowBatch): void {
    const known = this.#tables.get(name)
    if (known === undefined || deletes === true) return
    for (const row of decodeRows(bytes)) {
      known.count += 1
      if (known.rows.length < rowsShown) known.rows.push(row)
      for (const [index, column] of known.table.columns.entries())
        this.#check(known.table, known.count, { index, column, value: row[index] ?? null })
    }
  }

  result(recorder: ExchangeRecorder): Pick<TryResult, 'tables' | 'misfits'> {
    return {
      tables: [...this.#tables.values()].map(({ table, rows, count }) => ({
        name: table.name,
        columns: table.columns.map((column, index) => ({
          name: column.name,
          type: typeWords(column.type),
          pointer: column.sourceField ?? '',
          isSeen: this.#seen.get(table.name)?.has(index) ?? false,
        })),
        rows: rows.map((row) => row.map((value) => (value === null ? null : recorder.masked(value)))),
        rowsRead: count,
      })),
      misfits: this.#misfits.map((one) => ({ ...one, value: recorder.masked(one.value) })),
    }
  }

  #check(table: Table, row: number, { index, column, value }: CheckedValue): void {
    if (value !== null) this.#seen.get(table.name)?.add(index)
    const wanted = value === null ? (column.nullable ? null : 'a value') : misfitOf(column.type, value)
    if (wanted === null || this.#misfits.length >= misfitsShown) return
    const shown = (value ?? 'nothing').slice(0, 100).toWellFormed()
    this.#misfits.push({
      table: table.name,
      column: column.name,
      pointer: column.sourceField ?? '',
      row,
      value: shown,
      wanted,
    })
  }
}

interface CheckedValue {
  readonly index: number
  readonly column: Column
  readonly value: string | null
}

/** As a description writes it. */
export function typeWords(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
    case 'bytes':
      return type.maxLength === undefined ? type.kind : `${type.kind}(${type.maxLength})`
    case 'integer':
      return { 2: 'smallint', 4: 'integer', 8: 'bigint' }[type.bytes]
    case 'decimal':
      return type.precision === undefined ? 'decimal' : `decimal(${type.precision},${type.scale ?? 0})`
    case 'localTimestamp':
      return `timestamp(${type.digits})`
    case 'instant':
      return `instant(${type.digits})`
    default:
      return type.kind
  }
}
