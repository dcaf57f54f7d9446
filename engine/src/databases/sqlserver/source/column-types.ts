/** Maps column types of SQL Server to logical types, and selects each so that the driver loses nothing. */
import type { LogicalType } from '../../../ports/model.ts'

/** A row of sys.columns; `type` is the name of the system type beneath any alias. */
export interface SqlServerColumnFacts {
  readonly name: string
  readonly type: string
  /** In bytes; -1 for (max). */
  readonly maxLength: number
  readonly precision: number
  readonly scale: number
  readonly isNullable: boolean
}

export interface SqlServerMappedColumn {
  readonly type: LogicalType
  /** The expression to select, given the quoted column. It returns text, a number or bytes. */
  readonly select: (quoted: string) => string
  /**
   * True where the server's implicit conversion of the expression to text is the canonical text, which is never empty and holds no
   * special character of COPY text. Styles of times: 121, since SQL Server 2008.
   * https://learn.microsoft.com/sql/t-sql/functions/cast-and-convert-transact-sql
   */
  readonly isJoinable?: true
}

const asItIs = (quoted: string): string => quoted
const asText = (quoted: string): string => `CAST(${quoted} AS nvarchar(max))`

/** The driver converts decimals to doubles and dates to milliseconds: both are read as text instead. */
export function mapColumn(facts: SqlServerColumnFacts): SqlServerMappedColumn {
  const mapper = mappers[facts.type]
  return mapper === undefined ? { type: { kind: 'text' }, select: asText } : mapper(facts)
}

const mappers: { readonly [type: string]: ((facts: SqlServerColumnFacts) => SqlServerMappedColumn) | undefined } = {
  tinyint: () => integer(2),
  smallint: () => integer(2),
  int: () => integer(4),
  bigint: () => integer(8),
  bit: () => ({
    type: { kind: 'boolean' },
    select: (quoted) => `CASE ${quoted} WHEN 1 THEN 't' WHEN 0 THEN 'f' END`,
    isJoinable: true,
  }),
  decimal,
  numeric: decimal,
  money: () => money(19),
  smallmoney: () => money(10),
  float: () => ({ type: { kind: 'double' }, select: asItIs }),
  real: () => ({ type: { kind: 'double' }, select: asItIs }),
  char: (facts) => text(facts.maxLength),
  varchar: (facts) => text(facts.maxLength),
  nchar: unicode,
  nvarchar: unicode,
  sysname: () => text(128),
  binary: bytes,
  varbinary: bytes,
  timestamp: bytes,
  rowversion: bytes,
  image: () => ({ type: { kind: 'bytes' }, select: (quoted) => `CAST(${quoted} AS varbinary(max))` }),
  uniqueidentifier: () => ({ type: { kind: 'guid' }, select: asItIs }),
  date: () => ({ type: { kind: 'date' }, select: asItIs, isJoinable: true }),
  // Not every server that speaks TDS writes all digits by default.
  time: () => ({
    type: { kind: 'time' },
    select: (quoted) => `CONVERT(varchar(16), ${quoted}, 121)`,
    isJoinable: true,
  }),
  smalldatetime: () => stamp(0),
  datetime: () => stamp(3),
  datetime2: ({ scale }) => ({ ...stamp(scale), select: asItIs }),
  datetimeoffset: ({ scale }) => ({
    type: { kind: 'instant', digits: scale },
    select: (quoted) => `CAST(CAST(SWITCHOFFSET(${quoted}, '+00:00') AS datetime2(${scale})) AS varchar(27)) + '+00'`,
    isJoinable: true,
  }),
  hierarchyid: () => ({ type: { kind: 'text', maxLength: 4_000 }, select: (quoted) => `${quoted}.ToString()` }),
  geography: () => ({ type: { kind: 'text' }, select: (quoted) => `${quoted}.STAsText()` }),
  geometry: () => ({ type: { kind: 'text' }, select: (quoted) => `${quoted}.STAsText()` }),
  sql_variant: () => ({ type: { kind: 'text' }, select: variantText }),
  json: () => ({ type: { kind: 'json' }, select: asText }),
}

function integer(bytes: 2 | 4 | 8): SqlServerMappedColumn {
  return { type: { kind: 'integer', bytes }, select: asItIs, isJoinable: true }
}

/**
 * Converts each value by its base type: converted as a variant, floats and money lose digits, times lose seconds, and binaries become letters.
 * https://learn.microsoft.com/sql/t-sql/functions/sql-variant-property-transact-sql
 */
function variantText(quoted: string): string {
  const as = (type: string, style: number): string =>
    `LTRIM(CONVERT(varchar(max), CONVERT(${type}, ${quoted}), ${style}))`
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

/** Converted to decimal because the text of money has two digits after the point. */
function money(precision: number): SqlServerMappedColumn {
  const type = { kind: 'decimal', precision, scale: 4 } as const
  return { type, select: (quoted) => `CAST(${quoted} AS decimal(${precision},4))`, isJoinable: true }
}

function decimal({ precision, scale }: SqlServerColumnFacts): SqlServerMappedColumn {
  return { type: { kind: 'decimal', precision, scale }, select: asItIs, isJoinable: true }
}

/** Converted on the server, because only the server knows the code page of a char. */
function text(length: number): SqlServerMappedColumn {
  if (length <= 0) return { type: { kind: 'text' }, select: asText }
  const isShort = length <= 4_000
  return {
    type: { kind: 'text', maxLength: length },
    select: isShort ? (quoted) => `CAST(${quoted} AS nvarchar(${length}))` : asText,
  }
}

function unicode({ maxLength }: SqlServerColumnFacts): SqlServerMappedColumn {
  return { ...text(maxLength / 2), select: asItIs }
}

function bytes(): SqlServerMappedColumn {
  return { type: { kind: 'bytes' }, select: asItIs }
}

function stamp(digits: number): SqlServerMappedColumn {
  return {
    type: { kind: 'localTimestamp', digits },
    select: (quoted) => `CAST(${quoted} AS datetime2(${digits}))`,
    isJoinable: true,
  }
}
