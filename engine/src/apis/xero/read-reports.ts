/** Reads Xero's own reports by month: this month and the last one each time, all months once a day. */
import { encodeDocuments } from '../http/documents.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { XeroApi } from './api.ts'
import { dayOf, lastDayOf, monthOf, plusMonths, type XeroMonth } from './tables/dates.ts'
import { getFirstMonth } from './first-month.ts'
import { monthDocument } from './report-rows.ts'
import type { ReportStream } from './tables/stream-kinds.ts'
import { wasReadToday } from './read-whole.ts'

/** Progress of reading all months. */
interface ReportCycle {
  /** When the last complete cycle began or, with `next`, the current one. */
  readonly readAt: number
  /** The next month to read; null if all are read. */
  readonly next: XeroMonth | null
}

export async function* readReport(
  api: XeroApi,
  stream: ReportStream,
  { since, months }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const now = api.clock.now()
  const thisMonth = monthOf(dayOf(now))
  const cycle = cycleFromCheckpoint(since)
  if (months !== undefined) return yield* readMonths(api, stream, months.map(monthOf))
  if (cycle !== null && cycle.next !== null) return yield* readCycle(api, stream, cycle)
  if (cycle === null || !wasReadToday({ readAt: cycle.readAt }, now))
    return yield* readCycle(api, stream, { readAt: now, next: await findFirstReportMonth(api, thisMonth) })
  yield* readMonths(api, stream, [plusMonths(thisMonth, -1), thisMonth])
  yield checkpointBatch(stream.shape, { ...cycle })
}

/** Reads all months from the next one on. */
async function* readCycle(api: XeroApi, stream: ReportStream, { readAt, next }: ReportCycle): AsyncGenerator<RowBatch> {
  const thisMonth = monthOf(dayOf(api.clock.now()))
  for (let month = next ?? thisMonth; month <= thisMonth; month = plusMonths(month, 1)) {
    yield* await readMonth(api, stream, month)
    yield checkpointBatch(stream.shape, { readAt, next: month < thisMonth ? plusMonths(month, 1) : null })
  }
}

async function* readMonths(api: XeroApi, stream: ReportStream, months: readonly XeroMonth[]): AsyncGenerator<RowBatch> {
  for (const month of months) yield* await readMonth(api, stream, month)
}

/** At the latest the previous month, which may still receive postings. */
export async function findFirstReportMonth(api: XeroApi, thisMonth: XeroMonth): Promise<XeroMonth> {
  const first = await getFirstMonth(api)
  const last = plusMonths(thisMonth, -1)
  return first === null || first > last ? last : first
}

export async function readMonth(api: XeroApi, stream: ReportStream, month: XeroMonth): Promise<RowBatch[]> {
  const { name: path, scope, shape, dateParameters } = stream
  const last = lastDayOf(month)
  const query: Readonly<Record<string, string>> =
    dateParameters === 'day' ? { date: last } : { fromDate: month, toDate: last }
  return encodeDocuments(shape, [monthDocument(stream, month, await api.get({ path, scope, query }))])
}

function cycleFromCheckpoint(checkpoint: Checkpoint | null): ReportCycle | null {
  const { readAt, next } = checkpoint ?? {}
  return typeof readAt === 'number' ? { readAt, next: typeof next === 'string' ? next : null } : null
}
