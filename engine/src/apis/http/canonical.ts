/**
 * JSON values in the canonical text of a logical type. What is empty becomes null; what cannot be understood stays as it
 * came, so that the target sets the row aside with its reason instead of storing a guess.
 */
import type { Json } from './exact-json.ts'

export function asText(value: Json): string | null {
  if (typeof value === 'string' || value === null) return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function asDecimal(value: Json): string | null {
  if (typeof value === 'number') return plain(String(value))
  if (typeof value !== 'string') return asText(value)
  const trimmed = value.trim()
  return trimmed === '' ? null : plain(trimmed)
}

export function asFlag(value: Json): string | null {
  if (value === true) return 't'
  if (value === false) return 'f'
  if (typeof value === 'number') return value === 0 ? 'f' : 't'
  if (typeof value !== 'string') return asText(value)
  const word = value.trim().toLowerCase()
  return word === '' ? null : (flagWords[word] ?? value)
}
const flagWords: Readonly<Record<string, string>> = { true: 't', yes: 't', false: 'f', no: 'f' }

export function asGuid(value: Json): string | null {
  const given = asText(value)
  return given === null || given === '' ? null : given.toLowerCase()
}

/** The day as it is written, whatever time follows it. */
export function asDate(value: Json): string | null {
  const given = asText(value)
  return isNoDate(given) ? null : given.slice(0, 10)
}

/** Milliseconds, as finely as a stamp is declared; the rest is cut off, for a database would round it. */
export function asInstant(value: Json): string | null {
  const given = asText(value)
  if (isNoDate(given)) return null
  if (given.endsWith('Z') && given[10] === 'T')
    return `${given.slice(0, 10)} ${given.slice(11, Math.min(given.length - 1, millisecondsEnd))}+00`
  const at = asMilliseconds(given)
  return Number.isNaN(at) ? given : new Date(at).toISOString().replace('T', ' ').replace('Z', '+00')
}

/** Where the milliseconds of `2026-01-31T13:05:00.123456Z` end. */
const millisecondsEnd = 23

/** Since 1970; NaN where it cannot be understood. A stamp without a zone is UTC: that is what these APIs mean by it. */
export function asMilliseconds(given: string): number {
  return Date.parse(/[+-]\d\d:?\d\d$|Z$/.test(given) || given.length <= 10 ? given : `${given}Z`)
}

export function asJson(value: Json): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** .NET writes the first day of the year 1 where there is no date. */
function isNoDate(given: string | null): given is null {
  return given === null || given === '' || given.startsWith('0001-01-01')
}

const scientific = /^(-?)(\d+)(?:\.(\d*))?[eE]([+-]?\d+)$/

/** Without an exponent: `1.5e-7` is `0.00000015`. */
function plain(number: string): string {
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
