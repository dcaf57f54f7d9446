/**
 * Values in the bytes of a field, in the form that nearly all values have. NaN for any other text, which the parsers of cells read. Digits are
 * read one by one, because a string of each field would be the largest part of the cost of a load.
 */
import { daysOf, isDay } from '../format/moments.ts'

const zero = 48
const hyphen = 45
const point = 46
const colon = 58
const plus = 43
const space = 32
/** Digits that a double holds exactly. */
const exactDigits = 15
const dayLength = 10
const microDigits = 6
const microsPerDay = 86_400_000_000

/** An integer of few digits. */
export function readInteger(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === hyphen
  const first = isNegative ? start + 1 : start
  if (first === end || end - first > exactDigits) return Number.NaN
  const value = readDigits(bytes, first, end)
  return isNegative ? 0 - value : value
}

/** The number that these digits are; NaN if one is no digit. */
function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - zero
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** A decimal without its point. @param limit the value, without its sign, is below this */
export function readDecimal(bytes: Uint8Array, start: number, end: number, { scale, limit }: DecimalForm): number {
  const isNegative = bytes[start] === hyphen
  const first = isNegative ? start + 1 : start
  const pointAt = end - scale - 1
  if (end - first > exactDigits || pointAt <= first || bytes[pointAt] !== point) return Number.NaN
  const whole = readDigits(bytes, first, pointAt)
  const value = whole * (limitOfScale[scale] as number) + readDigits(bytes, pointAt + 1, end)
  if (!(value < limit)) return Number.NaN
  return isNegative ? 0 - value : value
}

export interface DecimalForm {
  /** At least 1. */
  readonly scale: number
  readonly limit: number
}

const limitOfScale = Array.from({ length: exactDigits + 1 }, (_, scale) => 10 ** scale)

/** Days since 1970. */
export function readDay(bytes: Uint8Array, start: number, end: number): number {
  return end - start === dayLength ? readDayAt(bytes, start) : Number.NaN
}

function readDayAt(bytes: Uint8Array, start: number): number {
  if (bytes[start + 4] !== hyphen || bytes[start + 7] !== hyphen) return Number.NaN
  const year = readPair(bytes, start) * 100 + readPair(bytes, start + 2)
  const month = readPair(bytes, start + 5)
  const day = readPair(bytes, start + 8)
  if (year !== lastMonth.year || month !== lastMonth.month) enterMonth(year, month)
  return day >= 1 && day <= lastMonth.days ? lastMonth.eve + day : Number.NaN
}

/** The month of the last value. Rows that follow each other often have it in common, and its days need no calculation. */
const lastMonth = {
  year: 0,
  month: 0,
  /** 0 for a month that no calendar has. */
  days: 0,
  /** The day before the first, since 1970. */
  eve: 0,
}

function enterMonth(year: number, month: number): void {
  let days = year < noPair ? 31 : 0
  while (days > 0 && !isDay(year, month, days)) days--
  lastMonth.year = year
  lastMonth.month = month
  lastMonth.days = days
  lastMonth.eve = days === 0 ? 0 : daysOf(year, month, 1) - 1
}

/** Greater than any number of two or four digits: an integer, so that sums with it are calculated faster than with NaN. */
const noPair = 1_000_000

function readPair(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - zero
  const ones = (bytes[at + 1] as number) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : noPair
}

/** Microseconds since 1970, of a time with `+00` or without a zone. Finer digits are left to the parser, which counts what it cuts off. */
export function readMicros(bytes: Uint8Array, start: number, end: number, isZoned: boolean): number {
  const last = isZoned ? end - 3 : end
  const seconds = start + dayLength + 1
  if (last < seconds + 8 || bytes[start + dayLength] !== space || (isZoned && !isUtc(bytes, last))) return Number.NaN
  const micros =
    readDayAt(bytes, start) * microsPerDay + readTime(bytes, seconds) + readFraction(bytes, seconds + 8, last)
  return Number.isSafeInteger(micros) ? micros : Number.NaN
}

function isUtc(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === plus && bytes[at + 1] === zero && bytes[at + 2] === zero
}

function readTime(bytes: Uint8Array, start: number): number {
  if (bytes[start + 2] !== colon || bytes[start + 5] !== colon) return Number.NaN
  const hour = readPair(bytes, start)
  const minute = readPair(bytes, start + 3)
  const second = readPair(bytes, start + 6)
  return hour <= 23 && minute <= 59 && second <= 59 ? ((hour * 60 + minute) * 60 + second) * 1_000_000 : Number.NaN
}

function readFraction(bytes: Uint8Array, start: number, end: number): number {
  const digits = end - start - 1
  if (digits === -1) return 0
  if (bytes[start] !== point || digits < 1 || digits > microDigits) return Number.NaN
  return readDigits(bytes, start + 1, end) * (limitOfScale[microDigits - digits] as number)
}
