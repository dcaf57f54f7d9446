/** The text forms of SQL Server's values. */
import type { LogicalType } from '../../../ports/model.ts'
import type { ComparisonForm, VerifiedColumn } from '../../../ports/verified-table.ts'
import { literal } from '../quoting.ts'
import { canonicalText } from '../types.ts'
import { utf8Expression } from './words.ts'

export interface SqlServerValue {
  readonly name: string
  /** Of the values that are compared. */
  readonly type: LogicalType
  /** The logical type that the column really has; null for one that holds texts of other values. */
  readonly own: LogicalType | null
  /** Expression of the value. */
  readonly value: string
  /** Type of the expression, as SQL Server spells it. */
  readonly sqlType: string
  /** In a source a text may hold U+0000. */
  readonly isSource: boolean
}

export function verifiedColumn(column: SqlServerValue): VerifiedColumn {
  const { name, type, value, sqlType } = column
  const isFree = type.kind === 'bytes' || type.kind === 'double'
  return {
    name,
    type,
    value,
    canonical: isFree ? freeText(column) : canonicalText(value, type, sqlType),
    forms: formsOf(column),
    equals: (text) => `${value} = ${equalValue(column, text)}`,
  }
}

function freeText({ type, value }: SqlServerValue): string {
  return type.kind === 'bytes' ? hexadecimal(value) : doubleText(value)
}

function equalValue({ type, sqlType }: SqlServerValue, text: string): string {
  switch (type.kind) {
    case 'bytes':
      return `0x${text}`
    case 'boolean':
      return text === 't' ? '1' : '0'
    case 'integer':
    case 'decimal':
      return text
    case 'text':
    case 'json':
      return literal(text)
    default:
      return `CONVERT(${plainType(sqlType)}, ${literal(text)}${type.kind === 'guid' || type.kind === 'double' ? '' : ', 121'})`
  }
}

function plainType(sqlType: string): string {
  return sqlType.replace(/ COLLATE .*$/u, '')
}

type Forms = readonly ComparisonForm[]

function formsOf(column: SqlServerValue): Forms {
  const { type, own, value } = column
  if (own !== null && (own.kind === type.kind || (isMoment(own) && isMoment(type)))) return forms[type.kind](column)
  return own?.kind === 'decimal' && type.kind === 'integer' ? decimalForms(value, own) : []
}

const forms: { readonly [kind in LogicalType['kind']]: (column: SqlServerValue) => Forms } = {
  text: ({ value, isSource }) => [
    { id: 'text', sql: utf8Expression(isSource ? withoutNul(value) : value), isFree: true },
  ],
  integer: ({ value }) => [
    { id: 'integer', sql: `CONVERT(varchar(20), ${value})` },
    { id: 'decimal', sql: `CONVERT(varchar(20), ${value})` },
  ],
  decimal: ({ value, own }) => decimalForms(value, own),
  double: ({ value }) => [{ id: 'sqlserver:double', sql: doubleText(value) }],
  // A source selects the letters already.
  boolean: ({ value, isSource }) => [
    { id: 'boolean', sql: isSource ? value : `CASE ${value} WHEN 1 THEN 't' WHEN 0 THEN 'f' END` },
  ],
  date: ({ value }) => [{ id: 'date', sql: `CONVERT(varchar(10), ${value}, 23)` }],
  time: ({ value }) => [
    { id: 'sqlserver:time', sql: timeText(value) },
    { id: 'time:6', sql: `LEFT(${timeText(value)}, 15)` },
  ],
  localTimestamp: momentForms,
  instant: momentForms,
  guid: ({ value }) => [{ id: 'guid', sql: `LOWER(CONVERT(char(36), ${value}))` }],
  json: ({ value }) => [{ id: 'sqlserver:json', sql: utf8Expression(value), isFree: true }],
  bytes: ({ value }) => [{ id: 'bytes', sql: hexadecimal(value), isFree: true }],
}

function timeText(value: string): string {
  return `CONVERT(varchar(16), CONVERT(time(7), ${value}), 121)`
}

function decimalForms(value: string, own: LogicalType | null): Forms {
  const scale = own?.kind === 'decimal' ? (own.scale ?? widestScale) : 0
  const text = `CONVERT(varchar(60), ${value})`
  const marked = `REPLACE(RTRIM(REPLACE(${text}, '0', ' ')), ' ', '0')`
  const trimmed =
    scale === 0
      ? text
      : `CASE WHEN RIGHT(${marked}, 1) = '.' THEN LEFT(${marked}, LEN(${marked}) - 1) ELSE ${marked} END`
  return [
    { id: `decimal:${scale}`, sql: text },
    { id: 'decimal', sql: trimmed },
  ]
}

/** Of a decimal without precision in a target. */
const widestScale = 12

function momentForms({ type, own, value }: SqlServerValue): Forms {
  if (own === null || !('digits' in own) || !('digits' in type)) return []
  const whole = `CONVERT(varchar(27), CONVERT(datetime2(7), ${value}), 121)`
  const shown = Math.min(own.digits, digitsElsewhere)
  return [
    { id: `sqlserver:timestamp:${own.digits}`, sql: whole },
    { id: `timestamp:${shown}`, sql: `LEFT(${whole}, ${momentLength + (shown === 0 ? 0 : 1 + shown)})` },
  ]
}

/** Fractional seconds precision of the other databases, and the length of `2026-01-31 13:05:00`. */
const digitsElsewhere = 6
const momentLength = 19

function isMoment({ kind }: LogicalType): boolean {
  return kind === 'localTimestamp' || kind === 'instant'
}

function hexadecimal(value: string): string {
  return `LOWER(CONVERT(varchar(max), CONVERT(varbinary(max), ${value}), 2))`
}

/** Style 3 writes every digit; zero has a sign that is not compared. */
function doubleText(value: string): string {
  return `CONVERT(varchar(30), CONVERT(float, ${value}) + 0e0, 3)`
}

function withoutNul(text: string): string {
  return `REPLACE(CONVERT(nvarchar(max), ${text}) COLLATE Latin1_General_100_BIN2, NCHAR(0), N'')`
}
