/** Reads posted entries window by window of their date: large enough to need few calls, small enough to be answered in time. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { asText } from '../http/canonical.ts'
import { member } from '../http/fields.ts'
import type { Question, UnicontaApi } from './api.ts'
import { dateName } from './tables.ts'

/** `2026-03-02`. */
export type Day = string

export interface Windows {
  readonly api: UnicontaApi
  readonly clock: Clock
  readonly company: string
  readonly set: string
  /** Null: from the very beginning, entries without a date included. */
  readonly from: Day | null
  /** How many days the first window spans. */
  readonly days: number
  /** The properties wanted; all of them where Uniconta cannot leave some out. */
  readonly select?: readonly string[]
}

/** `begun`: all pages since the last `whole` are void, for that window is read again, perhaps in parts. */
export type Step =
  | { readonly is: 'begun' }
  | { readonly is: 'page'; readonly rows: readonly JsonObject[] }
  /** Everything before this day has been given; null: everything. */
  | { readonly is: 'whole'; readonly before: Day | null }

interface Window {
  readonly from: Day | null
  readonly before: Day | null
}

/** No entry of a real company is older, and what has no date at all counts as the first day of the year 1. */
const firstDay: Day = '1900-01-01'
const noDay: Day = '0001-01-01'
const fewRows = 2_000
const manyRows = 20_000
const slowMs = 40_000
const daysMax = 3_660
/** Windows grow twofold, so one that is too large is answered after fewer halvings than this; else the trouble is another. */
const failuresMax = 4
const dayMs = 86_400_000

export async function* walkWindows(windows: Windows): AsyncGenerator<Step> {
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
    const end: Day = plusDays(from, days)
    const window: Window = { from, before: end > today ? null : end }
    const since = clock.now()
    let rows = 0
    try {
      rows = yield* readWindow(windows, window)
    } catch (error) {
      failures += 1
      days = shorter({ window, today, failures }, error)
      continue
    }
    failures = 0
    yield { is: 'whole', before: window.before }
    if (window.before === null) return
    from = window.before
    days = nextLength(days, rows, clock.now() - since)
  }
}

/** The highest number in a property; 0 where there is no entry. */
export async function highestNumber(
  { api, company, set }: Pick<Windows, 'api' | 'company' | 'set'>,
  property: string,
): Promise<number> {
  const first = await firstRow(api, { company, set, query: { $orderby: `${property} desc`, $top: '1' } })
  return first === null ? 0 : Number(asText(member(first, property)) ?? 0)
}

export function dateFilter({ from, before }: Window): string {
  const bounds = [
    from === null ? [] : [`${dateName} ge ${literal(from)}`],
    before === null ? [] : [`${dateName} lt ${literal(before)}`],
  ]
  return bounds.flat().join(' and ')
}

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

export function plusDays(day: Day, days: number): Day {
  return dayOf(Date.parse(day) + days * dayMs)
}

/** Returns how many rows there are in it. */
async function* readWindow({ api, company, set, select }: Windows, window: Window): AsyncGenerator<Step, number> {
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

/** Of the first entry by date; one without a date counts as of the year 1. Null where there is no entry. */
async function earliestDay({ api, company, set }: Windows, from: Day | null): Promise<Day | null> {
  const $filter = dateFilter({ from, before: null })
  const first = await firstRow(api, {
    company,
    set,
    query: { ...($filter !== '' && { $filter }), $orderby: `${dateName} asc`, $top: '1' },
  })
  return first === null ? null : (asText(member(first, dateName))?.slice(0, 10) ?? noDay)
}

async function firstRow(api: UnicontaApi, question: Question): Promise<JsonObject | null> {
  for await (const [first] of api.pages(question)) return first ?? null
  return null
}

interface Failed {
  readonly window: Window
  readonly today: Day
  readonly failures: number
}

/** Too big for Uniconta, or for one answer, is tried again in halves; anything else, and a single day, is a fault. */
function shorter({ window: { from, before }, today, failures }: Failed, error: unknown): number {
  const span =
    from === null
      ? 1
      : Math.round((Date.parse(before ?? plusDays(today > from ? today : from, 1)) - Date.parse(from)) / dayMs)
  if (span <= 1 || failures > failuresMax || !isTooMuch(error)) throw error
  return Math.max(1, Math.floor(span / 2))
}

const tooMuchCodes = new Set(['uniconta.failing', 'uniconta.unreachable', 'http.reply_too_large'])

function isTooMuch(error: unknown): boolean {
  return error instanceof Fault && tooMuchCodes.has(error.code)
}

function nextLength(days: number, rows: number, tookMs: number): number {
  if (rows > manyRows || tookMs > slowMs) return Math.max(1, Math.floor(days / 2))
  return rows < fewRows ? Math.min(days * 2, daysMax) : days
}

function literal(day: Day): string {
  return `datetime'${day}T00:00:00'`
}
