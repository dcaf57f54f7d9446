/** Converts Excel's serial dates, counted from 1900 or 1904, to calendar dates. */
import type { DateFormat } from './excel-number-formats.ts'
import type { SheetCell } from './cells.ts'

const dayMs = 86_400_000
/** 31 December 9999. */
const lastDay1900 = 2_958_465
const from1904To1900 = 1_462
/** The serial number of 29 February 1900, which exists only in Excel. Serial numbers before it are off by one. */
const leapDayThatWasNot = 60

/** Returns the number unchanged if it is not a date: negative, out of range, or a duration. */
export function serialDate(number: string, format: DateFormat, is1904: boolean): SheetCell {
  const value = Number(number)
  if (format === 'none' || format === 'elapsed' || value < 0) return { n: number }
  if (format === 'time' && value < 1) return timeOfDay(value)
  return dateOf(is1904 ? value + from1904To1900 : value, format === 'day') ?? { n: number }
}

function dateOf(serial: number, isDay: boolean): SheetCell {
  if (serial < 1 || serial >= lastDay1900 + 1) return null
  if (Math.floor(serial) === leapDayThatWasNot) return '1900-02-29'
  const ms = Math.round((serial - (serial < leapDayThatWasNot ? 25_568 : 25_569)) * dayMs)
  const iso = new Date(ms).toISOString()
  return { d: isDay && ms % dayMs === 0 ? iso.slice(0, 10) : iso.slice(0, 23).replace(/\.000$/u, '') }
}

function timeOfDay(value: number): string {
  const iso = new Date(Math.round(value * dayMs)).toISOString()
  return iso.slice(11, 23).replace(/\.000$/u, '')
}
