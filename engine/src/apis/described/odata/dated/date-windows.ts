/** Reads rows by date, in windows that are large enough to need few calls, and small enough to finish within the timeout. */
import { Fault } from '../../../../ports/faults.ts'
import { asText } from '../../../http/canonical-text.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import { readMember } from '../../../http/fields.ts'
import type { EntityQuery, ODataApi } from '../api.ts'
import { selectionOf, setIn, whereOf } from '../conditions.ts'
import { hasCode } from '../faults.ts'
import type { Query } from '../../calls.ts'
import { dayText } from '../../moments.ts'
import type { EdmProperty } from '../metadata/edmx.ts'
import { dayLiteral } from '../metadata/literals.ts'
import type { DatedReading, ODataTable } from '../metadata/tables.ts'

/** `2026-03-02`. */
export type CalendarDay = string

/** A table that is read by date. */
export interface DatedTable {
  readonly api: ODataApi
  readonly table: ODataTable
  readonly dated: DatedReading
  /** Tables whose duplicate keys a read has numbered; the read adds them. */
  readonly numbered: Set<string>
}

export interface WindowedRead extends DatedTable {
  readonly company: string
  /** Null: from the beginning, including entries without a date. */
  readonly from: CalendarDay | null
  /** The length of the first window in days. */
  readonly days: number
  /** Which properties are asked for; absent: those of the description. */
  readonly selection?: Query
}

/** `begun`: discard all pages since the last `whole`, because that window is read again, perhaps in halves. */
export type WindowEvent =
  | { readonly is: 'begun' }
  | { readonly is: 'page'; readonly rows: readonly JsonObject[] }
  /** All entries before this day have been returned; null: all entries. */
  | { readonly is: 'whole'; readonly before: CalendarDay | null }

interface DateWindow {
  readonly from: CalendarDay | null
  readonly before: CalendarDay | null
  /** Rows without a date, too. */
  readonly orNone?: boolean
}

/** No real company has older entries. */
const firstDay: CalendarDay = '1900-01-01'
/** Of the first window. */
export const firstDays = 31
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
  const { described } = windows.api
  let from = windows.from
  if (from === null) {
    const earliest = await earliestDay(windows, null)
    if (earliest === null) return yield { is: 'whole', before: null }
    if (earliest < firstDay) yield* readWindow(windows, { from: null, before: firstDay, orNone: earliest === '' })
    from = earliest < firstDay ? ((await earliestDay(windows, firstDay)) ?? firstDay) : earliest
    yield { is: 'whole', before: from }
  }
  const today = dayOf(described.now())
  let failures = 0
  for (let { days } = windows; ;) {
    const end: CalendarDay = plusDays(from, days)
    const window: DateWindow = { from, before: end > today ? null : end }
    const since = described.now()
    let rows = 0
    try {
      rows = yield* readWindow(windows, window)
    } catch (error) {
      failures += 1
      days = halveWindow({ api: windows.api, window, today, failures }, error)
      continue
    }
    failures = 0
    yield { is: 'whole', before: window.before }
    if (window.before === null) return
    from = window.before
    days = nextWindowDays(days, rows, described.now() - since)
  }
}

/** Returns the highest value of a numeric property; 0 without entries. */
export async function highestNumber(
  { api, table, company }: Pick<WindowedRead, 'api' | 'table' | 'company'>,
  property: string,
): Promise<number> {
  const query = { ...whereOf(table), $orderby: `${property} desc`, $top: '1' }
  const first = await firstRow(api, { company, set: setIn(table, company), query })
  return first === null ? 0 : Number(asText(readMember(first, property)) ?? 0)
}

/** Empty without bounds. */
export function dateFilter(
  { api, dated: { date } }: Pick<DatedTable, 'api' | 'dated'>,
  { from, before, orNone = false }: DateWindow,
): string {
  const literal = (day: CalendarDay): string => dayLiteral(date, day, api.description.service.literals)
  const bounds = [
    from === null ? [] : [`${date.name} ge ${literal(from)}`],
    before === null
      ? []
      : [
          orNone
            ? `(${date.name} lt ${literal(before)} or ${date.name} eq null)`
            : `${date.name} lt ${literal(before)}`,
        ],
  ]
  return bounds.flat().join(' and ')
}

export function dayOf(at: number): CalendarDay {
  return new Date(at).toISOString().slice(0, 10)
}

export function plusDays(day: CalendarDay, days: number): CalendarDay {
  return dayOf(Date.parse(day) + days * dayMs)
}

/** The day of a row; null without one. */
export function dayIn(row: JsonObject, { name }: Pick<EdmProperty, 'name'>): CalendarDay | null {
  const text = asText(readMember(row, name))
  return text === null ? null : (dayText(text, 'msDate') ?? text.slice(0, 10))
}

/** Returns the number of rows. */
async function* readWindow(windows: WindowedRead, window: DateWindow): AsyncGenerator<WindowEvent, number> {
  const { api, table, company, selection = selectionOf(table) } = windows
  const query = {
    ...whereOf(table, dateFilter(windows, window)),
    ...selection,
  }
  let count = 0
  yield { is: 'begun' }
  for await (const { rows, isRestart } of api.pages({ company, set: setIn(table, company), query, key: table.key })) {
    if (isRestart) yield { is: 'begun' }
    yield { is: 'page', rows }
    count += rows.length
  }
  return count
}

/** The date of the first entry; empty if it has no date. Null without entries. */
export async function earliestDay(
  read: Pick<WindowedRead, 'api' | 'table' | 'dated' | 'company'>,
  from: CalendarDay | null,
): Promise<CalendarDay | null> {
  const { api, table, dated, company } = read
  const { name } = dated.date
  const where = whereOf(table, dateFilter(read, { from, before: null }))
  const first = await firstRow(api, {
    company,
    set: setIn(table, company),
    query: { ...where, $orderby: `${name} asc`, $top: '1' },
  })
  return first === null ? null : (dayIn(first, dated.date) ?? '')
}

async function firstRow(api: ODataApi, query: EntityQuery): Promise<JsonObject | null> {
  const [first] = await api.firstPage(query)
  return first ?? null
}

interface FailedWindow {
  readonly api: ODataApi
  readonly window: DateWindow
  readonly today: CalendarDay
  readonly failures: number
}

/**
 * Halves a window that was too much for the service or for one response. Rethrows any other error, and that of a single
 * day.
 */
function halveWindow({ api, window: { from, before }, today, failures }: FailedWindow, error: unknown): number {
  const span =
    from === null
      ? 1
      : Math.round((Date.parse(before ?? plusDays(today > from ? today : from, 1)) - Date.parse(from)) / dayMs)
  if (span <= 1 || failures > failuresMax || !isOverload(api, error)) throw error
  return Math.max(1, Math.floor(span / 2))
}

function isOverload({ described }: ODataApi, error: unknown): boolean {
  if (error instanceof Fault && error.code === 'http.reply_too_large') return true
  return hasCode(error, described, ['failing', 'unreachable'])
}

function nextWindowDays(days: number, rows: number, tookMs: number): number {
  if (rows > shrinkAboveRows || tookMs > slowMs) return Math.max(1, Math.floor(days / 2))
  return rows < growBelowRows ? Math.min(days * 2, daysMax) : days
}
