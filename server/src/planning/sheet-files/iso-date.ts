/** ISO 8601 dates and times in text. */
import type { SheetCell } from '@tributary/contract/cells'

const dayForm = /^\d{4}-\d{2}-\d{2}$/u
const timeForm = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/u

/** A valid ISO 8601 date, with or without a time, without a zone; else null. */
export function isoDate(text: string): SheetCell {
  const day = text.slice(0, 10)
  if (!dayForm.test(day) || !isOfCalendar(day)) return null
  if (text.length === 10) return { d: day }
  const time = text.slice(11)
  if (!'T '.includes(text.charAt(10)) || !timeForm.test(time)) return null
  return { d: `${day}T${time.length === 5 ? `${time}:00` : time}` }
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isOfCalendar(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const isLeapDay = month === 2 && date === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeapDay || (year > 0 && date > 0 && date <= (monthDays[month - 1] ?? 0))
}
