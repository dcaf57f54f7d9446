/** The text forms of the values of MySQL and MariaDB. */
import type { LogicalType } from '../../../ports/model.ts'
import type { ComparisonForm, VerifiedColumn } from '../../../ports/verified-table.ts'
import { literal } from './words.ts'

export interface MysqlValue {
  readonly name: string
  /** Of the values that are compared. */
  readonly type: LogicalType
  /** The logical type that the expression really has; null for one that holds texts of other values. */
  readonly own: LogicalType | null
  /** Expression of the value. */
  readonly value: string
  /** The text is certainly stored in UTF-8. */
  readonly isUtf8?: boolean
  readonly side: MysqlSide
}

export interface MysqlSide {
  readonly isMariadb: boolean
  /** In a source a text may hold U+0000, and a date a year, month or day of zero. */
  readonly isSource: boolean
}

export function verifiedColumn(column: MysqlValue): VerifiedColumn {
  const { name, type, value } = column
  return {
    name,
    type,
    value,
    canonical: canonicalText(column),
    forms: formsOf(column),
    equals: (text) => `${value} = ${equalValue(column, text)}`,
  }
}

/** A text that is stored under another collation is compared by it: it also finds rows of similar keys, whose texts differ. */
function equalValue({ own, type }: MysqlValue, text: string): string {
  switch ((own ?? type).kind) {
    case 'bytes':
      return `X'${text}'`
    case 'boolean':
      return text === 't' ? '1' : '0'
    case 'integer':
    case 'decimal':
    case 'double':
      return text
    default:
      return literal(text)
  }
}

function canonicalText(column: MysqlValue): string {
  const { type, own, value, side } = column
  if (own === null) return asText(column)
  if (type.kind === 'boolean' && own.kind === 'boolean') return flagText(value)
  if (type.kind === 'bytes') return `LOWER(HEX(${value}))`
  return isStamp(type) ? stampText(value, side) : asText(column)
}

type Forms = readonly ComparisonForm[]

function formsOf(column: MysqlValue): Forms {
  const { type, own, value } = column
  if (own !== null && (own.kind === type.kind || (isMoment(own) && isMoment(type)))) return forms[type.kind](column)
  return own?.kind === 'decimal' && type.kind === 'integer' ? [{ id: 'decimal', sql: trimmedDecimal(value, own) }] : []
}

const forms: { readonly [kind in LogicalType['kind']]: (column: MysqlValue) => Forms } = {
  text: (column) => [
    { id: 'text', sql: column.side.isSource ? withoutNul(asText(column)) : asText(column), isFree: true },
  ],
  integer: ({ value }) => [
    { id: 'integer', sql: value },
    { id: 'decimal', sql: value },
  ],
  decimal: ({ value, own }) => decimalForms(value, own),
  // The two products write doubles and JSON differently.
  double: ({ value, side }) => [{ id: `${productOf(side)}:double`, sql: `(${value} + 0e0)` }],
  boolean: ({ value }) => [{ id: 'boolean', sql: flagText(value) }],
  date: ({ value, side }) => [stampForm('date', value, side)],
  time: (column) => [{ id: 'time:6', sql: asText(column) }],
  localTimestamp: momentForms,
  instant: momentForms,
  guid: (column) => [{ id: 'guid', sql: `LOWER(${asText(column)})` }],
  json: (column) => [{ id: `${productOf(column.side)}:json`, sql: asText(column), isFree: true }],
  bytes: ({ value }) => [{ id: 'bytes', sql: `LOWER(HEX(${value}))`, isFree: true }],
}

function productOf({ isMariadb }: MysqlSide): string {
  return isMariadb ? 'mariadb' : 'mysql'
}

function decimalForms(value: string, own: LogicalType | null): Forms {
  const trimmed = { id: 'decimal', sql: trimmedDecimal(value, own) }
  if (own?.kind !== 'decimal' || own.precision === undefined) return [trimmed]
  return [{ id: `decimal:${own.scale ?? 0}`, sql: value }, trimmed]
}

/** Without zeros at the end. */
function trimmedDecimal(value: string, own: LogicalType | null): string {
  if (own?.kind !== 'decimal' || (own.precision !== undefined && (own.scale ?? 0) === 0)) return value
  return withoutEndZeros(value)
}

/** Trimmed as bytes: under a character set of several bytes, every character before the end is looked at. */
function withoutEndZeros(value: string): string {
  return `TRIM(TRAILING _binary'.' FROM TRIM(TRAILING _binary'0' FROM ${value}))`
}

/** As many digits as the column keeps; trimmed, without the zeros at their end. */
function momentForms({ own, value, side }: MysqlValue): Forms {
  if (own === null || !('digits' in own)) return []
  const { digits } = own
  const trimmed = digits === 0 ? value : withoutEndZeros(value)
  return [
    stampForm(`mysql:timestamp:${digits}`, value, side),
    stampForm(`timestamp:${digits}:trimmed`, trimmed, side, value),
    stampForm(`timestamp:${digits}`, value, side),
  ]
}

/** @param tested the value that may be a date which no calendar knows */
function stampForm(id: string, text: string, { isSource }: MysqlSide, tested = text): ComparisonForm {
  if (!isSource) return { id, sql: text }
  return { id, sql: `IF(${isDate(tested)}, ${text}, NULL)`, isNull: `(${isDate(tested)}) IS NOT TRUE`, raw: text }
}

/** Null for a date with a year, month or day of zero: no calendar knows it, and the target has none. */
function stampText(value: string, { isSource }: MysqlSide): string {
  return isSource ? `IF(${isDate(value)}, ${value}, NULL)` : value
}

/** Days of a date without month or day are null, and the year 0 has 365 of them before its last day. */
function isDate(value: string): string {
  return `TO_DAYS(${value}) > 365`
}

function isMoment({ kind }: LogicalType): boolean {
  return kind === 'localTimestamp' || kind === 'instant'
}

function isStamp(type: LogicalType): boolean {
  return type.kind === 'date' || isMoment(type)
}

function flagText(value: string): string {
  return `CASE WHEN ${value} THEN 't' WHEN NOT ${value} THEN 'f' END`
}

/** In UTF-8, whatever the character set of the column is. */
function asText({ value, isUtf8 = false }: MysqlValue): string {
  return isUtf8 ? value : `CONVERT(${value} USING utf8mb4)`
}

/** Searched as bytes, which costs a fraction of what it does under a collation. */
function withoutNul(text: string): string {
  return `REPLACE(CAST(${text} AS BINARY), X'00', '')`
}
