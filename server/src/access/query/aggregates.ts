/** Groups rows: the columns of the groups, and aggregates of the rows in each. */
import { quote } from '@tributary/engine/databases/postgres/types'
import { compileValue, sqlTypes } from './compile-expression.ts'
import { type Expression, ExpressionError } from './expression.ts'
import { kindGroups, type TypedSql } from './functions.ts'
import { type Relation, whereSql } from './relation.ts'
import { joinSql, sql } from './sql-text.ts'
import type { ColumnModel, ValueKind } from './table-model.ts'

type AggregateMethod = 'sum' | 'average' | 'min' | 'max' | 'countdistinct' | 'count'

/** `count` counts rows and has no expression. */
export interface AggregateColumn {
  readonly name: string
  readonly method: AggregateMethod
  readonly expression?: Expression
}

interface Grouping {
  readonly by: readonly string[]
  readonly aggregates: readonly AggregateColumn[]
}

/** Rows with null in a column of the group form a group. Without columns there is one row. */
export function groupRelation({ from, columns, conditions }: Relation, { by, aggregates }: Grouping): Relation {
  const grouped = by.map((name) => {
    const column = columns.find((candidate) => candidate.name === name)
    if (column === undefined) throw new ExpressionError(`There is no column “${name}” here.`)
    return column
  })
  const computed = aggregates.map((aggregate) => ({ aggregate, ...aggregateSql(columns, aggregate) }))
  requireDistinct([...by, ...aggregates.map(({ name }) => name)])
  const groups = grouped.map((column) => [groupText(column)])
  const outputs = [
    ...grouped.map((column) => [`${groupText(column)} AS ${quote(column.name)}`]),
    ...computed.map(({ aggregate, sql: text }) => sql`${text} AS ${quote(aggregate.name)}`),
  ]
  const groupBy = groups.length === 0 ? [] : sql` GROUP BY ${joinSql(groups, ', ')}`
  return {
    from: sql`(SELECT ${joinSql(outputs, ', ')} FROM ${from}${whereSql(conditions)}${groupBy}) AS t`,
    columns: [
      ...grouped.map((column) => (isText(column) ? { ...column, kind: 'text' as const, sqlType: 'text' } : column)),
      ...computed.map(({ aggregate, kind }) => toColumn(aggregate.name, kind)),
    ],
    conditions: [],
    key: by,
    hasPlace: false,
  }
}

/** Types without an equality, such as json, are grouped by their text. */
function groupText(column: ColumnModel): string {
  return `t.${quote(column.name)}${isText(column) ? '::text' : ''}`
}

function isText({ kind }: ColumnModel): boolean {
  return kind === 'json' || kind === 'other'
}

function toColumn(name: string, kind: ValueKind): ColumnModel {
  return { name, kind, sqlType: sqlTypes[kind], nullable: true, description: null }
}

function requireDistinct(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new ExpressionError(`“${twice}” is there twice. Give each result another name.`)
}

function aggregateSql(columns: readonly ColumnModel[], { method, expression }: AggregateColumn): TypedSql {
  if (expression === undefined || method === 'count') return { kind: 'integer', sql: ['count(*)'] }
  const value = compileValue({ columns, qualifier: 't.' }, expression)
  if (method === 'countdistinct') return { kind: 'integer', sql: sql`count(DISTINCT ${value.sql})` }
  return method === 'sum' || method === 'average'
    ? numberAggregate(method, value, expression.at)
    : extreme(method, value, expression.at)
}

/** Exact unless the values are doubles: a sum of integers does not overflow, and no digit is lost. */
function numberAggregate(method: 'sum' | 'average', { kind, sql: text }: TypedSql, at: number | undefined): TypedSql {
  if (!kindGroups.number.kinds.includes(kind))
    throw new ExpressionError(`${method} needs numbers. Use min, max or countdistinct for other columns.`, at)
  const name = method === 'sum' ? 'sum' : 'avg'
  return kind === 'double'
    ? { kind, sql: sql`${name}(${text})` }
    : { kind: 'decimal', sql: sql`${name}(${text}::numeric)` }
}

const unordered: readonly ValueKind[] = ['boolean', 'guid', 'bytes']

function extreme(method: 'min' | 'max', { kind, sql: text }: TypedSql, at: number | undefined): TypedSql {
  if (unordered.includes(kind))
    throw new ExpressionError(`${method} needs numbers, text, dates or times. Use countdistinct for this column.`, at)
  return { kind, sql: sql`${method}(${text})` }
}
