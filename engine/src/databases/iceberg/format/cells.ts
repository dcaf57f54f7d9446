/** Cells: the values of a row in the form in which Parquet stores them, and their canonical text. */
import { decimalSize } from './column-types.ts'
import {
  formatDay,
  formatMicros,
  formatTime,
  parseDay,
  parseMicros,
  parseTime,
  type PrecisionLosses,
} from './moments.ts'

/**
 * - `string` for text and uuid
 * - `number` for int (a date is days since 1970) and double
 * - `bigint` for long, time and timestamps (microseconds), and decimals without their point
 */
export type Cell = string | number | bigint | boolean | Uint8Array | null

/** Returns undefined if the text is no value of the column's type. */
export type CellParser = (text: string) => Cell | undefined

/** Of canonical text, without null. */
export function parserOf(type: string, losses: PrecisionLosses = { count: 0 }): CellParser {
  const decimal = decimalSize(type)
  if (decimal !== null) return (text) => parseDecimal(text, decimal.precision, decimal.scale)
  if (type === 'timestamp' || type === 'timestamptz') return (text) => parseMicros(text, type, losses)
  if (type === 'time') return (text) => parseTime(text, losses)
  const parser = parsers[type]
  if (parser === undefined) throw new Error(`No values of the type ${type} are written.`)
  return parser
}

/** Digits that a double holds exactly; numbers are parsed faster than bigint. */
const exactDigits = 15
const zero = 48
const hyphen = 45
const point = 46
const integerText = /^-?\d+$/u
const doubleText = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu
const guidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
const bytesText = /^\\x(?:[0-9a-f]{2})*$/u
const namedDoubles: { readonly [text: string]: number | undefined } = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

const parsers: { readonly [type: string]: CellParser | undefined } = {
  string: (text) => text,
  int: (text) => {
    const value = parseExact(text) ?? (integerText.test(text) ? Number(text) : Number.NaN)
    return value === (value | 0) ? value | 0 : undefined
  },
  long: (text) => {
    const exact = parseExact(text)
    if (exact !== undefined) return BigInt(exact)
    if (!integerText.test(text)) return undefined
    const value = BigInt(text)
    return BigInt.asIntN(64, value) === value ? value : undefined
  },
  double: (text) => (doubleText.test(text) ? Number(text) : namedDoubles[text]),
  boolean: (text) => booleans[text],
  date: parseDay,
  uuid: (text) => (guidText.test(text) ? text : undefined),
  binary: (text) => (bytesText.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined),
}

const booleans: { readonly [text: string]: boolean | undefined } = { t: true, f: false }
const decimalText = /^(-?)(\d+)(?:\.(\d*))?$/u

/** An integer of few digits, read one by one, because a regular expression takes several times as long. Undefined for any other text. */
function parseExact(text: string): number | undefined {
  const { length } = text
  const first = text.charCodeAt(0) === hyphen ? 1 : 0
  if (length === first || length > exactDigits) return undefined
  const value = digitsBetween(text, first, length)
  if (value === -1) return undefined
  return first === 1 ? 0 - value : value
}

/** The number that these digits are, from 0 if there are none; -1 if one is no digit. */
function digitsBetween(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - zero
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

/** The usual case: few digits, and as many after the point as the scale has. Undefined for any other text. */
function parseExactDecimal(text: string, precision: number, scale: number): bigint | undefined {
  const { length } = text
  const first = text.charCodeAt(0) === hyphen ? 1 : 0
  const pointAt = length - scale - 1
  if (scale === 0 || length > exactDigits || pointAt <= first || text.charCodeAt(pointAt) !== point) return undefined
  const whole = digitsBetween(text, first, pointAt)
  const fraction = digitsBetween(text, pointAt + 1, length)
  const value = whole * 10 ** scale + fraction
  if (whole === -1 || fraction === -1 || value >= 10 ** precision) return undefined
  return BigInt(first === 1 ? 0 - value : value)
}

/** Refuses digits that the scale has no place for, unless they are zeros: rounding would change the value. */
function parseDecimal(text: string, precision: number, scale: number): bigint | undefined {
  const exact = parseExactDecimal(text, precision, scale)
  if (exact !== undefined) return exact
  const [, sign, whole, fraction = ''] = decimalText.exec(text) ?? []
  if (whole === undefined) return undefined
  if (fraction.length > scale && /[^0]/u.test(fraction.slice(scale))) return undefined
  const digits = whole + fraction.slice(0, scale).padEnd(scale, '0')
  if (digits.length > precision && digits.replace(/^0+/u, '').length > precision) return undefined
  const value = digits.length <= exactDigits ? BigInt(Number(digits)) : BigInt(digits)
  return sign === '-' ? -value : value
}

/** Canonical text, without null. */
export function formatterOf(type: string): (value: Exclude<Cell, null>) => string {
  const decimal = decimalSize(type)
  if (decimal !== null) return (value) => formatDecimal(value as bigint, decimal.scale)
  return formatters[type] ?? String
}

const formatters: { readonly [type: string]: ((value: Exclude<Cell, null>) => string) | undefined } = {
  boolean: (value) => (value === true ? 't' : 'f'),
  date: (value) => formatDay(Number(value)),
  time: (value) => formatTime(value as bigint),
  timestamp: (value) => formatMicros(value as bigint),
  timestamptz: (value) => `${formatMicros(value as bigint)}+00`,
  binary: (value) => `\\x${Buffer.from(value as Uint8Array).toString('hex')}`,
  double: (value) => (Object.is(value, -0) ? '-0' : String(value)),
}

export function formatDecimal(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled)
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

export function equalCells(left: Cell, right: Cell): boolean {
  if (left === right) return true
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0
  return Number.isNaN(left) && Number.isNaN(right)
}

/** The order of Iceberg's bounds: text by its UTF-8 bytes, uuid and binary by their bytes. */
export function compareCells(left: Exclude<Cell, null>, right: Exclude<Cell, null>): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** UTF-8 sorts supplementary characters last; UTF-16, which JavaScript compares, sorts them before U+E000. */
function compareText(left: string, right: string): number {
  if (left === right) return 0
  const end = Math.min(left.length, right.length)
  let at = 0
  while (at < end && left.charCodeAt(at) === right.charCodeAt(at)) at++
  if (at === end) return left.length - right.length
  return rankOf(left.charCodeAt(at)) - rankOf(right.charCodeAt(at))
}

function rankOf(unit: number): number {
  if (unit < 0xd8_00) return unit
  return unit >= 0xe0_00 ? unit - 0x8_00 : unit + 0x20_00
}
