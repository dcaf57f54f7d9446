/**
 * Reads the ledger, whose entries have neither keys nor a change date.
 * The last two months are read each time. Before that, only entry counts are compared, by bisection, until the
 * differing spans are small enough to read.
 * Each run also re-reads one older month in rotation, which finds changes that keep the count.
 */
import { createHash } from 'node:crypto'
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { Fault } from '../../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { type Cin7Connection, unknownFormatFault } from './api.ts'
import { totalOf, walkList } from './lists.ts'
import { type LedgerStream, textOf } from './tables/stream-kinds.ts'

/** Months counted from year 0; `to` is exclusive. */
interface MonthSpan {
  readonly from: number
  readonly to: number
}

const firstMonth = 1990 * 12
const lastMonth = 2200 * 12
/** A span of at most this many entries is read instead of bisected. */
const readAtOnceMax = 5_000

interface LedgerRead {
  readonly cin7: Cin7Connection
  readonly stream: LedgerStream
  /** The number of entries of each month when it was last read. */
  readonly counts: Map<string, number>
  /** The older month that the rotation re-read last. */
  lastRechecked: string
}

export async function* readLedger(
  cin7: Cin7Connection,
  stream: LedgerStream,
  { since }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const reading: LedgerRead = { cin7, stream, counts: parseCounts(since), lastRechecked: String(since?.['turn'] ?? '') }
  const today = new Date(cin7.clock.now())
  const recent = today.getUTCFullYear() * 12 + today.getUTCMonth() - 1

  yield* readSpan(reading, { from: recent, to: lastMonth })
  for await (const span of findDifferingSpans(reading, { from: firstMonth, to: recent })) yield* readSpan(reading, span)
  const next = since === null ? null : nextMonthToRecheck(reading, recent)
  if (next !== null) {
    reading.lastRechecked = next
    yield* readSpan(reading, { from: monthIndex(next), to: monthIndex(next) + 1 })
  }
}

/** A month before the last two, of those that have entries, with all its entries. Null if no such month exists. */
export async function readLedgerMonth(
  cin7: Cin7Connection,
  stream: LedgerStream,
  checkpoint: Checkpoint | null,
  position: number,
): Promise<{ readonly document: JsonObject; readonly entries: number } | null> {
  const reading: LedgerRead = { cin7, stream, counts: parseCounts(checkpoint), lastRechecked: '' }
  const months = [...reading.counts.keys()].toSorted()
  const month = months[Math.floor(position * months.length)]
  if (month === undefined) return null
  const span = { from: monthIndex(month), to: monthIndex(month) + 1 }
  const rows = (await readStableRows(reading, span)).filter((row) => monthOf(row, stream) === month)
  return {
    document: monthDocument(month, rows),
    entries: await countEntries(reading, { from: firstMonth, to: lastMonth }),
  }
}

/** Yields the spans whose count differs, newest first. */
async function* findDifferingSpans(reading: LedgerRead, span: MonthSpan): AsyncGenerator<MonthSpan> {
  const entries = await countEntries(reading, span)
  if (entries === sumKnownEntries(reading, span)) return
  const months = span.to - span.from
  if (entries <= readAtOnceMax || months === 1) {
    yield span
    return
  }
  const middle = span.to - Math.ceil(months / 2)
  yield* findDifferingSpans(reading, { from: middle, to: span.to })
  yield* findDifferingSpans(reading, { from: span.from, to: middle })
}

async function countEntries({ cin7, stream }: LedgerRead, span: MonthSpan): Promise<number> {
  const { json } = await cin7.client.get(stream.list.path, { ...queryOf(span), Page: '1', Limit: '1' })
  const total = json === null ? 0 : totalOf(json)
  if (total === null) throw unknownFormatFault(stream.list.path)
  return total
}

function sumKnownEntries({ counts }: LedgerRead, span: MonthSpan): number {
  return [...counts].reduce((sum, [month, entries]) => (isWithin(month, span) ? sum + entries : sum), 0)
}

function nextMonthToRecheck({ counts, lastRechecked }: LedgerRead, recent: number): string | null {
  const older = [...counts.keys()].filter((month) => monthIndex(month) < recent).toSorted()
  return older.find((month) => month > lastRechecked) ?? older[0] ?? null
}

