/**
 * Converts JSON values to the canonical text of a logical type. Empty values become null.
 * A value that cannot be parsed is passed through unchanged, so that the target rejects the row with a reason instead
 * of storing a guess.
 */
import type { ExactJson } from './exact-json.ts'

export function asText(value: ExactJson): string | null {
  if (typeof value === 'string' || value === null) return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function asDecimal(value: ExactJson): string | null {
  if (typeof value === 'number') return expandExponent(String(value))
  if (typeof value !== 'string') return asText(value)
  const trimmed = value.trim()
  return trimmed === '' ? null : expandExponent(trimmed)
}

export function asFlag(value: ExactJson): string | null {
  if (value === true) return 't'
  if (value === false) return 'f'
  if (typeof value === 'number') return value === 0 ? 'f' : 't'
  if (typeof value !== 'string') return asText(value)
  const word = value.trim().toLowerCase()
  return word === '' ? null : (flagWords[word] ?? value)
}
const flagWords: Readonly<Record<string, string>> = { true: 't', yes: 't', false: 'f', no: 'f' }

export function asGuid(value: ExactJson): string | null {
  const text = asText(value)
  return text === null || text === '' ? null : text.toLowerCase()
}

/** The calendar day as written, ignoring any time that follows. */
export function asDate(value: ExactJson): string | null {
  const text = asText(value)
  return isNoDate(text) ? null : text.slice(0, 10)
}

/** Cuts to milliseconds, the declared precision, because a database would round. */
export function asInstant(value: ExactJson): string | null {
  const text = asText(value)
  if (isNoDate(text)) return null
  if (text.endsWith('Z') && text[10] === 'T')
    return `${text.slice(0, 10)} ${text.slice(11, Math.min(text.length - 1, millisecondsEnd))}+00`
  const at = asMilliseconds(text)
  return Number.isNaN(at) ? text : new Date(at).toISOString().replace('T', ' ').replace('Z', '+00')
}

/** Index at which the milliseconds of `2026-01-31T13:05:00.123456Z` end. */
const millisecondsEnd = 23

/** Milliseconds since 1970; NaN if unparsable. A timestamp without a zone is UTC, which is what these APIs mean. */
export function asMilliseconds(text: string): number {
  return Date.parse(/[+-]\d\d:?\d\d$|Z$/.test(text) || text.length <= 10 ? text : `${text}Z`)
}

export function asJson(value: ExactJson): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** .NET serialises a missing date as the first day of year 1. */
function isNoDate(text: string | null): text is null {
  return text === null || text === '' || text.startsWith('0001-01-01')
}

const scientific = /^(-?)(\d+)(?:\.(\d*))?[eE]([+-]?\d+)$/

/** Expands an exponent: `1.5e-7` becomes `0.00000015`. */
function expandExponent(number: string): string {
  if (!/[eE]/.test(number)) return number
  const match = scientific.exec(number)
  if (match === null) return number
  const [, sign = '', before = '', after = '', exponent = '0'] = match
  const digits = before + after
  const point = before.length + Number(exponent)
  if (Math.abs(point) > 400) return number
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const padded = digits.padEnd(point, '0')
  const fraction = padded.slice(point)
  return sign + padded.slice(0, point) + (fraction === '' ? '' : `.${fraction}`)
}
