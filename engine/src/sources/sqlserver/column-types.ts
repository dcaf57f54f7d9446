/** What each of SQL Server's column types becomes, and how it must be selected so that the driver can lose nothing of it. */
import type { LogicalType } from '../../model.ts'

/** A row of sys.columns; `type` is the name of the system type beneath any alias. */
export interface ColumnFacts {
  readonly name: string
  readonly type: string
  /** In bytes; -1 for (max). */
  readonly maxLength: number
  readonly precision: number
  readonly scale: number
  readonly isNullable: boolean
}

export interface MappedColumn {
  readonly type: LogicalType
  /** The expression to select, given the quoted column. It answers text, a number, a bit or bytes. */
  readonly select: (quoted: string) => string
}

const asItIs = (quoted: string): string => quoted
const asText = (quoted: string): string => `CONVERT(nvarchar(max), ${quoted})`

/** The driver makes doubles of decimals, and dates of a millisecond's precision: both travel as text instead. */
export function mapColumn(facts: ColumnFacts): MappedColumn {
  const mapper = mappers[facts.type]
  return mapper === undefined ? { type: { kind: 'text' }, select: asText } : mapper(facts)
}

const mappers: { readonly [type: string]: ((facts: ColumnFacts) => MappedColumn) | undefined } = {
  tinyint: () => integer(2),
  smallint: () => integer(2),
  int: () => integer(4),
  bigint: () => integer(8),
  bit: () => ({ type: { kind: 'boolean' }, select: asItIs }),
  decimal,
  numeric: decimal,
  money: () => money(19),
  smallmoney: () => money(10),
  float: () => ({ type: { kind: 'double' }, select: asItIs }),
  real: () => ({ type: { kind: 'double' }, select: asItIs }),
  char: (facts) => text(facts.maxLength),
  varchar: (facts) => text(facts.maxLength),
  nchar: (facts) => text(facts.maxLength / 2),
  nvarchar: (facts) => text(facts.maxLength / 2),
  sysname: () => text(128),
  binary: bytes,
  varbinary: bytes,
  timestamp: bytes,
  rowversion: bytes,
  image: () => ({ type: { kind: 'bytes' }, select: (quoted) => `CONVERT(varbinary(max), ${quoted})` }),
  uniqueidentifier: () => ({ type: { kind: 'guid' }, select: asItIs }),
  date: () => ({ type: { kind: 'date' }, select: (quoted) => `CONVERT(varchar(10), ${quoted}, 23)` }),
  time: () => ({ type: { kind: 'time' }, select: (quoted) => `CONVERT(varchar(16), ${quoted}, 121)` }),
  smalldatetime: () => stamp(0),
  datetime: () => stamp(3),
  datetime2: (facts) => stamp(facts.scale),
  datetimeoffset: ({ scale }) => ({
    type: { kind: 'instant', digits: scale },
    select: (quoted) => `CONVERT(varchar(27), CONVERT(datetime2(${scale}), SWITCHOFFSET(${quoted}, '+00:00')), 121) + '+00'`,
  }),
  hierarchyid: () => ({ type: { kind: 'text', maxLength: 4_000 }, select: (quoted) => `${quoted}.ToString()` }),
  geography: () => ({ type: { kind: 'text' }, select: (quoted) => `${quoted}.STAsText()` }),
  geometry: () => ({ type: { kind: 'text' }, select: (quoted) => `${quoted}.STAsText()` }),
  sql_variant: () => ({ type: { kind: 'text' }, select: variantText }),
  json: () => ({ type: { kind: 'json' }, select: asText }),
}

function integer(bytes: 2 | 4 | 8): MappedColumn {
  return { type: { kind: 'integer', bytes }, select: asItIs }
}

/**
 * Each value by its own type: converted as a variant, floats and money lose digits, moments their seconds, and binaries become letters.
 * https://learn.microsoft.com/sql/t-sql/functions/sql-variant-property-transact-sql
 */
function variantText(quoted: string): string {
  const as = (type: string, style: number): string => `LTRIM(CONVERT(varchar(max), CONVERT(${type}, ${quoted}), ${style}))`
  const cases: readonly (readonly [types: readonly string[], text: string])[] = [
    [['float'], as('float', 3)],
    [['real'], as('real', 3)],
    [['money', 'smallmoney'], `CONVERT(nvarchar(max), CONVERT(decimal(19,4), ${quoted}))`],
    [['datetime', 'smalldatetime', 'datetime2'], as('datetime2(7)', 121)],
    [['datetimeoffset'], as('datetimeoffset(7)', 121)],
    [['date'], as('date', 23)],
    [['binary', 'varbinary'], as('varbinary(8000)', 1)],
  ]
  const whens = cases.flatMap(([types, text]) => types.map((type) => `WHEN N'${type}' THEN ${text}`))
  const base = `CONVERT(nvarchar(128), SQL_VARIANT_PROPERTY(${quoted}, 'BaseType'))`
  return `CASE ${base} ${whens.join(' ')} ELSE CONVERT(nvarchar(max), ${quoted}) END`
}

/** By way of decimal, for not every server that speaks TDS gives all four digits of money as text. */
function money(precision: number): MappedColumn {
  const type = { kind: 'decimal', precision, scale: 4 } as const
  return { type, select: (quoted) => `CONVERT(varchar(50), CONVERT(decimal(${precision},4), ${quoted}))` }
}

function decimal({ precision, scale }: ColumnFacts): MappedColumn {
  return { type: { kind: 'decimal', precision, scale }, select: (quoted) => `CONVERT(varchar(50), ${quoted})` }
}

/** Converted on the server, for only it knows the code page of a char for sure. */
function text(length: number): MappedColumn {
  if (length <= 0) return { type: { kind: 'text' }, select: asText }
  const isShort = length <= 4_000
  return { type: { kind: 'text', maxLength: length }, select: isShort ? (quoted) => `CONVERT(nvarchar(${length}), ${quoted})` : asText }
}

function bytes(): MappedColumn {
  return { type: { kind: 'bytes' }, select: asItIs }
}

function stamp(digits: number): MappedColumn {
  return {
    type: { kind: 'localTimestamp', digits },
    select: (quoted) => `CONVERT(varchar(27), CONVERT(datetime2(${digits}), ${quoted}), 121)`,
  }
}

/** The canonical text of what the driver gives for such an expression. */
export function canonical(value: unknown, type: LogicalType): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return type.kind === 'guid' ? String(value).toLowerCase() : String(value)
}
