/** Canonical texts that mean the same as one text, for comparisons in this process. Pure. */
import type { LogicalType } from '../ports/model.ts'
import { isUnknown } from './unsupported-values.ts'

type Value = string | null

/**
 * A canonical text as the one of all that mean the same: JSON without the order of its keys, a double as JavaScript writes it. Null for what
 * only one kind of database knows, which the other stores as null.
 */
export function comparableText(type: LogicalType, text: Value): Value {
  if (text === null || isUnknown(text, type)) return null
  return comparable[type.kind](text)
}

const asItIs = (text: string): string => text
const comparableNumber = withoutEndZeros

const comparable: { readonly [kind in LogicalType['kind']]: (text: string) => string } = {
  text: (text) => text.replaceAll('\u0000', ''),
  integer: comparableNumber,
  decimal: comparableNumber,
  double: (text) => String(Number(text) + 0),
  boolean: (text) => ({ true: 't', false: 'f', '1': 't', '0': 'f' })[text] ?? text,
  date: asItIs,
  time: comparableMoment,
  localTimestamp: comparableMoment,
  instant: comparableMoment,
  guid: asItIs,
  json: comparableJson,
  bytes: (text) => text.replace(/^\\x/u, '').toLowerCase(),
}

/** Without its zone, which is UTC, and with six fractional digits at most, none of them a zero at the end. */
function comparableMoment(text: string): string {
  const local = text.replace(/\+00(?::00)?$/u, '').replace(/(\.\d{6})\d+$/u, '$1')
  return withoutEndZeros(local)
}

function withoutEndZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** Numbers are compared as doubles, because some databases store them so. */
function comparableJson(text: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(text)))
  } catch {
    return text
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, inner]) => [name, sortKeys(inner)])
}
