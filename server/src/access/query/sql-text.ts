/**
 * SQL with values in it. It is written once and rendered twice: with parameters, and with literals, for COPY, which takes no
 * parameters, and for people who copy it.
 */
import { escapeLiteral } from 'pg'

export interface SqlValue {
  readonly value: string
  /** The SQL type to which the text is cast. It comes from the catalogue or from this folder, never from a caller. */
  readonly type: string
}

export type SqlText = readonly (string | SqlValue)[]

/** Joins texts and values. A string is SQL: anything that a caller sent must be a `SqlValue`. */
export function sql(strings: TemplateStringsArray, ...inserted: readonly (string | SqlValue | SqlText)[]): SqlText {
  return strings.flatMap((text, at) => {
    const part = inserted[at]
    if (part === undefined) return [text]
    return typeof part === 'string' || 'value' in part ? [text, part] : [text, ...part]
  })
}

export function joinSql(parts: readonly SqlText[], separator: string): SqlText {
  return parts.flatMap((part, at) => (at === 0 ? part : [separator, ...part]))
}

/** For `client.query(text, values)`. */
export function withParameters(parts: SqlText): { readonly text: string; readonly values: readonly string[] } {
  const values: string[] = []
  const text = parts.map((part) => (typeof part === 'string' ? part : `$${values.push(part.value)}::${part.type}`))
  return { text: text.join(''), values }
}

/** Statements that contain U+0000 would end there, so a value with it is refused before it gets here. */
export function withLiterals(parts: SqlText): string {
  return parts.map((part) => (typeof part === 'string' ? part : literal(part))).join('')
}

function literal({ value, type }: SqlValue): string {
  if (value.includes('\0')) throw new Error('A value of a query contains U+0000.')
  if ((type === 'bigint' || type === 'numeric') && /^\d{1,18}(?:\.\d{1,18})?$/.test(value)) return value
  return `${escapeLiteral(value).trimStart()}::${type}`
}
