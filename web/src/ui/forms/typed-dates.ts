/** Understands dates and times of the day as people type them. Pure, except that the locale decides the order. */
import { dateOrder, formatDay } from '../formats.ts'

/** Returns `2026-11-20` for '20 Nov 2026', '20/11/2026', '2026-11-20' and the like; null for what is no date. */
export function parseTypedDate(text: string): string | null {
  const numbers = (text.match(/\d+/gu) ?? []).map(Number)
  const month = findMonth(text)
  const order = orderOf(numbers[0] ?? 0, numbers.at(-1) ?? 0).replace(month === null ? '' : 'm', '')
  if (numbers.length !== order.length) return null
  const valueOf = (part: string) => numbers[order.indexOf(part)] ?? 0
  return toDate([valueOf('y'), month ?? valueOf('m'), valueOf('d')])
}

/** A year of four digits shows by itself where it is. Otherwise the locale decides. */
function orderOf(first: number, last: number): string {
  if (first > 31) return 'ymd'
  const order = dateOrder()
  return last > 31 && order.startsWith('y') ? 'dmy' : order
}

const twoDigitYears = 2000

function toDate([year, month, day]: readonly [number, number, number]): string | null {
  const fullYear = year < 100 ? year + twoDigitYears : year
  const at = new Date(Date.UTC(fullYear, month - 1, day))
  const isReal = at.getUTCFullYear() === fullYear && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal && fullYear <= 9999 ? at.toISOString().slice(0, 10) : null
}

const englishMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The number of the month that is written as a word, in English or in the person's language. */
function findMonth(text: string): number | null {
  const word = /\p{L}{3,}/u.exec(text)?.[0].toLowerCase()
  if (word === undefined) return null
  const isNamed = (index: number) => {
    const date = `2026-${String(index + 1).padStart(2, '0')}-01`
    const names = [formatDay(date, 'monthName'), formatDay(date, 'longMonthName')]
    return names.some((name) => name.toLowerCase().replace('.', '').startsWith(word))
  }
  const own = englishMonths.findIndex((_, index) => isNamed(index))
  const found = own === -1 ? englishMonths.indexOf(word.slice(0, 3)) : own
  return found === -1 ? null : found + 1
}

/** Returns `18:30` for '18:30', '18.30', '6:30 pm' and the like; null for what is no time. */
export function parseTypedTime(text: string): string | null {
  const [, hourText, minuteText = '0', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))? ?([ap])?\.?m?\.?$/iu.exec(text.trim().replaceAll(/\s/gu, ' ')) ?? []
  if (hourText === undefined) return null
  const [typed, minute] = [Number(hourText), Number(minuteText)]
  if (half !== undefined && (typed < 1 || typed > 12)) return null
  const hour = half === undefined ? typed : (typed % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hour > 23 || minute > 59) return null
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
