/**
 * Reads a report with a call for each month: this month and the last one each time, all months once a day. Each month is one document, so that
 * its rows are replaced together.
 */
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { type DocumentShape, encodeDocuments } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Month, monthAt, monthOf, plusMonths } from './calendar.ts'

export interface MonthlyReport {
  readonly name: string
  readonly shape: DocumentShape
  /** Each month also has the balances at its start. */
  readonly hasBalances: boolean
  /** Milliseconds since 1970. */
  now(): number
  /** The day of the oldest entry; null without entries. */
  firstDay(): Promise<string | null>
  rows(month: Month): Promise<readonly JsonObject[]>
  /** Members of the document of every month. */
  readonly members?: JsonObject
}

/** Members of a document, and of its rows. */
export const monthMember = 'month'
export const linesMember = 'line'
export const balanceMember = 'balanceAt'

/** So that one wrong date does not cost a call for every month since the year 1. */
const monthsMax = 240

export async function* readByMonth(
  report: MonthlyReport,
  { since, months, log }: Pick<ReadRequest, 'since' | 'months' | 'log'>,
): AsyncGenerator<RowBatch> {
  const now = report.now()
  const thisMonth = monthAt(now)
  const pages = new ReportMonths(report)
  if (months !== undefined) return yield* pages.read(months.map(monthOf))
  const cycle = cycleFrom(since)
  if (cycle?.next != null) return yield* readAll(pages, cycle)
  if (cycle === null || !isSameDay(cycle.readAt, now)) return yield* readAll(pages, await nextCycle(report, cycle, log))
  yield* pages.read([plusMonths(thisMonth, -1), thisMonth])
  yield checkpointBatch(report.shape, checkpointOf(cycle))
}

/** The progress of reading all months. */
interface ReportCycle {
  /** When the last complete cycle began, or the current one. */
  readonly readAt: number
  /** Null: all months are read. */
  readonly next: Month | null
  /** The first month that was ever read; null in a checkpoint of an earlier version. */
  readonly first: Month | null
}

async function* readAll(pages: ReportMonths, { readAt, next, first }: ReportCycle): AsyncGenerator<RowBatch> {
  const { report } = pages
  const thisMonth = monthAt(report.now())
  for (let month = next ?? thisMonth; month <= thisMonth; month = plusMonths(month, 1)) {
    yield* pages.read([month])
    const progress = { readAt, next: month < thisMonth ? plusMonths(month, 1) : null, first }
    yield checkpointBatch(report.shape, checkpointOf(progress))
  }
}

/** The months of which all entries were deleted are read again, too: the target has their figures. */
async function nextCycle(
  report: MonthlyReport,
  before: ReportCycle | null,
  log: ReadRequest['log'],
): Promise<ReportCycle> {
  const now = report.now()
  const thisMonth = monthAt(now)
  const found = await firstMonth(report, thisMonth, log)
  const earliest = plusMonths(thisMonth, 1 - monthsMax)
  const known = before?.first ?? found
  const first = known < found && known >= earliest ? known : found
  return { readAt: now, next: first, first }
}

/** At the latest the last month, which may still get entries. */
async function firstMonth(report: MonthlyReport, thisMonth: Month, log: ReadRequest['log']): Promise<Month> {
  const last = plusMonths(thisMonth, -1)
  const day = await report.firstDay()
  if (day === null || monthOf(day) > last) return last
  const earliest = plusMonths(thisMonth, 1 - monthsMax)
  if (monthOf(day) >= earliest) return monthOf(day)
  log(`${report.name} has entries since ${day}. Only the last ${monthsMax} months of it are read.`)
  return earliest
}

class ReportMonths {
  readonly report: MonthlyReport
  /** The month that was read last, which begins the balances of the next one. */
  #last: { readonly month: Month; readonly rows: readonly JsonObject[] } | null = null

  constructor(report: MonthlyReport) {
    this.report = report
  }

  async *read(months: readonly Month[]): AsyncGenerator<RowBatch> {
    const { shape, members = {} } = this.report
    for (const month of months)
      yield* await encodeDocuments(shape, [
        { ...members, [monthMember]: month, [linesMember]: await this.#lines(month) },
      ])
  }

  async #lines(month: Month): Promise<readonly JsonObject[]> {
    if (!this.report.hasBalances) return await this.report.rows(month)
    const before = plusMonths(month, -1)
    const start = this.#last?.month === before ? this.#last.rows : await this.report.rows(before)
    const end = await this.report.rows(month)
    this.#last = { month, rows: end }
    return [
      ...start.map((row) => ({ ...row, [balanceMember]: 'start' })),
      ...end.map((row) => ({ ...row, [balanceMember]: 'end' })),
    ]
  }
}

function isSameDay(one: number, other: number): boolean {
  return Math.floor(one / 86_400_000) === Math.floor(other / 86_400_000)
}

function cycleFrom(checkpoint: Checkpoint | null): ReportCycle | null {
  const { readAt, next, first } = checkpoint ?? {}
  const monthIn = (value: unknown): Month | null => (typeof value === 'string' ? value : null)
  return typeof readAt === 'number' ? { readAt, next: monthIn(next), first: monthIn(first) } : null
}

function checkpointOf({ readAt, next, first }: ReportCycle): Checkpoint {
  return { readAt, ...(next !== null && { next }), ...(first !== null && { first }) }
}
