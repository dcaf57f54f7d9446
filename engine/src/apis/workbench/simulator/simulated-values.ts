/** Values of every column type as an API writes them, and the canonical text that a target should have of them. */
import type { LogicalType } from '../../../ports/model.ts'
import { columnOf, typeOf, type WrittenColumn } from '../../described/columns.ts'
import type { SharedDescription } from '../../described/description/schema.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type SimulatedJson, WrittenDigits } from './simulated-json.ts'

const awkwardTexts = [
  '',
  ' blank ',
  'tab\tand\nline',
  'Æøå 漢字 🦜',
  '\\N',
  '"quoted" \\ back',
  "O'Brien",
  '0x00',
  'null',
]

export interface ValueRequest {
  readonly column: WrittenColumn
  readonly maps: SharedDescription['maps']
  readonly random: SeededRandom
  /** Identifies the record: values of keys are made from it. */
  readonly id: number
  /** In milliseconds since 1970. */
  readonly moment: number
}

/** @param isKey the value is there, and other records have other ones */
export function makeValue(request: ValueRequest, isKey: boolean): SimulatedJson {
  const { column, maps, random } = request
  const described = columnOf(column)
  const values = described.map === undefined ? [] : Object.keys(maps?.[described.map]?.values ?? {})
  if (values.length > 0) return random.pick(values) ?? null
  if (!isKey && random.next() < 0.1) return null
  const type = typeOf(described)
  return isKey ? keyValue(type, request) : plainValue(type, request)
}

function keyValue(type: LogicalType, request: ValueRequest): SimulatedJson {
  const { id } = request
  switch (type.kind) {
    case 'text':
      return textValue(type.maxLength ?? 60, `k${id.toString(36)}`)
    case 'integer':
    case 'decimal':
    case 'double':
      return id
    case 'guid':
      return guidValue(id)
    default:
      return plainValue(type, request)
  }
}

function guidValue(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

function plainValue(type: LogicalType, { column, random, moment }: ValueRequest): SimulatedJson {
  const { format = 'iso' } = columnOf(column)
  switch (type.kind) {
    case 'text':
      return textValue(type.maxLength ?? 60, makeText(random))
    case 'integer':
      return integerValue(random, type.bytes)
    case 'decimal':
      return new WrittenDigits(decimalDigits(random, type))
    case 'date':
      return momentValue(moment - (moment % 86_400_000), format, 'date')
    case 'localTimestamp':
    case 'instant':
      return momentValue(moment, format, 'moment')
    default:
      return otherValues[type.kind](random)
  }
}

type OtherKind = Exclude<LogicalType['kind'], 'text' | 'integer' | 'decimal' | 'date' | 'localTimestamp' | 'instant'>

const otherValues: { readonly [kind in OtherKind]: (random: SeededRandom) => SimulatedJson } = {
  double: (random) => random.between(-9_999, 9_999) + 0.5,
  boolean: (random) => random.next() < 0.5,
  guid: (random) => guidValue(random.between(0, 0xff_ff_ff)),
  json: (random) => ({ note: makeText(random), count: random.between(0, 99) }),
  time: (random) => `${String(random.between(0, 23)).padStart(2, '0')}:15:00`,
  bytes: () => null,
}

function makeText(random: SeededRandom): string {
  return random.next() < 0.3 ? (random.pick(awkwardTexts) ?? '') : `text ${random.between(1, 1_000_000)}`
}

function textValue(maxLength: number, text: string): string {
  return [...text].slice(0, maxLength).join('')
}

function integerValue(random: SeededRandom, bytes: 2 | 4 | 8): SimulatedJson {
  if (bytes === 8 && random.next() < 0.2) return new WrittenDigits('9223372036854775807')
  return random.between(-30_000, 30_000)
}

/** As many digits as the type has; without a precision, more than a double holds. */
function decimalDigits(
  random: SeededRandom,
  { precision = 28, scale = 6 }: { precision?: number; scale?: number },
): string {
  const isLong = random.next() < 0.3
  const wholeDigits = Math.max(1, Math.min(precision - scale, isLong ? 20 : 5))
  const digits = (count: number): string => Array.from({ length: count }, () => String(random.between(1, 9))).join('')
  const whole = precision - scale === 0 ? '0' : digits(random.between(1, wholeDigits))
  const fraction = scale === 0 || random.next() < 0.4 ? '' : `.${digits(random.between(1, scale))}`
  return `${random.next() < 0.3 && whole !== '0' ? '-' : ''}${whole}${fraction}`
}

/** A moment as the API writes it. A date in another format has the day only. */
export function momentValue(at: number, format: string, kind: 'date' | 'moment'): SimulatedJson {
  switch (format) {
    case 'unixSeconds':
      return Math.floor(at / 1_000)
    case 'unixMilliseconds':
      return at
    case 'msDate':
      return `/Date(${at})/`
    default:
      return kind === 'date' ? new Date(at).toISOString().slice(0, 10) : new Date(at).toISOString()
  }
}

/** Stands for any JSON, whose spelling may differ. */
export const anyJson = '{…}'

/** The canonical text of a value in a record. It is worked out here a second time, so that a fault of the engine shows. */
export function expectedText(
  column: WrittenColumn,
  value: SimulatedJson | undefined,
  { maps, isKey }: { readonly maps: SharedDescription['maps']; readonly isKey: boolean },
): string | null {
  const described = columnOf(column)
  const type = typeOf(described)
  const found = described.map === undefined ? undefined : maps?.[described.map]
  const plain = value ?? null
  if (plain === null) return missingText(type, described.absent, isKey)
  if (found !== undefined) {
    const text = plainText(plain)
    return found.values[text] ?? found.otherwise ?? text
  }
  return typedText(type, described.format ?? 'iso', plain)
}

/** @param absent what the API means by leaving the value out */
function missingText(type: LogicalType, absent: string | undefined, isKey: boolean): string | null {
  if (absent === undefined) return isKey && type.kind === 'text' ? '' : null
  return type.kind === 'boolean' ? absent.charAt(0) : absent
}

function plainText(value: SimulatedJson): string {
  if (value instanceof WrittenDigits) return value.digits
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typedText(type: LogicalType, format: string, value: SimulatedJson): string {
  switch (type.kind) {
    case 'json':
      return anyJson
    case 'boolean':
      return value === true ? 't' : value === false ? 'f' : plainText(value)
    case 'date':
      return new Date(millisecondsOf(value, format)).toISOString().slice(0, 10)
    case 'localTimestamp':
    case 'instant':
      return momentText(type, format, value)
    default:
      return plainText(value)
  }
}

function momentText(
  type: LogicalType & { kind: 'localTimestamp' | 'instant' },
  format: string,
  value: SimulatedJson,
): string {
  const iso = new Date(millisecondsOf(value, format)).toISOString()
  const fraction = format === 'unixSeconds' ? '' : iso.slice(20, 23).slice(0, type.digits)
  const zone = type.kind === 'instant' ? '+00' : ''
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}${zone}`
}

function millisecondsOf(value: SimulatedJson, format: string): number {
  const text = plainText(value)
  if (format === 'unixSeconds') return Number(text) * 1_000
  if (format === 'unixMilliseconds') return Number(text)
  return format === 'msDate' ? Number(/-?\d+/u.exec(text)?.[0]) : Date.parse(text)
}
