/** Maps logical types to column types of SQL Server, and back. */
import type { LogicalType } from '../../ports/model.ts'

/** Longer text is (max), which no index can hold. */
const nvarcharMax = 4_000
const varbinaryMax = 8_000
const precisionMax = 38
const secondDigits = 7
/** Type of a decimal without precision. */
const widest = { precision: precisionMax, scale: 12 } as const
/** Compares by code point: two texts that differ in capitals or accents are two texts. */
const exactCollation = 'COLLATE Latin1_General_100_BIN2'

export function columnType(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
      return type.maxLength === undefined || unitsOf(type.maxLength) > nvarcharMax
        ? `nvarchar(max) ${exactCollation}`
        : `nvarchar(${Math.max(1, unitsOf(type.maxLength))}) ${exactCollation}`
    case 'bytes':
      return type.maxLength === undefined || type.maxLength > varbinaryMax
        ? 'varbinary(max)'
        : `varbinary(${Math.max(1, type.maxLength)})`
    case 'integer':
      return { 2: 'smallint', 4: 'int', 8: 'bigint' }[type.bytes]
    case 'decimal': {
      const { precision, scale } = decimalSize(type)
      return `decimal(${precision},${scale})`
    }
    case 'localTimestamp':
    case 'instant':
      return `datetime2(${Math.min(type.digits, secondDigits)})`
    default:
      return plainTypes[type.kind]
  }
}

const plainTypes = {
  double: 'float',
  boolean: 'bit',
  date: 'date',
  time: 'time(7)',
  guid: 'uniqueidentifier',
  json: `nvarchar(max) ${exactCollation}`,
} as const

/** nvarchar counts UTF-16 units, of which a character outside the basic plane, such as an emoji, takes two. */
function unitsOf(characters: number): number {
  return 2 * characters
}

/** The precision and scale with which a decimal is stored. */
function decimalSize({ precision, scale = 0 }: { readonly precision?: number; readonly scale?: number }): {
  readonly precision: number
  readonly scale: number
} {
  return precision === undefined || precision > precisionMax ? widest : { precision, scale }
}

export interface ActualType {
  readonly name: string
  /** In bytes; -1 for (max). */
  readonly maxLength: number
  readonly precision: number
  readonly scale: number
}

/** The logical type of a column; null for one that Tributary does not use. Where a type has several meanings, the wanted one decides. */
export function logicalType(actual: ActualType, want: LogicalType): LogicalType | null {
  return actualTypes[actual.name]?.(actual, want) ?? null
}

const actualTypes: { readonly [name: string]: ((actual: ActualType, want: LogicalType) => LogicalType) | undefined } = {
  smallint: () => ({ kind: 'integer', bytes: 2 }),
  int: () => ({ kind: 'integer', bytes: 4 }),
  bigint: () => ({ kind: 'integer', bytes: 8 }),
  decimal: ({ precision, scale }) =>
    precision === widest.precision && scale === widest.scale
      ? { kind: 'decimal' }
      : { kind: 'decimal', precision, scale },
  float: () => ({ kind: 'double' }),
  bit: () => ({ kind: 'boolean' }),
  date: () => ({ kind: 'date' }),
  time: () => ({ kind: 'time' }),
  datetime2: ({ scale }, want) => ({ kind: want.kind === 'instant' ? 'instant' : 'localTimestamp', digits: scale }),
  uniqueidentifier: () => ({ kind: 'guid' }),
  nvarchar: ({ maxLength }, want) =>
    maxLength === -1
      ? { kind: want.kind === 'json' ? 'json' : 'text' }
      : { kind: 'text', maxLength: Math.floor(maxLength / 4) },
  varbinary: ({ maxLength }) => (maxLength === -1 ? { kind: 'bytes' } : { kind: 'bytes', maxLength }),
}

/** Expression of a value as canonical text; of bytes and doubles as they are, for `canonicalOf` to convert. */
export function canonicalText(value: string, values: LogicalType, columnType: string): string {
  if (columnType.startsWith('nvarchar')) return value
  switch (values.kind) {
    case 'boolean':
      return `CASE ${value} WHEN 1 THEN N't' WHEN 0 THEN N'f' END`
    case 'date':
      return `CONVERT(varchar(10), ${value}, 23)`
    case 'time':
    case 'localTimestamp':
      return `CONVERT(varchar(27), ${value}, 121)`
    case 'instant':
      return `CONVERT(varchar(27), ${value}, 121) + '+00'`
    case 'bytes':
    case 'double':
      return value
    case 'guid':
      return `LOWER(CONVERT(char(36), ${value}))`
    default:
      return `CONVERT(varchar(60), ${value})`
  }
}

/** Canonical text of a value that the driver returns for `canonicalText`. */
export function canonicalOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
}
