/**
 * The rows of a query as JSON, written by PostgreSQL: text in UTF-8, dates and times as ISO 8601 in UTC, GUIDs in lower case, binary data as
 * base64url. A decimal is never a double on its way: it is a number with all its digits, or text. The session's time zone must
 * be UTC.
 */
import { quote } from '@tributary/engine/databases/postgres/types'
import { joinSql, sql, type SqlText } from './sql-text.ts'
import type { ColumnModel } from './table-model.ts'
import { compileQuery, type CompiledQuery, type TableQuery } from './table-query.ts'

export interface JsonFormat {
  /** 64-bit integers and decimals, which JavaScript and others would round as numbers. */
  readonly exactNumbers: 'number' | 'text'
  /** Default: the columns of the query under their names. */
  readonly properties?: ((columns: readonly ColumnModel[]) => readonly JsonProperty[]) | undefined
}

type JsonProperty =
  | { readonly name: string; readonly column: ColumnModel }
  /** The same text in each row. */
  | { readonly name: string; readonly text: string }
  /** For rows without a key: the physical place of a table's row, or a hash of a view's row. */
  | { readonly name: string; readonly identifies: 'row' }

export interface JsonQuery {
  readonly compiled: CompiledQuery
  /** One row for each row: its JSON, and then the values of its position as text. */
  readonly statement: SqlText
}

export function compileJson(query: TableQuery, { exactNumbers, properties }: JsonFormat): JsonQuery {
  const compiled = compileQuery(query)
  const { columns, from, where, page, position } = compiled
  const listed = properties?.(columns) ?? columns.map((column) => ({ name: column.name, column }))
  const values = listed.map(
    (property) => sql`${propertySql(property, compiled, exactNumbers)} AS ${quote(property.name)}`,
  )
  const outputs = [['row_to_json(r)'], ...position.map(({ sql: text }) => sql`${text}::text`)]
  const statement = sql`SELECT ${joinSql(outputs, ', ')} FROM ${from} CROSS JOIN LATERAL (SELECT ${joinSql(values, ', ')}) AS r${where}${page}`
  return { compiled, statement }
}

function propertySql(
  property: JsonProperty,
  { hasPlace }: CompiledQuery,
  exactNumbers: JsonFormat['exactNumbers'],
): SqlText {
  if ('text' in property) return [{ value: property.text, type: 'text' }]
  if ('column' in property) return [jsonValue(property.column, exactNumbers)]
  return [hasPlace ? 't.ctid::text' : 'md5(t::text)']
}

function jsonValue({ name, kind, sqlType }: ColumnModel, exactNumbers: JsonFormat['exactNumbers']): string {
  const column = `t.${quote(name)}`
  switch (kind) {
    case 'integer':
    case 'decimal':
      return exactNumbers === 'text' ? exactText(column, sqlType) : jsonNumber(column, sqlType)
    case 'double':
      return numberOrInfinity(column)
    case 'date':
      return clamp(column, `'${firstDay}'::date`, `'${lastDay}'::date`)
    case 'time':
      return `CASE WHEN ${column} > '${lastTime}' THEN '${lastTime}'::time ELSE ${column} END`
    case 'localTimestamp':
      return clamp(`(${column} AT TIME ZONE 'UTC')`, firstInstant, lastInstant)
    case 'instant':
      return clamp(column, firstInstant, lastInstant)
    case 'bytes':
      return `rtrim(translate(encode(${column}, 'base64'), E'+/\\n', '-_'), '=')`
    case 'json':
    case 'other':
      return `${column}::text`
    default:
      return column
  }
}

/** 16 and 32-bit integers stay numbers: a double holds them exactly. */
function exactText(column: string, sqlType: string): string {
  if (sqlType === 'smallint' || sqlType === 'integer') return column
  return sqlType === 'bigint' ? `${column}::text` : `replace(${column}::text, 'Infinity', 'INF')`
}

/** Only a numeric without a precision can be infinite. */
function jsonNumber(column: string, sqlType: string): string {
  return sqlType === 'numeric' ? numberOrInfinity(column) : column
}

/** JSON has no infinite numbers. NaN is text already. */
function numberOrInfinity(column: string): string {
  const infinite = (sign: string) => `WHEN ${column} = '${sign}Infinity' THEN to_json('${sign}INF'::text)`
  return `CASE ${infinite('')} ${infinite('-')} ELSE to_json(${column}) END`
}

/** JSON has no infinite dates, no years before 1, and no 24:00: they become the ends of the calendar and of the day. */
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']
const lastTime = '23:59:59.999999'
const firstInstant = `'${firstDay} 00:00:00+00'::timestamptz`
const lastInstant = `'${lastDay} ${lastTime}+00'::timestamptz`

function clamp(value: string, first: string, last: string): string {
  return `CASE WHEN ${value} < ${first} THEN ${first} WHEN ${value} > ${last} THEN ${last} ELSE ${value} END`
}
