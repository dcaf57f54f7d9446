/** Reads posted entries in date windows: large enough to need few calls, small enough to finish within the timeout. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { asText } from '../http/canonical-text.ts'
import { readMember } from '../http/fields.ts'
import type { UnicontaQuery, UnicontaApi } from './api.ts'
import { dateProperty } from './tables.ts'

/** `2026-03-02`. */
export type UnicontaDay = string

export interface WindowedRead {
  readonly api: UnicontaApi
  readonly clock: Clock
  readonly company: string
  readonly set: string
  /** Null: from the beginning, including entries without a date. */
  readonly from: UnicontaDay | null
  /** The length of the first window in days. */
  readonly days: number
  /** The requested properties; absent: all, because Uniconta cannot omit any. */
  readonly select?: readonly string[]
}

/** `begun`: discard all pages since the last `whole`, because that window is read again, perhaps in halves. */
export type WindowEvent =
  | { readonly is: 'begun' }
  | { readonly is: 'page'; readonly rows: readonly JsonObject[] }
  /** All entries before this day have been returned; null: all entries. */
  | { readonly is: 'whole'; readonly before: UnicontaDay | null }

interface DateWindow {
  readonly from: UnicontaDay | null
  readonly before: UnicontaDay | null
}

/** No real company has older entries. Entries without a date count as the first day of year 1. */
const firstDay: UnicontaDay = '1900-01-01'
const noDay: UnicontaDay = '0001-01-01'
const growBelowRows = 2_000
const shrinkAboveRows = 20_000
const slowMs = 40_000
const daysMax = 3_660
/**
 * Windows at most double, so an oversized one succeeds after fewer halvings than this. More failures have another
 * cause.
 */
const failuresMax = 4
const dayMs = 86_400_000

export async function* walkWindows(windows: WindowedRead): AsyncGenerator<WindowEvent> {
  const { clock } = windows
  let from = windows.from
  if (from === null) {
    const earliest = await earliestDay(windows, null)
    if (earliest === null) return yield { is: 'whole', before: null }
    if (earliest < firstDay) yield* readWindow(windows, { from: null, before: firstDay })
    from = earliest < firstDay ? ((await earliestDay(windows, firstDay)) ?? firstDay) : earliest
    yield { is: 'whole', before: from }
  }
  const today = dayOf(clock.now())
  let failures = 0
  for (let { days } = windows; ;) {
    const end: UnicontaDay = plusDays(from, days)
    const window: DateWindow = { from, before: end > today ? null : end }
    const since = clock.now()
    let rows = 0
    try {
      rows = yield* readWindow(windows, window)
    } catch (error) {
      failures += 1
      days = halveWindow({ window, today, failures }, error)
      continue
    }
    failures = 0
    yield { is: 'whole', before: window.before }
    if (window.before === null) return
    from = window.before
    days = nextWindowDays(days, rows, clock.now() - since)
  }
}

/** Returns the highest value of a numeric property; 0 without entries. */
export async function highestNumber(
  { api, company, set }: Pick<WindowedRead, 'api' | 'company' | 'set'>,
  property: string,
): Promise<number> {
  const first = await firstRow(api, { company, set, query: { $orderby: `${property} desc`, $top: '1' } })
  return first === null ? 0 : Number(asText(readMember(first, property)) ?? 0)
}

export function dateFilter({ from, before }: DateWindow): string {
  const bounds = [
    from === null ? [] : [`${dateProperty} ge ${dateLiteral(from)}`],
    before === null ? [] : [`${dateProperty} lt ${dateLiteral(before)}`],
  ]
  return bounds.flat().join(' and ')
}

export function dayOf(at: number): UnicontaDay {
  return new Date(at).toISOString().slice(0, 10)
}

export function plusDays(day: UnicontaDay, days: number): UnicontaDay {
  return dayOf(Date.parse(day) + days * dayMs)
}

/** Returns the number of rows. */
async function* readWindow(
  { api, company, set, select }: WindowedRead,
  window: DateWindow,
): AsyncGenerator<WindowEvent, number> {
  const $filter = dateFilter(window)
  const query = { ...($filter !== '' && { $filter }), ...(select !== undefined && { $select: select.join(',') }) }
  let count = 0
  yield { is: 'begun' }
  for await (const rows of api.pages({ company, set, query })) {
    yield { is: 'page', rows }
    count += rows.length
  }
  return count
}

/** The date of the first entry; an entry without a date counts as year 1. Null without entries. */
export async function earliestDay(
  { api, company, set }: WindowedRead,
  from: UnicontaDay | null,
): Promise<UnicontaDay | null> {
  const $filter = dateFilter({ from, before: null })
  const first = await firstRow(api, {
    company,
    set,
    query: { ...($filter !== '' && { $filter }), $orderby: `${dateProperty} asc`, $top: '1' },
  })
  return first === null ? null : (asText(readMember(first, dateProperty))?.slice(0, 10) ?? noDay)
}

async function firstRow(api: UnicontaApi, question: UnicontaQuery): Promise<JsonObject | null> {
  for await (const [first] of api.pages(question)) return first ?? null
  return null
}

interface FailedWindow {
  readonly window: DateWindow
  readonly today: UnicontaDay
  readonly failures: number
}

/**
 * Halves a window that was too much for Uniconta or for one response. Rethrows any other error, and that of a single
 * day.
 */
function halveWindow({ window: { from, before }, today, failures }: FailedWindow, error: unknown): number {
  const span =
    from === null
      ? 1
      : Math.round((Date.parse(before ?? plusDays(today > from ? today : from, 1)) - Date.parse(from)) / dayMs)
  if (span <= 1 || failures > failuresMax || !isOverload(error)) throw error
  return Math.max(1, Math.floor(span / 2))
}

const overloadCodes = new Set(['uniconta.failing', 'uniconta.unreachable', 'http.reply_too_large'])

function isOverload(error: unknown): boolean {
  return error instanceof Fault && overloadCodes.has(error.code)
}

function nextWindowDays(days: number, rows: number, tookMs: number): number {
  if (rows > shrinkAboveRows || tookMs > slowMs) return Math.max(1, Math.floor(days / 2))
  return rows < growBelowRows ? Math.min(days * 2, daysMax) : days
}

function dateLiteral(day: UnicontaDay): string {
  return `datetime'${day}T00:00:00'`
}
