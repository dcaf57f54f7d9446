/**
 * Converts canonical text to the values that a bulk load sends. A value that SQL Server would cut or round, does not support or could not
 * take is rejected before it is sent.
 */
import type { TargetColumn } from '../../sql-target/table-layout.ts'
import { guidForm } from '../../../encoding/guid.ts'
import { isUnknown, unknownReason, type UnknownValues } from '../../../encoding/unsupported-values.ts'
import { type MomentValue, readType } from './bulk-types.ts'

/** A value that does not fit its column, and why. */
export class UnfitValue {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Returns what the driver sends, or an `UnfitValue`. */
export type EncodeValue = (value: string | null) => unknown

/** @param unknownValues whether a value that SQL Server does not support is rejected or becomes null; in a key it is always rejected */
export function encoder(column: TargetColumn, unknownValues: UnknownValues): EncodeValue {
  const { values, isKey, type } = column
  const encodeKnown = encoderOf(column)
  return (value) => {
    if (value === null) return isKey ? keyIsNull : null
    if (isUnknown(value, values))
      return isKey || unknownValues === 'reject' ? new UnfitValue(unknownReason(value)) : null
    return encodeKnown(value) ?? new UnfitValue(`This is no ${type}.`)
  }
}

const keyIsNull = new UnfitValue('A column of the key has no value.')

function encoderOf({ values, type }: TargetColumn): (text: string) => unknown {
  const { name, numbers } = readType(type)
  const encode = encoders[name]?.(numbers)
  if (encode === undefined) throw new Error(`No column of ours has the type ${type}.`)
  const isFlagAsNumber = values.kind === 'boolean' && name !== 'bit' && name !== 'nvarchar'
  return isFlagAsNumber ? (text) => encode(text === 't' ? '1' : '0') : encode
}

/** By the name of the column type. Each returns null for a text that is not such a value. */
const encoders: { readonly [name: string]: ((numbers: readonly number[]) => (text: string) => unknown) | undefined } = {
  nvarchar:
    ([lengthMax = 0]) =>
    (text) =>
      text.length > lengthMax
        ? new UnfitValue(`The text has ${text.length} characters; the column takes ${lengthMax}.`)
        : text,
  varbinary:
    ([lengthMax = 0]) =>
    (text) =>
      encodeBytes(text, lengthMax),
  smallint: () => (text) => encodeInteger(text, 2 ** 15),
  int: () => (text) => encodeInteger(text, 2 ** 31),
  bigint: () => encodeBigint,
  decimal:
    ([precision = 0, scale = 0]) =>
    (text) =>
      encodeDecimal(text, precision, scale),
  float: () => encodeDouble,
  bit: () => (text) => (text === 't' ? true : text === 'f' ? false : null),
  date: () => encodeDate,
  time:
    ([scale = 0]) =>
    (text) =>
      encodeTime(text, scale),
  datetime2:
    ([scale = 0]) =>
    (text) =>
      encodeMoment(text, scale),
  uniqueidentifier: () => (text) => (guidForm.test(text) ? text : null),
}

const hexadecimal = /^\\x(?:[\da-f]{2})*$/i

/** Spelled as `\x` and two digits a byte. */
function encodeBytes(text: string, lengthMax: number): unknown {
  if (!hexadecimal.test(text)) return null
  const bytes = Buffer.from(text.slice(2), 'hex')
  return bytes.length > lengthMax
    ? new UnfitValue(`The binary has ${bytes.length} bytes; the column takes ${lengthMax}.`)
    : bytes
}

const integer = /^-?\d+$/

function encodeInteger(text: string, limit: number): number | null {
  const value = integer.test(text) ? Number(text) : Number.NaN
  return value >= -limit && value < limit ? value : null
}

function encodeBigint(text: string): bigint | null {
  const value = integer.test(text) ? BigInt(text) : null
  return value !== null && BigInt.asIntN(64, value) === value ? value : null
}

const decimal = /^(-?)(\d*)(?:\.(\d*))?$/

function encodeDecimal(text: string, precision: number, scale: number): unknown {
  const [found, sign = '', whole = '', fraction = ''] = decimal.exec(text) ?? []
  if (found === undefined || whole + fraction === '') return new UnfitValue('This is not a number.')
  const digits = whole.replace(/^0+/, '')
  if (digits.length > precision - scale)
    return new UnfitValue(`The number has more than ${precision - scale} digits before the point.`)
  if (/[1-9]/.test(fraction.slice(scale)))
    return new UnfitValue(`The number has more than ${scale} digits behind the point.`)
  const value = BigInt(`${digits}${fraction.slice(0, scale).padEnd(scale, '0')}`)
  return sign === '' ? value : -value
}

const double = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

function encodeDouble(text: string): number | null {
  const value = double.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : null
}

const clock = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?$/

/** Units of the scale since midnight. Digits beyond it are cut off, not rounded: rounding could change the second. */
function encodeTime(text: string, scale: number): number | null {
  const [found, hour, minute, second = '0', fraction = ''] = clock.exec(text) ?? []
  if (found === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return seconds * 10 ** scale + Number(fraction.slice(0, scale).padEnd(scale, '0'))
}

const moment = /^([\d-]+)(?:[ T]([\d:.]+))?(?:\+00)?$/

function encodeMoment(text: string, scale: number): MomentValue | null {
  const [, date = '', time = '00:00'] = moment.exec(text) ?? []
  const day = encodeDate(date)
  const units = encodeTime(time, scale)
  return day === null || units === null ? null : { day, units }
}

const dayMs = 86_400_000
/** Years below 100 mean 19xx to Date.UTC, so days are counted 400 years later: after as many days, the calendar repeats itself. */
const cycleYears = 400
const firstDay = Date.UTC(cycleYears + 1, 0, 1)

const calendarDate = /^(\d{4})-(\d\d)-(\d\d)$/

/** Days since 0001-01-01 of a date that exists. */
function encodeDate(text: string): number | null {
  const [year = 0, month = 0, date = 0] = (calendarDate.exec(text) ?? []).slice(1).map(Number)
  const found = new Date(Date.UTC(year + cycleYears, month - 1, date))
  const exists = year >= 1 && found.getUTCMonth() === month - 1 && found.getUTCDate() === date
  return exists ? (found.getTime() - firstDay) / dayMs : null
}
