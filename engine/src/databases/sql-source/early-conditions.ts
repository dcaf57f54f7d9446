/**
 * Conditions that a database applies before rows are sent. Each leaves out only rows that the condition leaves out for certain, whatever the
 * collation, padding or time zone of a column: the rest is decided after the rows have arrived, in the same way for every source.
 */
import type { LogicalType } from '../../ports/model.ts'
import type { RowCondition, RowOperator } from '../../ports/table-rules.ts'

/** How a database writes comparisons. */
export interface EarlyWords<Column> {
  readonly columns: readonly Column[]
  describe(column: Column): { readonly name: string; readonly type: LogicalType }
  /** Expression of the column's value. */
  value(column: Column): string
  /** A number; null if the column cannot be compared with this one. */
  number(column: Column, text: string): string | null
  /** A date. */
  day(text: string): string
  /** A text to be compared for equality; null if the column cannot be compared with one. */
  text(column: Column, text: string): string | null
}

/** Joins conditions with AND; null without any. */
export function allOf(conditions: readonly (string | null)[]): string | null {
  const parts = conditions.filter((condition) => condition !== null)
  if (parts.length < 2) return parts[0] ?? null
  return parts.map((part) => `(${part})`).join(' AND ')
}

/** A WHERE clause with a blank before it, or nothing. */
export function whereAll(conditions: readonly (string | null)[]): string {
  const condition = allOf(conditions)
  return condition === null ? '' : ` WHERE ${condition}`
}

const symbols: { readonly [operator in RowOperator]?: string } = {
  isLess: '<',
  isAtMost: '<=',
  isGreater: '>',
  isAtLeast: '>=',
}

/** A decimal as every database reads it. */
export function plainNumber(text: string): string | null {
  return /^-?\d{1,18}(?:\.\d{1,18})?$/u.test(text) ? text : null
}

const dayForm = /^\d{4}-\d\d-\d\d/u
const dayMs = 86_400_000

/** Null if the database can leave out nothing. */
export function earlyCondition<Column>(
  conditions: readonly RowCondition[] | undefined,
  words: EarlyWords<Column>,
): string | null {
  const parts = (conditions ?? []).flatMap((condition) => {
    const column = words.columns.find((each) => words.describe(each).name === condition.column)
    return column === undefined ? [] : (conditionOf(column, condition, words) ?? [])
  })
  return allOf(parts)
}

function conditionOf<Column>(column: Column, condition: RowCondition, words: EarlyWords<Column>): string | null {
  const { operator, values } = condition
  const { type } = words.describe(column)
  const value = words.value(column)
  if (operator === 'isNotEmpty') return `${value} IS NOT NULL`
  switch (type.kind) {
    case 'integer':
    case 'decimal':
      return compareNumbers(
        value,
        operator,
        values.map((text) => words.number(column, text)),
      )
    case 'date':
    case 'localTimestamp':
    case 'instant':
      return values.every(isSafeDay) ? compareDays({ value, isDay: type.kind === 'date' }, condition, words) : null
    case 'text':
      return operator === 'is' || operator === 'isOneOf'
        ? equalsOne(
            value,
            values.map((text) => words.text(column, text)),
          )
        : null
    default:
      return null
  }
}

function compareNumbers(value: string, operator: RowOperator, values: readonly (string | null)[]): string | null {
  const { [operator]: symbol } = symbols
  if (values.includes(null)) return null
  if (symbol !== undefined) return `${value} ${symbol} ${values[0]}`
  if (operator === 'is' || operator === 'isOneOf') return equalsOne(value, values)
  return null
}

function equalsOne(value: string, literals: readonly (string | null)[]): string | null {
  return literals.length === 0 || literals.includes(null) ? null : `${value} IN (${literals.join(', ')})`
}

/** Within what every type of date of every database can store. */
function isSafeDay(text: string): boolean {
  const year = Number(text.slice(0, 4))
  return dayForm.test(text) && year > 1900 && year < 2079
}

interface ComparedDay {
  readonly value: string
  /** The column has no time. */
  readonly isDay: boolean
}

/** Times are compared by their days, because databases round them differently. */
function compareDays<Column>(
  { value, isDay }: ComparedDay,
  { operator, values }: RowCondition,
  { day }: EarlyWords<Column>,
): string | null {
  const [first = ''] = values
  const date = first.slice(0, 10)
  switch (operator) {
    case 'is':
    case 'isOneOf':
      return isDay ? equalsOne(value, values.map(day)) : null
    case 'isLess':
    case 'isAtMost':
      return `${value} < ${day(nextDay(date))}`
    case 'isGreater':
    case 'isAtLeast':
      return `${value} >= ${day(date)}`
    default:
      return null
  }
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}
