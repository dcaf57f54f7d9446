/** Dates and times between canonical text and the numbers of Iceberg: days and microseconds since 1970. */
/** Counts values of which a part was cut off, because the column's type is less precise. */
export interface PrecisionLosses {
  count: number
}

const dayText = /^(\d{4})-(\d{2})-(\d{2})$/u
const timeText = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?$/u
const microsPerDay = 86_400_000_000n

/** Years 1 to 9999; undefined for anything else. */
export function parseDay(text: string): number | undefined {
  const [, year, month, day] = dayText.exec(text) ?? []
  if (year === undefined) return undefined
  const parts = [Number(year), Number(month), Number(day)] as const
  const days = daysOf(...parts)
  return parts[0] > 0 && formatDay(days) === text ? days : undefined
}

/** Days since 1970 of a day of the Gregorian calendar, counted from March so that the leap day is the last of a year. */
function daysOf(year: number, month: number, day: number): number {
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
  const [, hour, minute, second, fraction = ''] = timeText.exec(text) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  if (/[^0]/u.test(fraction.slice(6))) losses.count++
  return BigInt(seconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0')))
}

/** Microseconds since 1970. Finer digits are cut off, never rounded up, and counted. */
export function parseMicros(
  text: string,
  type: 'timestamp' | 'timestamptz',
  losses: PrecisionLosses,
): bigint | undefined {
  const isZoned = text.endsWith('+00')
  if (isZoned !== (type === 'timestamptz')) return undefined
  const days = parseDay(text.slice(0, 10))
  const time = text[10] === ' ' ? parseTime(text.slice(11, isZoned ? -3 : undefined), losses) : undefined
  return days === undefined || time === undefined ? undefined : BigInt(days) * microsPerDay + time
}

export function formatTime(micros: bigint): string {
  const whole = Number(micros / 1_000_000n)
  const clock = `${pair(Math.floor(whole / 3600))}:${pair(Math.floor(whole / 60) % 60)}:${pair(whole % 60)}`
  const fraction = String(micros % 1_000_000n).padStart(6, '0')
  return fraction === '000000' ? clock : `${clock}.${fraction.replace(/0+$/u, '')}`
}

export function formatMicros(micros: bigint): string {
  const time = ((micros % microsPerDay) + microsPerDay) % microsPerDay
  return `${formatDay(Number((micros - time) / microsPerDay))} ${formatTime(time)}`
}

function pair(number: number): string {
  return String(number).padStart(2, '0')
}
