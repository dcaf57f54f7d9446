/** The text forms of PostgreSQL's values. */
import type { LogicalType } from '../../../ports/model.ts'
import type { ComparisonForm, VerifiedColumn } from '../../../ports/verified-table.ts'
import { columnType, logicalType, quoteText, secondDigits } from '../types.ts'

export interface PostgresValue {
  readonly name: string
  /** Of the values that are compared. */
  readonly type: LogicalType
  /** Expression of the value. */
  readonly value: string
  /** Type of the expression as `format_type` spells it; null where it has another one than its logical type says. */
  readonly stored: string | null
}

export function verifiedColumn({ name, type, value, stored }: PostgresValue): VerifiedColumn {
  return {
    name,
    type,
    value,
    canonical: `${value}::text`,
    forms: formsOf({ type, value, stored }),
    equals: (text) => `${value} = ${equalValue({ type, stored }, text)}`,
  }
}

function equalValue({ type, stored }: Pick<PostgresValue, 'type' | 'stored'>, text: string): string {
  if (type.kind === 'bytes') return `decode(${quoteText(text)}, 'hex')`
  return type.kind === 'text' && type.native === undefined
    ? quoteText(text)
    : `${quoteText(text)}::${stored ?? columnType(type)}`
}

type FormsInput = Pick<PostgresValue, 'type' | 'value' | 'stored'>
type Forms = readonly ComparisonForm[]

function formsOf(input: FormsInput): Forms {
  const { type, value, stored } = input
  const own = stored === null ? type : logicalType(stored)
  if (own !== null && own.kind !== type.kind) return isWholeInDecimal(type, own) ? [trimmed(value)] : []
  // A column of text that holds values of another type.
  if (own === null && type.kind !== 'text') return []
  return type.kind === 'decimal' ? decimalForms(value, own?.kind === 'decimal' ? own : type) : forms[type.kind](input)
}

function native(kind: string, sql: string): ComparisonForm {
  return { id: `postgres:${kind}`, sql }
}

/** Between PostgreSQL databases every type has a form: the text in which equal values are equal. */
const forms: { readonly [kind in Exclude<LogicalType['kind'], 'decimal'>]: (input: FormsInput) => Forms } = {
  text: ({ type, value }) =>
    type.kind === 'text' && type.native !== undefined
      ? // 24 hours and one day are equal to PostgreSQL.
        [native('interval', `justify_interval(${value})::text`)]
      : [{ id: 'text', sql: `${value}::text`, isFree: true }],
  integer: ({ value }) => [
    { id: 'integer', sql: value },
    { id: 'decimal', sql: value },
  ],
  // Zero has a sign that PostgreSQL does not compare. A real is written with fewer digits than the double of its value.
  double: ({ value, stored }) => [
    native('double', `(${stored === 'real' ? `${value}::text::float8` : value} + 0::float8)`),
  ],
  boolean: ({ value }) => [{ id: 'boolean', sql: value }],
  date: ({ value }) => [native('date', value), known(value, { id: 'date', sql: value })],
  time: ({ value }) => [native('time', value), { id: 'time:6', sql: `to_char(${value}, 'HH24:MI:SS.US')` }],
  localTimestamp: momentForms,
  instant: momentForms,
  guid: ({ value }) => [{ id: 'guid', sql: value }],
  json: ({ value }) => [{ ...native('json', `${value}::jsonb::text`), isFree: true }],
  bytes: ({ value }) => [{ id: 'bytes', sql: `encode(${value}, 'hex')`, isFree: true }],
}

/** A column that was made wider for values that the source no longer has. */
function isWholeInDecimal(type: LogicalType, own: LogicalType): boolean {
  return type.kind === 'integer' && own.kind === 'decimal'
}

/** Between PostgreSQL databases with NaN and infinity, elsewhere without. */
function decimalForms(
  value: string,
  { precision, scale = 0 }: { readonly precision?: number; readonly scale?: number },
) {
  if (precision === undefined) return [{ id: 'postgres:decimal', sql: `trim_scale(${value})` }, trimmed(value)]
  return [
    { id: `postgres:decimal:${scale}`, sql: value },
    { id: 'postgres:decimal', sql: `trim_scale(${value})` },
    { id: `decimal:${scale}`, sql: `nullif(${value}, 'NaN')`, isNull: `nullif(${value}, 'NaN') IS NULL` },
    trimmed(value),
  ]
}

/** Without zeros at the end, because 1.50 and 1.5 are equal. The difference of NaN or infinity to itself is not zero. */
function trimmed(value: string): ComparisonForm {
  const isKnown = `${value} - ${value} = 0`
  return {
    id: 'decimal',
    sql: `CASE WHEN ${isKnown} THEN trim_scale(${value}) END`,
    isNull: `(${isKnown}) IS NOT TRUE`,
  }
}

/** Null for what other databases do not know: infinity, and years before 1 or after 9999. */
function known(value: string, { id, sql }: ComparisonForm): ComparisonForm {
  const isKnown = `${value} >= '0001-01-01' AND ${value} < '10000-01-01'`
  return { id, sql: `CASE WHEN ${isKnown} THEN ${sql} END`, isNull: `(${isKnown}) IS NOT TRUE` }
}

/** Reads have the date style ISO and the time zone UTC. Writing a timestamp is much faster than `to_char`. */
function momentForms({ type, value }: FormsInput): Forms {
  if (!('digits' in type)) return []
  const shown = Math.min(type.digits, secondDigits)
  const local = type.kind === 'instant' ? `${value}::timestamp` : value
  const text = `to_char(${local}, 'YYYY-MM-DD HH24:MI:SS${shown === 0 ? '' : '.US'}')`
  const cut = shown === 0 || shown === secondDigits ? text : `left(${text}, ${momentLength + 1 + shown})`
  return [
    native(type.kind, value),
    known(value, { id: `timestamp:${shown}:trimmed`, sql: local }),
    known(value, { id: `timestamp:${shown}`, sql: cut }),
  ]
}

/** Of `2026-01-31 13:05:00`. */
const momentLength = 19
