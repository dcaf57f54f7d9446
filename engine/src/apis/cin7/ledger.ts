/**
 * Reads the ledger, whose entries have neither keys nor a stamp of change. The last two months are read each time. Of what
 * lies before, only the number of entries is asked, halving the time until what differs is small enough to read. One older
 * month is read each time in turn, so that what changed without a change of number is found as well.
 */
import { createHash } from 'node:crypto'
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import { Fault } from '../../ports/faults.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { unknownShape } from './api.ts'
import type { Cin7 } from './api.ts'
import { totalOf, walkList } from './lists.ts'
import { textOf } from './tables/declare.ts'
import type { LedgerStream } from './tables/declare.ts'

/** Months counted from the year 0; `to` is not among them. */
interface Span {
  readonly from: number
  readonly to: number
}

const firstMonth = 1990 * 12
const lastMonth = 2200 * 12
/** So many entries are read at once rather than looked through by halves. */
const readAtOnce = 5_000

interface Reading {
  readonly cin7: Cin7
  readonly stream: LedgerStream
  /** How many entries each month had when it was read. */
  readonly counts: Map<string, number>
  /** The older month that was last read in turn. */
  turn: string
}

export async function* readLedger(cin7: Cin7, stream: LedgerStream, { since }: ReadRequest): AsyncGenerator<RowBatch> {
  const reading: Reading = { cin7, stream, counts: countsIn(since), turn: String(since?.['turn'] ?? '') }
  const today = new Date(cin7.clock.now())
  const recent = today.getUTCFullYear() * 12 + today.getUTCMonth() - 1

  yield* readSpan(reading, { from: recent, to: lastMonth })
  for await (const span of differing(reading, { from: firstMonth, to: recent })) yield* readSpan(reading, span)
  const next = since === null ? null : nextInTurn(reading, recent)
  if (next !== null) {
    reading.turn = next
    yield* readSpan(reading, { from: indexOf(next), to: indexOf(next) + 1 })
  }
}

/** The newest first. */
async function* differing(reading: Reading, span: Span): AsyncGenerator<Span> {
  const entries = await countEntries(reading, span)
  if (entries === knownEntries(reading, span)) return
  const months = span.to - span.from
  if (entries <= readAtOnce || months === 1) {
    yield span
    return
  }
  const middle = span.to - Math.ceil(months / 2)
  yield* differing(reading, { from: middle, to: span.to })
  yield* differing(reading, { from: span.from, to: middle })
}

async function countEntries({ cin7, stream }: Reading, span: Span): Promise<number> {
  const { json } = await cin7.client.get(stream.list.path, { ...queryOf(span), Page: '1', Limit: '1' })
  const total = json === null ? 0 : totalOf(json)
  if (total === null) throw unknownShape(stream.list.path)
  return total
}

function knownEntries({ counts }: Reading, span: Span): number {
  return [...counts].reduce((sum, [month, entries]) => (isWithin(month, span) ? sum + entries : sum), 0)
}

function nextInTurn({ counts, turn }: Reading, recent: number): string | null {
  const older = [...counts.keys()].filter((month) => indexOf(month) < recent).toSorted()
  return older.find((month) => month > turn) ?? older[0] ?? null
}

/** Every month of the span that has entries now, or had some. */
async function* readSpan(reading: Reading, span: Span): AsyncGenerator<RowBatch> {
  const { stream, counts } = reading
  const rows = (await settledRows(reading, span))
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
  yield { table: stream.shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: checkpointOf(reading) }
}

const triesMax = 3

/** Without keys a row that slips to the next page would count twice, so a span that changes while it is read is read again. */
async function settledRows({ cin7, stream }: Reading, span: Span): Promise<readonly JsonObject[]> {
  for (let attempt = 1; attempt <= triesMax; attempt += 1) {
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

/** Just before the first moment of the one month and just before that of the other: whether ends count as within or not. */
function queryOf({ from, to }: Span): Readonly<Record<string, string>> {
  const before = (month: number): string =>
    new Date(Date.UTC(Math.floor(month / 12), month % 12, 1) - 1).toISOString().slice(0, 23)
  return { FromDate: before(from), ToDate: before(to) }
}

function monthOf(row: JsonObject, { list }: LedgerStream): string {
  const month = textOf(row, 'EffectiveDate').slice(0, 7)
  if (/^\d{4}-\d\d$/.test(month)) return month
  throw unknownShape(list.path)
}

function indexOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
}

function isWithin(month: string, { from, to }: Span): boolean {
  return indexOf(month) >= from && indexOf(month) < to
}

const identifying = [
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
  const twins = new Map<string, number>()
  const entries = rows.map((row) => {
    const id = idOf(identifying.map((key) => member(row, key)))
    const twin = (twins.get(id) ?? 0) + 1
    twins.set(id, twin)
    return { ...row, EntryID: id, Twin: twin }
  })
  return { Month: month, Entries: rows.length, Transactions: entries }
}

function idOf(values: readonly unknown[]): string {
  const digits = createHash('sha256').update(JSON.stringify(values)).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-')
}

function checkpointOf({ counts, turn }: Reading): Checkpoint {
  return { months: JSON.stringify(Object.fromEntries(counts)), turn }
}

function countsIn(checkpoint: Checkpoint | null): Map<string, number> {
  const months = checkpoint?.['months']
  return new Map(typeof months === 'string' ? Object.entries(JSON.parse(months) as Record<string, number>) : [])
}
