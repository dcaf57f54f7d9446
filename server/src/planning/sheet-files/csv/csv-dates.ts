/** Days and moments as people write them, `31.01.2026` or `1/31/2026`: which number is the day is decided for a whole column. */
import type { SheetCell } from '@tributary/contract/cells'
import { isoDate } from '../iso-date.ts'

/** What a person said about dates with slashes that can be read in two ways. */
export type SlashDates = 'dayFirst' | 'monthFirst'

const dateForm = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/u

export function isDateLike(text: string): boolean {
  return dateForm.test(text)
}

/** Null where the calendar has no such day. */
export function dateOf(text: string, order: SlashDates): SheetCell {
  const [, first = '', , second = '', year = '', time] = dateForm.exec(text) ?? []
  const [day, month] = order === 'dayFirst' ? [first, second] : [second, first]
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isoDate(
    time === undefined ? written : `${written} ${time.padStart(time.length + (time.indexOf(':') === 1 ? 1 : 0), '0')}`,
  )
}

interface Evidence {
  filled: number
  dates: number
  /** Readings that no date of the column contradicts. */
  dayFirst: boolean
  monthFirst: boolean
  /** With points the day comes first wherever points are used. */
  hasSlash: boolean
  example: string
}

export interface DateOrders {
  /** By column, counted from 0. */
  readonly orders: ReadonlyMap<number, SlashDates>
  /** A date that can be read in two ways, of a column that holds none that says which. */
  readonly question: string | null
}

/** Looks at every field of a file. A column holds dates if most of its fields do; its heading is none. */
export class DateColumns {
  readonly #columns = new Map<number, Evidence>()

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
    const [dayFirst, monthFirst] = [dateOf(text, 'dayFirst') !== null, dateOf(text, 'monthFirst') !== null]
    // A day that no calendar has says nothing about the others.
    if (!dayFirst && !monthFirst) return
    found.dates += 1
    found.dayFirst &&= dayFirst
    found.monthFirst &&= monthFirst
    found.hasSlash ||= text.includes('/')
    if (found.example === '') found.example = text
  }

  decide(answer: SlashDates | undefined): DateOrders {
    const orders = new Map<number, SlashDates>()
    let question: string | null = null
    for (const [column, found] of this.#columns) {
      if (found.dates === 0 || found.dates * 2 < found.filled) continue
      const order = orderOf(found) ?? answer
      if (order === 'none') continue
      if (order === undefined) question ??= found.example
      else orders.set(column, order)
    }
    return { orders, question }
  }
}

/** Undefined where both readings are possible, `none` where neither is. */
function orderOf({ dayFirst, monthFirst, hasSlash }: Evidence): SlashDates | 'none' | undefined {
  if (!hasSlash) return dayFirst ? 'dayFirst' : 'none'
  if (dayFirst && monthFirst) return undefined
  if (!dayFirst && !monthFirst) return 'none'
  return dayFirst ? 'dayFirst' : 'monthFirst'
}
