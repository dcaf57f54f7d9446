/** Reads Xero's own reports month by month: this month and the last one each time, all of them once a day. */
import { encodeDocuments } from '../http/documents.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { XeroApi } from './api.ts'
import { dayOf, lastDayOf, monthOf, plusMonths } from './tables/dates.ts'
import type { Month } from './tables/dates.ts'
import { firstMonth } from './first-month.ts'
import { monthDocument } from './report-rows.ts'
import type { ReportStream } from './tables/declare.ts'
import { isRested } from './whole.ts'

/** Where the reading of all months stands. */
interface Round {
  /** When the last one began that came to its end, or, with `next`, the one under way. */
  readonly readAt: number
  /** The month to go on with; null where all are read. */
  readonly next: Month | null
}

export async function* readReport(
  api: XeroApi,
  stream: ReportStream,
  { since, months }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const now = api.clock.now()
  const thisMonth = monthOf(dayOf(now))
  const round = roundOf(since)
  if (months !== undefined) return yield* readMonths(api, stream, months.map(monthOf))
  if (round !== null && round.next !== null) return yield* readRound(api, stream, round)
  if (round === null || !isRested({ readAt: round.readAt }, now))
    return yield* readRound(api, stream, { readAt: now, next: await beginning(api, thisMonth) })
  yield* readMonths(api, stream, [plusMonths(thisMonth, -1), thisMonth])
  yield border(stream, round)
}

/** All months from the one to go on with. */
async function* readRound(api: XeroApi, stream: ReportStream, { readAt, next }: Round): AsyncGenerator<RowBatch> {
  const thisMonth = monthOf(dayOf(api.clock.now()))
  for (let month = next ?? thisMonth; month <= thisMonth; month = plusMonths(month, 1)) {
    yield* await readMonth(api, stream, month)
    yield border(stream, { readAt, next: month < thisMonth ? plusMonths(month, 1) : null })
  }
}

async function* readMonths(api: XeroApi, stream: ReportStream, months: readonly Month[]): AsyncGenerator<RowBatch> {
  for (const month of months) yield* await readMonth(api, stream, month)
}

/** The last month at the latest, which may still be posted to. */
async function beginning(api: XeroApi, thisMonth: Month): Promise<Month> {
  const first = await firstMonth(api)
  const last = plusMonths(thisMonth, -1)
  return first === null || first > last ? last : first
}

async function readMonth(api: XeroApi, stream: ReportStream, month: Month): Promise<RowBatch[]> {
  const { name: path, scope, shape, asks } = stream
  const last = lastDayOf(month)
  const query: Readonly<Record<string, string>> = asks === 'day' ? { date: last } : { fromDate: month, toDate: last }
  return encodeDocuments(shape, [monthDocument(stream, month, await api.ask({ path, scope, query }))])
}

function roundOf(checkpoint: Checkpoint | null): Round | null {
  const { readAt, next } = checkpoint ?? {}
  return typeof readAt === 'number' ? { readAt, next: typeof next === 'string' ? next : null } : null
}

/** No rows, only the promise that all before are whole. */
function border({ shape }: ReportStream, { readAt, next }: Round): RowBatch {
  return { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { readAt, next } }
}