/** Reads every month of the span that has or had entries. */
async function* readSpan(reading: LedgerRead, span: MonthSpan): AsyncGenerator<RowBatch> {
  const { stream, counts } = reading
  const rows = (await readStableRows(reading, span))
    .map((row) => ({ month: monthOf(row, stream), row }))
    .filter(({ month }) => isWithin(month, span))
  const byMonth = Map.groupBy(rows, ({ month }) => month)
  for (const month of counts.keys()) if (isWithin(month, span) && !byMonth.has(month)) byMonth.set(month, [])
  const documents = [...byMonth].map(([month, entries]) =>
    monthDocument(
      month,
      entries.map(({ row }) => row),
    ),
  )
  const batches = await encodeDocuments(stream.shape, documents)
  for (const [month, { length }] of byMonth) {
    if (length === 0) counts.delete(month)
    else counts.set(month, length)
  }
  yield* batches
  yield checkpointBatch(stream.shape, checkpointOf(reading))
}

const attemptsMax = 3

/**
 * Entries have no keys, so a row that moves to the next page would count twice. A span that changes during the read
 * is read again.
 */
async function readStableRows({ cin7, stream }: LedgerRead, span: MonthSpan): Promise<readonly JsonObject[]> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const pages: (readonly JsonObject[])[] = []
    const totals = new Set<number | null>()
    for await (const { number, content, total } of walkList(cin7, stream.list, {
      query: queryOf(span),
      encode: (rows) => rows,
    }).pages) {
      if (number === 1) pages.length = 0
      pages.push(content)
      totals.add(total)
    }
    const rows = pages.flat()
    const [total = 0] = totals
    if (totals.size <= 1 && rows.length === total) return rows
  }
  throw new Fault('passing', {
    code: 'cin7.ledger_changes',
    notice: 'The ledger of Cin7 Core changed each time while it was read. Tributary tries again with the next run.',
  })
}

/** One millisecond before each month's start, so that inclusive and exclusive bounds give the same rows. */
function queryOf({ from, to }: MonthSpan): Readonly<Record<string, string>> {
  const before = (month: number): string =>
    new Date(Date.UTC(Math.floor(month / 12), month % 12, 1) - 1).toISOString().slice(0, 23)
  return { FromDate: before(from), ToDate: before(to) }
}

function monthOf(row: JsonObject, { list }: LedgerStream): string {
  const month = textOf(row, 'EffectiveDate').slice(0, 7)
  if (/^\d{4}-\d\d$/.test(month)) return month
  throw unknownFormatFault(list.path)
}

function monthIndex(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
}

function isWithin(month: string, { from, to }: MonthSpan): boolean {
  return monthIndex(month) >= from && monthIndex(month) < to
}

const identifyingKeys = [
  'TaskID',
  'Type',
  'EffectiveDate',
  'Transaction',
  'Reference',
  'DebitAccountCode',
  'CreditAccountCode',
  'Amount',
]

function monthDocument(month: string, rows: readonly JsonObject[]): JsonObject {
  const duplicates = new Map<string, number>()
  const entries = rows.map((row) => {
    const id = hashAsGuid(identifyingKeys.map((key) => readMember(row, key)))
    const duplicateNumber = (duplicates.get(id) ?? 0) + 1
    duplicates.set(id, duplicateNumber)
    return { ...row, EntryID: id, Twin: duplicateNumber }
  })
  return { Month: month, Entries: rows.length, Transactions: entries }
}

function hashAsGuid(values: readonly unknown[]): string {
  const digits = createHash('sha256').update(JSON.stringify(values)).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-')
}

function checkpointOf({ counts, lastRechecked }: LedgerRead): Checkpoint {
  return { months: JSON.stringify(Object.fromEntries(counts)), turn: lastRechecked }
}

function parseCounts(checkpoint: Checkpoint | null): Map<string, number> {
  const months = checkpoint?.['months']
  return new Map(typeof months === 'string' ? Object.entries(JSON.parse(months) as Record<string, number>) : [])
}
