/** Maps logical types to column types of MySQL and MariaDB, and back. */
import type { LogicalType } from '../../ports/model.ts'

const precisionMax = 65
const scaleMax = 30
/** Longer text is stored outside the row, so that a few columns do not use up its 65,535 bytes. */
export const varcharMax = 1_000
/** The maximum of an index. */
const varbinaryMax = 3_072
export const secondDigits = 6

export function columnType(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
      return type.maxLength === undefined || type.maxLength > varcharMax
        ? 'longtext'
        : `varchar(${Math.max(1, type.maxLength)})`
    case 'integer':
      return { 2: 'smallint', 4: 'int', 8: 'bigint' }[type.bytes]
    case 'decimal':
      return decimalType(type.precision, type.scale ?? 0)
    case 'localTimestamp':
    case 'instant':
      return stampType(type.digits)
    case 'bytes':
      return type.maxLength === undefined || type.maxLength > varbinaryMax
        ? 'longblob'
        : `varbinary(${Math.max(1, type.maxLength)})`
    default:
      return plainTypes[type.kind]
  }
}

const plainTypes = {
  double: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(6)',
  guid: 'char(36) CHARACTER SET ascii COLLATE ascii_bin',
  json: 'json',
} as const

function decimalType(precision: number | undefined, scale: number): string {
  const fits = precision !== undefined && precision <= precisionMax && scale <= scaleMax
  return fits ? `decimal(${precision},${scale})` : `decimal(${precisionMax},${scaleMax})`
}

function stampType(digits: number): string {
  return digits === 0 ? 'datetime' : `datetime(${Math.min(digits, secondDigits)})`
}

const spelled = /^([a-z]+)(?:\((\d+)(?:,(\d+))?\))?/

interface ParsedSize {
  readonly size: number | undefined
  readonly scale: number
  /** The wanted type of the column: some column types have several meanings. */
  readonly want: LogicalType
}

/** The logical type of a column type as information_schema spells it; null for one that Tributary does not use. */
export function logicalType(columnType: string, want: LogicalType): LogicalType | null {
  const [, name = '', first, second] = spelled.exec(columnType.toLowerCase()) ?? []
  return (
    actualTypes[name]?.({ size: first === undefined ? undefined : Number(first), scale: Number(second ?? 0), want }) ??
    null
  )
}

const actualTypes: { readonly [name: string]: ((size: ParsedSize) => LogicalType) | undefined } = {
  tinyint: () => ({ kind: 'boolean' }),
  smallint: () => ({ kind: 'integer', bytes: 2 }),
  int: () => ({ kind: 'integer', bytes: 4 }),
  bigint: () => ({ kind: 'integer', bytes: 8 }),
  decimal: ({ size = 10, scale }) =>
    size === precisionMax && scale === scaleMax ? { kind: 'decimal' } : { kind: 'decimal', precision: size, scale },
  double: () => ({ kind: 'double' }),
  date: () => ({ kind: 'date' }),
  time: () => ({ kind: 'time' }),
  datetime: ({ size = 0, want }) => ({ kind: want.kind === 'instant' ? 'instant' : 'localTimestamp', digits: size }),
  char: ({ size = 1 }) => (size === 36 ? { kind: 'guid' } : { kind: 'text', maxLength: size }),
  varchar: ({ size = 1 }) => ({ kind: 'text', maxLength: size }),
  json: () => ({ kind: 'json' }),
  // MariaDB reports JSON as the text type that it is.
  longtext: ({ want }) => ({ kind: want.kind === 'json' ? 'json' : 'text' }),
  longblob: () => ({ kind: 'bytes' }),
  varbinary: ({ size = 1 }) => ({ kind: 'bytes', maxLength: size }),
}

/** Expression of a value as canonical text. */
export function canonicalText(
  value: string,
  { type, values }: { readonly type: string; readonly values: LogicalType },
): string {
  if (type.startsWith('varchar') || type.startsWith('longtext')) return value
  if (values.kind === 'boolean') return `IF(${value}, 't', 'f')`
  if (values.kind === 'instant') return `CONCAT(${value}, '+00')`
  return values.kind === 'bytes' ? `CONCAT('\\\\x', LOWER(HEX(${value})))` : value
}
