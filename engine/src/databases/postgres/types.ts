/** Maps logical types to types of PostgreSQL and back, for source and target. */
import type { LogicalType } from '../../ports/model.ts'
import { clauses } from '../sql-target/clauses.ts'

/** Fractional seconds precision, and the maximum length of a varchar. */
export const secondDigits = 6
const varcharMax = 10_485_760
const precisionMax = 1_000

/** The column type that stores a logical type, spelled as `format_type` spells it. */
export function columnType(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
      return textType(type)
    case 'integer':
      return { 2: 'smallint', 4: 'integer', 8: 'bigint' }[type.bytes]
    case 'decimal':
      return type.precision === undefined || type.precision > precisionMax
        ? 'numeric'
        : `numeric(${type.precision},${type.scale ?? 0})`
    case 'localTimestamp':
      return stamp(type.digits, 'without')
    case 'instant':
      return stamp(type.digits, 'with')
    default:
      return plainTypes[type.kind]
  }
}

function textType({ maxLength, native }: Extract<LogicalType, { kind: 'text' }>): string {
  if (native?.startsWith('interval') === true) return native
  return maxLength === undefined || maxLength > varcharMax ? 'text' : `character varying(${maxLength})`
}

const plainTypes = {
  double: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time without time zone',
  guid: 'uuid',
  json: 'jsonb',
  bytes: 'bytea',
} as const

function stamp(digits: number, zone: 'with' | 'without'): string {
  return `timestamp${digits < secondDigits ? `(${digits})` : ''} ${zone} time zone`
}

const spelled = /^([a-z ]+?)(?:\((\d+)(?:,(-?\d+))?\))?( with(?:out)? time zone)?$/

/** The logical type of a column type as `format_type` spells it; null for one that is read as text. */
export function logicalType(formatted: string): LogicalType | null {
  const [, name = '', first, second, zone = ''] = spelled.exec(formatted) ?? []
  const size = first === undefined ? undefined : Number(first)
  return simpleTypes[name + zone] ?? sizedType(name + zone, size, second === undefined ? 0 : Number(second))
}

const simpleTypes: Readonly<Record<string, LogicalType>> = {
  smallint: { kind: 'integer', bytes: 2 },
  integer: { kind: 'integer', bytes: 4 },
  bigint: { kind: 'integer', bytes: 8 },
  'double precision': { kind: 'double' },
  real: { kind: 'double' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  'time without time zone': { kind: 'time' },
  uuid: { kind: 'guid' },
  json: { kind: 'json' },
  jsonb: { kind: 'json' },
  bytea: { kind: 'bytes' },
  text: { kind: 'text' },
}

function sizedType(name: string, size: number | undefined, scale: number): LogicalType | null {
  switch (name) {
    case 'character varying':
      return size === undefined ? { kind: 'text' } : { kind: 'text', maxLength: size }
    case 'numeric':
      return size === undefined ? { kind: 'decimal' } : decimal(size, scale)
    case 'timestamp without time zone':
      return { kind: 'localTimestamp', digits: size ?? secondDigits }
    case 'timestamp with time zone':
      return { kind: 'instant', digits: size ?? secondDigits }
    default:
      return null
  }
}

/** PostgreSQL allows a scale below zero and above the precision; other databases do not. */
function decimal(precision: number, scale: number): LogicalType {
  if (scale < 0) return { kind: 'decimal', precision: precision - scale, scale: 0 }
  return { kind: 'decimal', precision: Math.max(precision, scale), scale }
}

/** The column types in their order, which both sides must share to exchange rows in COPY binary. */
export function fingerprint(types: readonly string[]): string {
  return `postgres:${types.join(',')}`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `'text'`. A backslash needs an escape string, because an administrator may have switched `standard_conforming_strings` off. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll(`'`, `''`)}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

export const { columnList, columnsEqual } = clauses(quote)
