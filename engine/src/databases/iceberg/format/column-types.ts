/** Maps logical types to column types of Iceberg, and back. https://iceberg.apache.org/spec/#primitive-types */
import type { LogicalType } from '../../../ports/model.ts'

/** The largest precision of a decimal in Iceberg. */
const precisionMax = 38

/** Decimals without a limit, or wider than 38 digits, become text: no column type of Iceberg holds them exactly. */
export function columnType(type: LogicalType): string {
  switch (type.kind) {
    case 'integer':
      return type.bytes === 8 ? 'long' : 'int'
    case 'decimal':
      return decimalType(type.precision, type.scale ?? 0)
    default:
      return plainTypes[type.kind]
  }
}

const plainTypes = {
  text: 'string',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  // Spark refuses every table with a column of Iceberg's type time.
  time: 'string',
  localTimestamp: 'timestamp',
  instant: 'timestamptz',
  guid: 'uuid',
  json: 'string',
  bytes: 'binary',
} as const

function decimalType(precision: number | undefined, scale: number): string {
  const fits = precision !== undefined && precision <= precisionMax && scale >= 0 && scale <= precision
  return fits ? `decimal(${precision}, ${scale})` : 'string'
}

export interface DecimalSize {
  readonly precision: number
  readonly scale: number
}

/** Null unless it is a decimal. */
export function decimalSize(type: string): DecimalSize | null {
  const [, precision, scale] = /^decimal\((\d+), ?(\d+)\)$/u.exec(type) ?? []
  return precision === undefined ? null : { precision: Number(precision), scale: Number(scale) }
}

/** Columns hold microseconds whatever the source says, so no precision of a source is wider. */
const anyDigits = 9

/** The logical type that a column holds; null for one that Tributary does not write. */
export function logicalType(type: string): LogicalType | null {
  const decimal = decimalSize(type)
  return decimal === null ? (logicalTypes[type] ?? null) : { kind: 'decimal', ...decimal }
}

const logicalTypes: { readonly [type: string]: LogicalType | undefined } = {
  string: { kind: 'text' },
  int: { kind: 'integer', bytes: 4 },
  long: { kind: 'integer', bytes: 8 },
  double: { kind: 'double' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'localTimestamp', digits: anyDigits },
  timestamptz: { kind: 'instant', digits: anyDigits },
  uuid: { kind: 'guid' },
  binary: { kind: 'bytes' },
}

/** Whether files with values of the first type can be read as the second: Iceberg's type promotion of format version 2. */
export function isPromotion(from: string, to: string): boolean {
  if (from === to) return true
  if (from === 'int' && to === 'long') return true
  const [before, after] = [decimalSize(from), decimalSize(to)]
  return before !== null && after !== null && before.scale === after.scale && before.precision <= after.precision
}
