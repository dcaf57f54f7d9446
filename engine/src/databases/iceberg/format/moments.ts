/**
 * Dates and times between canonical text and the numbers of Iceberg: days and microseconds since 1970. Digits are read one by one, because
 * regular expressions would be the largest part of the cost of a load.
 */

/** Counts values of which a part was cut off, because the column's type is less precise. */
export interface PrecisionLosses {
  count: number
}

const microsPerDay = 86_400_000_000n
const zero = 48
const colon = 58
const hyphen = 45
const point = 46
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Years 1 to 9999; undefined for anything else. */
export function parseDay(text: string): number | undefined {
  return text.length === 10 ? readDay(text) : undefined
}

/** Of a day at the beginning of a text. */
function readDay(text: string): number | undefined {
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) return undefined
  const year = pairAt(text, 0) * 100 + pairAt(text, 2)
  const month = pairAt(text, 5)
  const day = pairAt(text, 8)
  return isDay(year, month, day) ? daysOf(year, month, day) : undefined
}

/** Whether the calendar has the day. False if one of the numbers is NaN. */
export function isDay(year: number, month: number, day: number): boolean {
  const isKnown = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= (daysOfMonth[month - 1] ?? 0)
  return isKnown && !(month === 2 && day === 29 && !isLeap(year))
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Two digits as a number; NaN if there are no digits. */
function pairAt(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1)
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - zero
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

/** Days since 1970 of a day of the Gregorian calendar, counted from March so that the leap day is the last of a year. */
export function daysOf(year: number, month: number, day: number): number {
  const fromMarch = month <= 2 ? year - 1 : year
  const era = Math.floor(fromMarch / 400)
  const yearOfEra = fromMarch - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function formatDay(days: number): string {
  const moment = new Date(days * 86_400_000)
  const year = moment.getUTCFullYear()
  return `${String(year).padStart(4, '0')}-${pair(moment.getUTCMonth() + 1)}-${pair(moment.getUTCDate())}`
}

/** Microseconds since midnight. */
export function parseTime(text: string, losses: PrecisionLosses): bigint | undefined {
  const micros = readTime(text, 0, text.length, losses)
  return micros === undefined ? undefined : BigInt(micros)
}

/** Of the part of a text between these positions. */
function readTime(text: string, start: number, end: number, losses: PrecisionLosses): number | undefined {
  const hasColons = text.charCodeAt(start + 2) === colon && text.charCodeAt(start + 5) === colon
  if (!hasColons || end < start + 8) return undefined
  const [hour, minute, second] = [pairAt(text, start), pairAt(text, start + 3), pairAt(text, start + 6)]
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  const fraction = end === start + 8 ? 0 : readFraction(text, start + 8, end, losses)
  return fraction === undefined ? undefined : ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
}

/** Microseconds of the digits after a point. */
function readFraction(text: string, start: number, end: number, losses: PrecisionLosses): number | undefined {
  if (text.charCodeAt(start) !== point || end === start + 1) return undefined
  let micros = 0
  let scale = 100_000
  let isCut = false
  for (let at = start + 1; at < end; at++) {
    const digit = digitAt(text, at)
    if (Number.isNaN(digit)) return undefined
    if (scale >= 1) micros += digit * scale
    else isCut ||= digit !== 0
    scale /= 10
  }
  if (isCut) losses.count++
  return Math.round(micros)
}

/** Microseconds since 1970. Finer digits are cut off, never rounded up, and counted. */
export function parseMicros(
  text: string,
  type: 'timestamp' | 'timestamptz',
  losses: PrecisionLosses,
): bigint | undefined {
  const isZoned = text.endsWith('+00')
  if (isZoned !== (type === 'timestamptz') || text.charCodeAt(10) !== 32) return undefined
  const days = readDay(text)
  const time = readTime(text, 11, isZoned ? text.length - 3 : text.length, losses)
  if (days === undefined || time === undefined) return undefined
  const micros = days * 86_400_000_000 + time
  return Number.isSafeInteger(micros) ? BigInt(micros) : BigInt(days) * microsPerDay + BigInt(time)
}

export function formatTime(micros: bigint): string {
  const whole = Number(micros / 1_000_000n)
  const clock = `${pair(Math.floor(whole / 3600))}:${pair(Math.floor(whole / 60) % 60)}:${pair(whole % 60)}`
  const fraction = String(micros % 1_000_000n).padStart(6, '0')
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? clock : `${clock}.${fraction.slice(0, end)}`
}

export function formatMicros(micros: bigint): string {
  const time = ((micros % microsPerDay) + microsPerDay) % microsPerDay
  return `${formatDay(Number((micros - time) / microsPerDay))} ${formatTime(time)}`
}

function pair(number: number): string {
  return String(number).padStart(2, '0')
}
