/** Turns the filters of the explorer into an expression. Throws `badInput` for one that does not fit the table. */
import type { DataFilter } from '@tributary/contract/data'
import type { DataFilterOperator } from '@tributary/contract/limits'
import { type Expression, type Literal, parseLiteral } from '../../access/query/expression.ts'
import type { ColumnModel, TableModel, ValueKind } from '../../access/query/table-model.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import { instantOf } from '../../kernel/zoned-time.ts'
import { type CalendarPeriod, findPeriod, nextDay } from './calendar-periods.ts'

export interface FilterClock {
  readonly now: Date
  /** Decides which day it is, and at which instant a day begins. */
  readonly timeZone: string
}

/** Undefined without filters: all rows match. */
export function toExpression(
  table: TableModel,
  filters: readonly DataFilter[],
  clock: FilterClock,
): Expression | undefined {
  const conditions = filters.map((filter) => toCondition(requireColumn(table, filter.column), filter, clock))
  return conditions.length > 1 ? { type: 'and', operands: conditions } : conditions[0]
}

function requireColumn({ columns }: TableModel, name: string): ColumnModel {
  const column = columns.find((one) => one.name === name)
  if (column === undefined) throw badField('filters', `name the column “${name}”, which the table does not have`)
  return column
}

const dated: readonly ValueKind[] = ['date', 'localTimestamp', 'instant']
const written: readonly ValueKind[] = ['text', 'json', 'other']
const ordered: readonly ValueKind[] = ['integer', 'decimal', 'double', 'time', ...dated]
const listed: readonly ValueKind[] = [...written, 'integer', 'decimal', 'double', 'boolean', 'guid', 'date', 'time']
const everything: readonly ValueKind[] = [...listed, 'localTimestamp', 'instant', 'bytes']

const kindsOf: Readonly<Record<DataFilterOperator, readonly ValueKind[]>> = {
  contains: written,
  startsWith: written,
  oneOf: listed,
  noneOf: listed,
  between: ordered,
  empty: everything,
  notEmpty: everything,
  today: dated,
  thisMonth: dated,
  lastMonth: dated,
  thisYear: dated,
  lastYear: dated,
}

function toCondition(column: ColumnModel, { operator, values = [] }: DataFilter, clock: FilterClock): Expression {
  if (!kindsOf[operator].includes(column.kind))
    throw badField('filters', `use ${operator} for “${column.name}”, whose type ${column.sqlType} does not have it`)
  const left: Expression = { type: 'column', name: column.name }
  switch (operator) {
    case 'contains':
    case 'startsWith':
      return matchText(column, operator, requireValue(column, values[0]))
    case 'oneOf':
      return anyOf(column, values)
    case 'noneOf':
      return { type: 'not', operand: anyOf(column, values) }
    case 'between':
      return between(column, values, clock)
    case 'empty':
      return isEmpty(column)
    case 'notEmpty':
      return column.kind === 'text'
        ? { type: 'compare', operator: 'gt', left, right: textLiteral('') }
        : { type: 'compare', operator: 'ne', left, right: { type: 'null' } }
    default:
      return within(column, findPeriod(operator, clock), clock)
  }
}

function requireValue({ name }: ColumnModel, value: string | undefined): string {
  if (value === undefined || value === '') throw badField('filters', `need a value for “${name}”`)
  return value
}

/** Whatever the capitals. */
function matchText({ name }: ColumnModel, operator: 'contains' | 'startsWith', value: string): Expression {
  const lower = (operand: Expression): Expression => ({ type: 'call', name: 'tolower', operands: [operand] })
  const operands = [lower({ type: 'column', name }), lower(textLiteral(value))]
  return { type: 'call', name: operator === 'contains' ? 'contains' : 'startswith', operands }
}

function textLiteral(value: string): Literal {
  return { type: 'literal', kind: 'text', value }
}

function anyOf(column: ColumnModel, values: readonly string[]): Expression {
  if (values.length === 0) throw badField('filters', `need a value for “${column.name}”`)
  return {
    type: 'in',
    operand: { type: 'column', name: column.name },
    values: values.map((value) => literalOf(column, value)),
  }
}

/** Text is empty if it is null or has no characters. */
function isEmpty({ name, kind }: ColumnModel): Expression {
  const left: Expression = { type: 'column', name }
  const isNull: Expression = { type: 'compare', operator: 'eq', left, right: { type: 'null' } }
  if (kind !== 'text') return isNull
  return { type: 'or', operands: [isNull, { type: 'compare', operator: 'eq', left, right: textLiteral('') }] }
}

function between(column: ColumnModel, [from = '', to = '']: readonly string[], clock: FilterClock): Expression {
  if (from === '' && to === '') throw badField('filters', `need a value for “${column.name}”`)
  if (dated.includes(column.kind)) {
    for (const day of [from, to]) if (day !== '') requireDay(column, day)
    return within(column, { from, to }, clock)
  }
  return range(column, from === '' ? null : literalOf(column, from), to === '' ? null : literalOf(column, to))
}

function requireDay({ name }: ColumnModel, value: string): void {
  if (parseLiteral('date', value) === null)
    throw badField('filters', `need a date such as 2026-01-31 for “${name}”, and have “${shortened(value)}”`)
}

/** From the first day to the last, both included; an empty day sets no limit. */
function within(column: ColumnModel, { from, to }: CalendarPeriod, clock: FilterClock): Expression {
  const begin = from === '' ? null : startOfDay(column, from, clock)
  if (column.kind === 'date') return range(column, begin, to === '' ? null : startOfDay(column, to, clock))
  const after = to === '' ? undefined : nextDay(to)
  return range(column, begin, after === undefined ? null : startOfDay(column, after, clock), 'lt')
}

function startOfDay({ kind }: ColumnModel, day: string, { timeZone }: FilterClock): Literal {
  if (kind === 'date') return { type: 'literal', kind, value: day }
  if (kind === 'localTimestamp') return { type: 'literal', kind, value: `${day}T00:00` }
  const at = instantOf(Date.parse(`${day}T00:00Z`), timeZone)
  return { type: 'literal', kind: 'instant', value: new Date(at).toISOString() }
}

function range({ name }: ColumnModel, from: Literal | null, to: Literal | null, upper: 'le' | 'lt' = 'le'): Expression {
  const left: Expression = { type: 'column', name }
  const limits: Expression[] = [
    ...(from === null ? [] : [{ type: 'compare' as const, operator: 'ge' as const, left, right: from }]),
    ...(to === null ? [] : [{ type: 'compare' as const, operator: upper, left, right: to }]),
  ]
  return { type: 'and', operands: limits }
}

const words: Readonly<Partial<Record<ValueKind, string>>> = {
  integer: 'a whole number',
  decimal: 'a number',
  double: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 06:00',
  guid: 'an id (a UUID)',
}

function literalOf({ name, kind }: ColumnModel, value: string): Literal {
  // A whole number may be compared with 1.5.
  const as = kind === 'json' || kind === 'other' ? 'text' : kind === 'integer' ? 'decimal' : kind
  const literal = parseLiteral(as, value)
  if (literal !== null) return literal
  throw badField('filters', `need ${words[kind] ?? 'another value'} for “${name}”, and have “${shortened(value)}”`)
}

function shortened(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40).toWellFormed()}…` : value
}
