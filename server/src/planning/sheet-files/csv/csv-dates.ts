/**
 * Dates and times as people write them, `31.01.2026` or `1/31/2026`. The order of day and month is decided for a
 * whole column.
 */
import type { SheetCell } from '@tributary/contract/cells'
import { isoDate } from '../iso-date.ts'

/** The user's choice for ambiguous dates with slashes. */
export type SlashDates = 'dayFirst' | 'monthFirst'

const dateForm = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/u

export function isDateLike(text: string): boolean {
  return dateForm.test(text)
}

/** Null if the date does not exist. */
export function parseDate(text: string, order: SlashDates): SheetCell {
  const [, first = '', , second = '', year = '', time] = dateForm.exec(text) ?? []
  const [day, month] = order === 'dayFirst' ? [first, second] : [second, first]
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isoDate(
    time === undefined ? written : `${written} ${time.padStart(time.length + (time.indexOf(':') === 1 ? 1 : 0), '0')}`,
  )
}

interface DateEvidence {
  filled: number
  dates: number
  /** Orders that no date of the column contradicts. */
  dayFirst: boolean
  monthFirst: boolean
  /** Dates with points always have the day first. */
  hasSlash: boolean
  example: string
}

export interface DateOrders {
  /** By column, from 0. */
  readonly orders: ReadonlyMap<number, SlashDates>
  /** An ambiguous date of a column without an unambiguous one. */
  readonly question: string | null
}

/**
 * Collects evidence from every field of a file. A column holds dates if most of its fields do; the heading does not.
 */
export class DateColumns {
  readonly #columns = new Map<number, DateEvidence>()

  add(column: number, text: string): void {
    if (text === '') return
    const found = this.#columns.get(column) ?? {
      filled: 0,
      dates: 0,
      dayFirst: true,
      monthFirst: true,
      hasSlash: false,
      example: '',
    }
    this.#columns.set(column, found)
    found.filled += 1
    if (!isDateLike(text)) return
    const [dayFirst, monthFirst] = [parseDate(text, 'dayFirst') !== null, parseDate(text, 'monthFirst') !== null]
    // An impossible date is no evidence about the others.
    if (!dayFirst && !monthFirst) return
    found.dates += 1
    found.dayFirst &&= dayFirst
    found.monthFirst &&= monthFirst
    found.hasSlash ||= text.includes('/')
    if (found.example === '') found.example = text
  }

  decide(choice: SlashDates | undefined): DateOrders {
    const orders = new Map<number, SlashDates>()
    let question: string | null = null
    for (const [column, found] of this.#columns) {
      if (found.dates === 0 || found.dates * 2 < found.filled) continue
      const order = decideOrder(found) ?? choice
      if (order === 'none') continue
      if (order === undefined) question ??= found.example
      else orders.set(column, order)
    }
    return { orders, question }
  }
}

/** Undefined if both orders are possible, `none` if neither is. */
function decideOrder({ dayFirst, monthFirst, hasSlash }: DateEvidence): SlashDates | 'none' | undefined {
  if (!hasSlash) return dayFirst ? 'dayFirst' : 'none'
  if (dayFirst && monthFirst) return undefined
  if (!dayFirst && !monthFirst) return 'none'
  return dayFirst ? 'dayFirst' : 'monthFirst'
}
