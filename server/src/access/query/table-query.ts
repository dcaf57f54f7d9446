/**
 * Queries on one table or view: filter, grouping, order, page. The explorer, OData and the assistants build them; this file translates them
 * to SQL. A query that does not fit its table throws `ExpressionError`.
 */
import { quote } from '@tributary/engine/databases/postgres/types'
import { type AggregateColumn, groupRelation } from './aggregates.ts'
import { compileCondition, compileValue, sqlTypes } from './compile-expression.ts'
import { type Expression, ExpressionError } from './expression.ts'
import { afterSql, orderSql, type PositionTerm, type RowPosition } from './row-position.ts'
import { type Relation, rowsOf, whereSql } from './relation.ts'
import { joinSql, sql, type SqlText } from './sql-text.ts'
import type { ColumnModel, TableModel } from './table-model.ts'

export interface TableQuery {
  readonly table: TableModel
  /** Applied one after the other, before filter, order and page. */
  readonly steps?: readonly QueryStep[]
  readonly filter?: Expression | undefined
  /** Names of columns; default: all. */
  readonly select?: readonly string[] | undefined
  readonly orderBy?: readonly OrderTerm[]
  readonly after?: RowPosition | undefined
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

export type QueryStep =
  | { readonly type: 'filter'; readonly condition: Expression }
  | { readonly type: 'group'; readonly by: readonly string[]; readonly aggregates: readonly AggregateColumn[] }

export interface OrderTerm {
  readonly expression: Expression
  readonly descending?: boolean
  /** Default: as OData has it, before all values ascending and after all values descending. */
  readonly nulls?: 'first' | 'last'
}

export interface CompiledQuery {
  /** The columns of the rows, in their order. */
  readonly columns: readonly ColumnModel[]
  readonly from: SqlText
  /** Empty, or from `WHERE` on. */
  readonly where: SqlText
  /** Empty, or from `ORDER BY` to `LIMIT`. */
  readonly page: SqlText
  /** The terms of the order. Empty: the rows have no order that a page could continue. */
  readonly position: readonly PositionTerm[]
  /** The rows continue by their physical place; see `row-position.ts`. */
  readonly hasPlace: boolean
}

const qualifier = 't.'

export function compileQuery(query: TableQuery): CompiledQuery {
  const relation = relationOf(query)
  const order = orderTerms(relation, query.orderBy ?? [])
  const position = positionTerms(relation, order)
  const { after } = query
  if (after !== undefined && after.length !== position.length)
    throw new ExpressionError('The page does not belong to this query. Start again without it.')
  const conditions = after === undefined ? relation.conditions : [...relation.conditions, afterSql(order, after)]
  const page = [
    ...(order.length === 0 ? [] : sql` ORDER BY ${orderSql(order)}`),
    ...(query.limit === undefined ? [] : [` LIMIT ${wholeNumber(query.limit)}`]),
    ...(query.offset === undefined ? [] : [` OFFSET ${wholeNumber(query.offset)}`]),
  ]
  const columns = selected(relation.columns, query.select)
  return { columns, from: relation.from, where: whereSql(conditions), page, position, hasPlace: relation.hasPlace }
}

/** The number of rows of a query without its page. */
export function compileCount(query: TableQuery): SqlText {
  const { from, conditions } = relationOf(query)
  return sql`SELECT count(*)::text AS rows FROM ${from}${whereSql(conditions)}`
}

/** The statement in words that a person can read, copy and run. Render it with `withLiterals`. */
export function readableSql(query: TableQuery): SqlText {
  const { columns, from, where, page } = compileQuery(query)
  const names = joinSql(
    columns.map(({ name }) => [`t.${quote(name)}`]),
    ', ',
  )
  return sql`SELECT ${names}\nFROM ${from}${where.length === 0 ? [] : ['\n', ...where]}${page.length === 0 ? [] : ['\n', ...page]}`
}

/** The columns that a query returns, without translating it. */
export function columnsOf({ table, steps = [] }: Pick<TableQuery, 'table' | 'steps'>): readonly ColumnModel[] {
  return relationOf({ table, steps }).columns
}

function relationOf({ table, steps = [], filter }: TableQuery): Relation {
  const start: Relation = {
    from: sql`${rowsOf(table)} AS t`,
    columns: table.columns,
    conditions: [],
    key: table.key,
    hasPlace: table.kind === 'table' && table.key.length === 0,
  }
  const stepped = steps.reduce<Relation>(
    (relation, step) =>
      step.type === 'group' ? groupRelation(relation, step) : withCondition(relation, step.condition),
    start,
  )
  return filter === undefined ? stepped : withCondition(stepped, filter)
}

function withCondition(relation: Relation, condition: Expression): Relation {
  const compiled = compileCondition({ columns: relation.columns, qualifier }, condition)
  return { ...relation, conditions: [...relation.conditions, compiled] }
}

function selected(columns: readonly ColumnModel[], names: readonly string[] | undefined): readonly ColumnModel[] {
  if (names === undefined) return columns
  return names.map((name) => {
    const column = columns.find((candidate) => candidate.name === name)
    if (column === undefined) throw new ExpressionError(`There is no column “${name}” here.`)
    return column
  })
}

function orderTerms({ columns, key, hasPlace }: Relation, orderBy: readonly OrderTerm[]): readonly PositionTerm[] {
  const asked = orderBy.map((term) => askedTerm(columns, term))
  if (hasPlace) return [...asked, placeTerm('ctid', 'tid')]
  const ordered = new Set(orderBy.flatMap(({ expression }) => (expression.type === 'column' ? [expression.name] : [])))
  return [...asked, ...key.filter((name) => !ordered.has(name)).map((name) => keyTerm(columns, name))]
}

/** Rows are ordered by their place; the transaction that wrote a row there identifies it. Empty for rows without key and place. */
function positionTerms({ key, hasPlace }: Relation, order: readonly PositionTerm[]): readonly PositionTerm[] {
  if (hasPlace) return [...order, placeTerm('xmin', 'xid')]
  return key.length === 0 ? [] : order
}

function askedTerm(
  columns: readonly ColumnModel[],
  { expression, descending = false, nulls }: OrderTerm,
): PositionTerm {
  const { sql: text, kind } = compileValue({ columns, qualifier }, expression)
  const column = expression.type === 'column' ? columns.find(({ name }) => name === expression.name) : undefined
  const isStoredType = column !== undefined && column.kind === kind
  return {
    sql: text,
    sqlType: isStoredType ? column.sqlType : sqlTypes[kind],
    descending,
    nulls: column?.nullable === false ? 'never' : (nulls ?? (descending ? 'last' : 'first')),
  }
}

/** In the column's stored type, so that the index of the key serves. */
function keyTerm(columns: readonly ColumnModel[], name: string): PositionTerm {
  const column = columns.find((candidate) => candidate.name === name)
  const isNullable = column?.nullable ?? true
  return {
    sql: [`t.${quote(name)}`],
    sqlType: column?.sqlType ?? 'text',
    descending: false,
    nulls: isNullable ? 'first' : 'never',
  }
}

function placeTerm(name: 'ctid' | 'xmin', sqlType: string): PositionTerm {
  return { sql: [`t.${name}`], sqlType, descending: false, nulls: 'never' }
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is not a number of rows.`)
  return String(value)
}
