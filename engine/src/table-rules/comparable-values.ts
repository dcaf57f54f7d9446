/**
 * Values of conditions and rows as they are compared, by logical type. The meaning is the same for every source: numbers compare by value,
 * dates and times by moment, texts by code point. Pure.
 */
import type { LogicalType } from '../ports/model.ts'

/** Negative, zero or positive, as a comparison function of an array returns it. Null: the row's value cannot be compared. */
export type ValueOrder = (text: string) => number | null

type Kind = LogicalType['kind']

/**
 * Compares the canonical texts of rows with the value of a condition.
 * Null: the value is not one of this type.
 */
export function orderBy(kind: Kind, value: string): ValueOrder | null {
  return orders[kind](value)
}

const orders: { readonly [kind in Kind]: (value: string) => ValueOrder | null } = {
  integer: byDecimal,
  decimal: byDecimal,
  double: byDouble,
  date: byDay,
  localTimestamp: byMoment,
  instant: byMoment,
  time: byTime,
  boolean: (value) => (value === 'true' || value === 'false' ? byBoolean(value === 'true') : null),
  guid: byGuid,
  text: (value) => (value === '' ? null : byText(value)),
  json: () => null,
  bytes: () => null,
}

/** What a value of a condition must look like, for messages. */
export const valueForms: { readonly [kind in Kind]: string } = {
  integer: 'a number such as 1200',
  decimal: 'a number such as 1200.50',
  double: 'a number such as 1200.50',
  date: 'a date such as 2026-01-31',
  localTimestamp: 'a date such as 2026-01-31, or a date and time such as 2026-01-31 13:05',
  instant: 'a date such as 2026-01-31, or a date and time in UTC such as 2026-01-31 13:05',
  time: 'a time such as 13:05',
  boolean: 'true or false',
  guid: 'an identifier such as 6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
  text: 'a text',
  json: 'a text',
  bytes: 'a text',
}

const guidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

/** By code point: UTF-16 units would order characters outside the basic plane differently. */
function byText(value: string): ValueOrder {
  const bytes = Buffer.from(value)
  return (text) => (text === value ? 0 : Buffer.compare(Buffer.from(text), bytes))
}

/** Some databases write them in upper case when they are read for verification. */
function byGuid(value: string): ValueOrder | null {
  if (!guidForm.test(value)) return null
  const compare = byText(value.toLowerCase())
  return (text) => compare(text.toLowerCase())
}

/** Some databases write `1` and `0` when they are read for verification. */
function byBoolean(value: boolean): ValueOrder {
  return (text) => (['t', 'true', '1'].includes(text) === value ? 0 : 1)
}

interface Decimal {
  readonly negative: boolean
  readonly whole: string
  readonly part: string
}

const decimalForm = /^([+-]?)(\d+)(?:\.(\d*))?$/u

function parseDecimal(text: string): Decimal | null {
  const match = decimalForm.exec(text)
  if (match === null) return null
  const whole = (match[2] ?? '').replace(/^0+/u, '')
  const part = withoutEndZeros(match[3] ?? '')
  return { negative: match[1] === '-' && (whole !== '' || part !== ''), whole, part }
}

function withoutEndZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function byDecimal(value: string): ValueOrder | null {
  const right = parseDecimal(value)
  if (right === null) return null
  return (text) => {
    if (text === 'Infinity') return 1
    if (text === '-Infinity') return -1
    const left = parseDecimal(text)
    return left === null ? null : compareDecimals(left, right)
  }
}

function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.negative !== right.negative) return left.negative ? -1 : 1
  const size = left.whole.length - right.whole.length || order(left.whole, right.whole) || order(left.part, right.part)
  return left.negative ? -size : size
}

function byDouble(value: string): ValueOrder | null {
  if (!decimalForm.test(value)) return null
  const right = Number(value)
  return (text) => {
    const left = Number(text)
    return Number.isNaN(left) ? null : left - right
  }
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/u
const momentForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/u
const timeForm = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/u

function isCalendarDay(text: string): boolean {
  if (!dateForm.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function byDay(value: string): ValueOrder | null {
  return isCalendarDay(value) ? byMoment(value) : null
}

function byMoment(value: string): ValueOrder | null {
  const day = value.slice(0, 10)
  if (!isCalendarDay(day)) return null
  if (value !== day && (!momentForm.test(value) || !timeForm.test(value.slice(11)))) return null
  const right = momentKey(value.replace('T', ' '))
  return (text) => order(momentKey(text), right)
}

const yearDigits = 7

/** A text that compares like the moment, also for what PostgreSQL alone knows: infinity, and years before 1 or after 9999. */
function momentKey(text: string): string {
  if (text === 'infinity') return '~'
  if (text === '-infinity') return ' '
  const isBefore = text.endsWith(' BC')
  const local = text.replace(/ BC$/u, '').replace(/\+00(?::00)?$/u, '')
  const dash = local.indexOf('-')
  const year = local.slice(0, dash)
  const digits = isBefore
    ? `!${String(10 ** yearDigits - Number(year)).padStart(yearDigits, '0')}`
    : year.padStart(yearDigits, '0')
  const [days = '', time = ''] = local.slice(dash).split(' ')
  return `${digits}${days} ${timeKey(time)}`
}

/** A day alone is its midnight. */
function timeKey(time: string): string {
  const [clock = '', part = ''] = (time === '' ? '00:00' : time).split('.')
  return `${clock.padEnd(8, ':00')}.${part.padEnd(9, '0')}`
}

function byTime(value: string): ValueOrder | null {
  if (!timeForm.test(value)) return null
  const right = timeKey(value)
  return (text) => order(timeKey(text), right)
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
