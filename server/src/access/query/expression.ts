/**
 * The expressions of filters and orders. A caller builds them from its own syntax; `compile-expression.ts` checks them
 * against a table and translates them to SQL.
 */
import type { ValueKind } from './table-model.ts'

type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'
type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'

export const functionNames = [
  'ceiling',
  'concat',
  'contains',
  'date',
  'day',
  'endswith',
  'floor',
  'fractionalseconds',
  'hour',
  'indexof',
  'length',
  'maxdatetime',
  'mindatetime',
  'minute',
  'month',
  'now',
  'round',
  'second',
  'startswith',
  'substring',
  'time',
  'tolower',
  'toupper',
  'trim',
  'year',
] as const
export type FunctionName = (typeof functionNames)[number]

/** `at`: where the caller's text has the expression, for the error. */
export type Expression = { readonly at?: number | undefined } & ExpressionNode

type ExpressionNode =
  | { readonly type: 'column'; readonly name: string }
  | Literal
  | { readonly type: 'null' }
  | {
      readonly type: 'compare'
      readonly operator: ComparisonOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly type: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly type: 'not' | 'negate'; readonly operand: Expression }
  | { readonly type: 'in'; readonly operand: Expression; readonly values: readonly Expression[] }
  | {
      readonly type: 'arithmetic'
      readonly operator: ArithmeticOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly type: 'call'; readonly name: FunctionName; readonly operands: readonly Expression[] }
  /** True if any text column contains the phrase, in upper or lower case. */
  | { readonly type: 'search'; readonly phrase: string }

export interface Literal {
  readonly type: 'literal'
  readonly kind: Exclude<ValueKind, 'json' | 'other'>
  /** In the canonical text of the kind; see `LogicalType`. Use `parseLiteral`. */
  readonly value: string
}

/** An expression that does not fit the table. The message is a sentence for the person who wrote it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  readonly at: number | undefined

  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }
}

const patterns: Readonly<Partial<Record<Literal['kind'], RegExp>>> = {
  integer: /^[+-]?\d{1,40}$/,
  decimal: /^[+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:[eE][+-]?\d{1,2})?$/,
  double: /^(?:[+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:[eE][+-]?\d{1,2})?|NaN|-?Infinity)$/,
  boolean: /^(?:true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?$/,
  localTimestamp: /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?$/,
  instant:
    /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i,
  guid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  bytes: /^\\x(?:[0-9a-f]{2})*$/i,
}

/** Returns the literal, or null if the text is not a value of the kind. PostgreSQL accepts every literal that it returns. */
export function parseLiteral(kind: Literal['kind'], text: string): Literal | null {
  if (text.includes('\0') || !text.isWellFormed()) return null
  if (patterns[kind]?.test(text) === false) return null
  if (['date', 'localTimestamp', 'instant'].includes(kind) && !isCalendarDate(text.slice(0, 10))) return null
  return { type: 'literal', kind, value: text }
}

function isCalendarDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const lastDay = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return year >= 1 && lastDay !== undefined && day >= 1 && day <= lastDay
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
