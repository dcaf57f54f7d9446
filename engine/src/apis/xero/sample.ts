/** Reads documents of Xero again, to be compared with their copies: a page of a list, some journals, budgets, or months of a report. */
import { encodeDocuments, keyOf } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../../ports/document-sample.ts'
import { isTooManyDocuments, type XeroApi } from './api.ts'
import { always, type DateSpan, halve } from './date-spans.ts'
import { progressFromCheckpoint } from './progress.ts'
import { changedSinceOf } from './read-changes.ts'
import { numberOfJournal, readJournalsAfter } from './read-journals.ts'
import { readPage, type XeroPage } from './read-page.ts'
import { findFirstReportMonth, readMonth } from './read-reports.ts'
import { listBudgets, readBudget } from './read-whole.ts'
import { dayOf, monthOf, monthsFrom, plusMonths } from './tables/dates.ts'
import type {
  BudgetStream,
  ChangingStream,
  JournalStream,
  ReportStream,
  WholeStream,
  XeroStream,
} from './tables/stream-kinds.ts'

/** More than one, so that no month is looked at only once in years. */
const reportMonths = 3

export function readSample(
  api: XeroApi,
  stream: XeroStream,
  request: SampleRequest,
): Promise<DocumentSample | NoSample> {
  switch (stream.kind) {
    case 'whole':
    case 'changing':
      return sampleList(api, stream, request)
    case 'journals':
      return sampleJournals(api, stream, request)
    case 'budgets':
      return sampleBudgets(api, stream, request)
    case 'report':
      return sampleReport(api, stream, request)
  }
}

/** A short list is read whole, otherwise its first page, which counts the rows, and another one. */
async function sampleList(
  api: XeroApi,
  stream: WholeStream | ChangingStream,
  request: SampleRequest,
): Promise<DocumentSample> {
  // One is left for the changes since the last run.
  const pagesMax = Math.max(1, request.calls - 1)
  const { page: first, span } = await readFirstPage(api, stream, request.position)
  const { pages, total } = first
  const rows = [...first.rows]
  let { isLast } = first
  if (pages !== null && pages > pagesMax) {
    const number = 2 + Math.floor(request.position * (pages - 1))
    rows.push(...(await readPage(api, stream, { number, span })).rows)
  } else
    for (let number = 2; number <= pagesMax && !isLast; number += 1) {
      const page = await readPage(api, stream, { number, span })
      rows.push(...page.rows)
      isLast = page.isLast
    }
  const isComplete = isLast && span === always
  const listed = [...new Set(rows.map((row) => keyOf(stream.shape, row)))]
  const count = isComplete ? listed.length : span === always ? total : null
  return {
    batches: await encodeDocuments(stream.shape, distinct(stream, rows)),
    listed,
    isComplete,
    count: count === null ? null : { rows: count },
    changed: await listChanged(api, stream, request),
    ignoredColumns: presentValues,
  }
}

/** If Xero refuses to search all documents, those of a part of the time. */
async function readFirstPage(
  api: XeroApi,
  stream: WholeStream | ChangingStream,
  position: number,
): Promise<{ readonly page: XeroPage; readonly span: DateSpan }> {
  const today = dayOf(api.clock.now())
  for (let span = always; ;)
    try {
      return { page: await readPage(api, stream, { number: 1, span }), span }
    } catch (error) {
      const canFilter = stream.kind === 'changing' && stream.dated !== undefined && stream.dated.method !== 'here'
      const halves = canFilter && isTooManyDocuments(error) ? halve(span, today) : null
      if (halves === null) throw error
      span = halves[position < 0.5 ? 0 : 1]
    }
}

/** A row that moves between pages meanwhile is returned twice. The later one is the newer one. */
function distinct({ shape }: XeroStream, rows: readonly JsonObject[]): JsonObject[] {
  return [...new Map(rows.map((row) => [keyOf(shape, row), row])).values()]
}

/** Null if they do not fit into one page, or if Xero does not report them. */
async function listChanged(
  api: XeroApi,
  stream: WholeStream | ChangingStream,
  { checkpoint }: SampleRequest,
): Promise<ReadonlySet<string> | null> {
  const progress = progressFromCheckpoint(checkpoint, api.clock.now())
  if (stream.kind === 'whole' || progress === null || progress.walk !== null) return null
  const page = await readPage(api, stream, { number: 1, changedSince: changedSinceOf(progress) })
  return page.isLast ? new Set(page.rows.map((row) => keyOf(stream.shape, row))) : null
}

/** Journals never change. */
async function sampleJournals(
  api: XeroApi,
  stream: JournalStream,
  { checkpoint, position }: SampleRequest,
): Promise<DocumentSample | NoSample> {
  const reached = checkpoint?.['offset']
  if (typeof reached !== 'number') return { reason: 'No run has read the journals to their end yet.' }
  const rows = await readJournalsAfter(api, stream, Math.floor(position * Math.max(0, reached - 1)))
  const known = rows.filter((row) => numberOfJournal(row) <= reached)
  return {
    batches: await encodeDocuments(stream.shape, known),
    listed: known.map((row) => keyOf(stream.shape, row)),
    isComplete: false,
    count: null,
    changed: new Set(),
    ignoredColumns: presentValues,
  }
}

async function sampleBudgets(
  api: XeroApi,
  stream: BudgetStream,
  { calls, documents, position }: SampleRequest,
): Promise<DocumentSample> {
  const all = await listBudgets(api, stream)
  const most = Math.max(1, Math.min(documents, calls - 1))
  const first = all.length <= most ? 0 : Math.floor(position * (all.length - most + 1))
  const read: JsonObject[] = []
  for (const listed of all.slice(first, first + most)) {
    const budget = await readBudget(api, stream, listed)
    if (budget !== null) read.push(budget)
  }
  return {
    batches: await encodeDocuments(stream.shape, read),
    listed: all.map((row) => keyOf(stream.shape, row)),
    isComplete: true,
    count: { rows: all.length },
    changed: null,
  }
}

async function sampleReport(
  api: XeroApi,
  stream: ReportStream,
  { calls, position }: SampleRequest,
): Promise<DocumentSample> {
  const thisMonth = monthOf(dayOf(api.clock.now()))
  const first = await findFirstReportMonth(api, thisMonth)
  const all = monthsFrom(first, thisMonth) + 1
  const count = Math.max(1, Math.min(reportMonths, calls, all))
  const start = Math.floor(position * (all - count + 1))
  const batches = []
  for (let at = 0; at < count; at += 1) batches.push(...(await readMonth(api, stream, plusMonths(first, start + at))))
  return {
    batches,
    listed: [],
    isComplete: false,
    count: null,
    changed: null,
    // When Xero wrote the report.
    ignoredColumns: ['updated_date_utc'],
    reportMonths: count,
  }
}

/** Xero writes them into documents as they are at present, without a new change date: names, and what is owed by today. */
const presentValues: readonly string[] = [
  'contact_name',
  'account_name',
  'receivable_outstanding',
  'receivable_overdue',
  'payable_outstanding',
  'payable_overdue',
]
