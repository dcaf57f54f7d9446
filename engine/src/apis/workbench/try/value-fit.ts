/** Whether the canonical text of a value fits the type of its column, as a target decides. */
import type { LogicalType } from '../../../ports/model.ts'

/** In characters. No target stores longer numbers. */
const numberMax = 1_000

/** Null if it fits; otherwise what the value should be. */
export function misfitOf(type: LogicalType, text: string): string | null {
  switch (type.kind) {
    case 'text':
      return textMisfit(text, type.maxLength)
    case 'integer':
      return isInteger(text, type.bytes) ? null : `a whole number of ${type.bytes} bytes`
    case 'decimal':
      return text.length > numberMax ? 'a number' : decimalMisfit(text, type)
    case 'json':
      return isJson(text) ? null : 'JSON'
    case 'bytes':
      return null
    default:
      return patternMisfit(type.kind, text)
  }
}

function textMisfit(text: string, maxLength = Infinity): string | null {
  return text.length <= maxLength || [...text].length <= maxLength ? null : `at most ${maxLength} characters`
}

function patternMisfit(kind: PatternKind, text: string): string | null {
  const fits = text.length <= numberMax && patterns[kind].test(text) && isCalendarDay(kind, text)
  return fits ? null : words[kind]
}

type PatternKind = 'double' | 'boolean' | 'date' | 'time' | 'localTimestamp' | 'instant' | 'guid'

const patterns: { readonly [kind in PatternKind]: RegExp } = {
  double: /^(?:-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|-?Infinity)$/u,
  boolean: /^[tf]$/u,
  date: /^\d{4}-\d\d-\d\d$/u,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/u,
  localTimestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/u,
  instant: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/u,
  guid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/u,
}

const words: { readonly [kind in PatternKind]: string } = {
  double: 'a number',
  boolean: 'true or false',
  date: 'a date',
  time: 'a time',
  localTimestamp: 'a moment without a zone',
  instant: 'a moment',
  guid: 'a GUID',
}

function isCalendarDay(kind: PatternKind, text: string): boolean {
  if (kind !== 'date' && kind !== 'localTimestamp' && kind !== 'instant') return true
  const day = text.slice(0, 10)
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day
}

const limits = { 2: 32_767n, 4: 2_147_483_647n, 8: 9_223_372_036_854_775_807n } as const

function isInteger(text: string, bytes: 2 | 4 | 8): boolean {
  const [, whole] = /^(-?\d+)(?:\.0+)?$/u.exec(text) ?? []
  if (whole === undefined || whole.length > 21) return false
  const number = BigInt(whole)
  return number <= limits[bytes] && number >= -limits[bytes] - 1n
}

function decimalMisfit(text: string, { precision, scale = 0 }: { precision?: number; scale?: number }): string | null {
  const [, before = '', after = ''] = /^-?(\d+)(?:\.(\d+))?$/u.exec(text) ?? []
  if (before === '') return 'a number'
  if (precision === undefined) return null
  const isWithin = before.replace(/^0+/u, '').length <= precision - scale && after.replace(/0+$/u, '').length <= scale
  return isWithin ? null : `a number of at most ${precision} digits, ${scale} of them decimals`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
