/** Checks expressions against the columns of a table and translates them to SQL. */
import { quote } from '@tributary/engine/databases/postgres/types'
import { type Expression, ExpressionError } from './expression.ts'
import { type KindGroup, kindGroups, queryFunctions, type TypedSql } from './functions.ts'
import { joinSql, sql, type SqlText } from './sql-text.ts'
import type { ColumnModel, ValueKind } from './table-model.ts'

export interface ExpressionScope {
  readonly columns: readonly ColumnModel[]
  /** In front of the name of a column: `t.`, or empty. */
  readonly qualifier: string
}

/** Throws `ExpressionError` unless the expression is a condition. Rows for which it is null do not match. */
export function compileCondition(scope: ExpressionScope, expression: Expression): SqlText {
  return condition(scope, expression, 'rows')
}

/** Throws `ExpressionError` for a column that does not exist, or kinds that do not fit. */
export function compileValue(scope: ExpressionScope, expression: Expression): TypedSql {
  switch (expression.type) {
    case 'column':
      return column(scope, expression.name, expression.at)
    case 'literal':
      return { kind: expression.kind, sql: [{ value: expression.value, type: literalType(expression) }] }
    case 'null':
      throw new ExpressionError('null can only be compared with eq, ne and in.', expression.at)
    case 'negate': {
      const operand = ofGroup(scope, expression.operand, 'number')
      return { kind: operand.kind, sql: sql`(- ${operand.sql})` }
    }
    case 'arithmetic':
      return arithmetic(scope, expression)
    case 'call':
      return call(scope, expression)
    default:
      return { kind: 'boolean', sql: condition(scope, expression, 'value') }
  }
}

/** The SQL types of values of a kind. */
export const sqlTypes: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  localTimestamp: 'timestamp',
  instant: 'timestamptz',
  guid: 'uuid',
  json: 'text',
  bytes: 'bytea',
  other: 'text',
}

/**
 * What a comparison with null is. `rows`: only rows for which the condition is true matter, so it may be null, which lets
 * PostgreSQL use an index. `value`: it must be false, because it is negated or compared.
 */
type NullMode = 'rows' | 'value'

function condition(scope: ExpressionScope, expression: Expression, mode: NullMode): SqlText {
  switch (expression.type) {
    case 'and':
    case 'or': {
      const operands = expression.operands.map((operand) => condition(scope, operand, mode))
      return sql`(${joinSql(operands, ` ${expression.type.toUpperCase()} `)})`
    }
    case 'not':
      return sql`(NOT ${condition(scope, expression.operand, 'value')})`
    case 'compare':
      return comparison(scope, expression, mode)
    case 'in':
      return membership(scope, expression, mode)
    case 'search':
      return search(scope, expression.phrase)
    default: {
      const { kind, sql: text } = compileValue(scope, expression)
      if (kind !== 'boolean')
        throw new ExpressionError(
          `A condition is needed here, such as a comparison; this is ${describe(kind)}.`,
          expression.at,
        )
      return text
    }
  }
}

const operators = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function comparison(
  scope: ExpressionScope,
  expression: Extract<Expression, { type: 'compare' }>,
  mode: NullMode,
): SqlText {
  const { operator, left, right } = expression
  if (left.type === 'null' || right.type === 'null') return nullComparison(scope, expression)
  const [a, b] = sameClock(operandOf(scope, left), operandOf(scope, right))
  requireComparable(a.kind, b.kind, right.at ?? expression.at)
  if (operator === 'ne') return sql`(${a.sql} IS DISTINCT FROM ${b.sql})`
  if (operator !== 'eq') {
    requireOrdered(a.kind, expression.at)
    const text = sql`(${a.sql} ${operators[operator]} ${b.sql})`
    return mode === 'rows' ? text : sql`coalesce(${text}, false)`
  }
  const isPlain = mode === 'rows' && (left.type === 'literal' || right.type === 'literal')
  return isPlain ? sql`(${a.sql} = ${b.sql})` : sql`(${a.sql} IS NOT DISTINCT FROM ${b.sql})`
}

interface Operand extends TypedSql {
  readonly isLiteral: boolean
}

function operandOf(scope: ExpressionScope, expression: Expression): Operand {
  return { ...compileValue(scope, expression), isLiteral: expression.type === 'literal' }
}

/**
 * Dates and local time stamps count as UTC when they are compared with an instant, whatever the session's time zone. A
 * literal is converted rather than a column, whose index would not be used.
 */
function sameClock(a: Operand, b: Operand): readonly [TypedSql, TypedSql] {
  const isMixed = isDated(a) && isDated(b) && (a.kind === 'instant') !== (b.kind === 'instant')
  if (!isMixed) return [a, b]
  const instant = a.kind === 'instant' ? a : b
  const converted = (operand: Operand): TypedSql => {
    if (instant.isLiteral)
      return operand === instant ? { kind: 'localTimestamp', sql: sql`(${operand.sql} AT TIME ZONE 'UTC')` } : operand
    return operand === instant ? operand : { kind: 'instant', sql: sql`(${operand.sql}::timestamp AT TIME ZONE 'UTC')` }
  }
  return [converted(a), converted(b)]
}

function isDated({ kind }: TypedSql): boolean {
  return kindGroups.dateOrTimestamp.kinds.includes(kind)
}

function nullComparison(scope: ExpressionScope, expression: Extract<Expression, { type: 'compare' }>): SqlText {
  const { operator, left, right } = expression
  if (left.type === 'null' && right.type === 'null') return [operator === 'eq' ? 'true' : 'false']
  const { sql: text } = compileValue(scope, left.type === 'null' ? right : left)
  if (operator === 'eq') return sql`(${text} IS NULL)`
  return operator === 'ne' ? sql`(${text} IS NOT NULL)` : ['false']
}

function membership(scope: ExpressionScope, expression: Extract<Expression, { type: 'in' }>, mode: NullMode): SqlText {
  const { operand, values } = expression
  const { sql: text, kind } = compileValue(scope, operand)
  const isListed = (value: Expression) => value.type === 'literal' && literalKinds(kind).includes(value.kind)
  const literals = values.filter((value) => value.type === 'literal' && isListed(value)) as readonly LiteralExpression[]
  const others = values.filter((value) => !isListed(value))
  const types = new Set(literals.map(literalType))
  const lists = [...types].map((type): SqlText => {
    const elements = literals.filter((value) => literalType(value) === type).map(({ value }) => arrayElement(value))
    return sql`${text} = ANY (${{ value: `{${elements.join(',')}}`, type: `${type}[]` }})`
  })
  const single = others.map((value) =>
    comparison(scope, { type: 'compare', operator: 'eq', left: operand, right: value, at: value.at }, mode),
  )
  if (lists.length + single.length === 0) return ['false']
  const found = sql`(${joinSql([...lists, ...single], ' OR ')})`
  return mode === 'rows' ? found : sql`coalesce(${found}, false)`
}

type LiteralExpression = Extract<Expression, { type: 'literal' }>

/** The kinds of literals that are compared with a kind in one list. The others are compared one by one. */
function literalKinds(kind: ValueKind): readonly ValueKind[] {
  const { kinds } = kindGroups.number
  return kinds.includes(kind) ? kinds : [kind]
}

function arrayElement(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

function search({ columns, qualifier }: ExpressionScope, phrase: string): SqlText {
  const pattern = { value: `%${phrase.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`, type: 'text' }
  const texts = columns.filter(({ kind }) => kind === 'text')
  if (texts.length === 0) return ['false']
  return sql`(${joinSql(
    texts.map(({ name }) => sql`coalesce(${qualifier}${quote(name)} ILIKE ${pattern}, false)`),
    ' OR ',
  )})`
}

function column({ columns, qualifier }: ExpressionScope, name: string, at: number | undefined): TypedSql {
  const found = columns.find((candidate) => candidate.name === name)
  if (found === undefined) throw new ExpressionError(`There is no column “${name}” here.`, at)
  const text = `${qualifier}${quote(name)}`
  const isText = found.kind === 'json' || found.kind === 'other'
  return isText ? { kind: 'text', sql: [`${text}::text`] } : { kind: found.kind, sql: [text] }
}

/** An integer that does not fit into 64 bits is compared as a decimal. A decimal as a double would lose digits. */
function literalType({ kind, value }: { readonly kind: ValueKind; readonly value: string }): string {
  if (kind !== 'integer') return sqlTypes[kind]
  const number = BigInt(value.replace('+', ''))
  return BigInt.asIntN(64, number) === number ? 'bigint' : 'numeric'
}

/** Computed as decimals: integers cannot overflow, and no digit is lost. With a double, as doubles. */
function arithmetic(scope: ExpressionScope, expression: Extract<Expression, { type: 'arithmetic' }>): TypedSql {
  const { operator } = expression
  const operands = [ofGroup(scope, expression.left, 'number'), ofGroup(scope, expression.right, 'number')] as const
  const isDouble = operands.some(({ kind }) => kind === 'double') && operator !== 'mod'
  const [a, b] = operands.map(({ sql: text }) => (isDouble ? sql`${text}::float8` : sql`${text}::numeric`))
  const areIntegers = operands.every(({ kind }) => kind === 'integer')
  const kind = isDouble ? 'double' : 'decimal'
  if (operator === 'div' && areIntegers) return { kind, sql: sql`div(${a ?? []}, ${b ?? []})` }
  return { kind, sql: sql`(${a ?? []} ${arithmeticSigns[operator]} ${b ?? []})` }
}

const arithmeticSigns = { add: '+', sub: '-', mul: '*', div: '/', divby: '/', mod: '%' } as const

function call(scope: ExpressionScope, { name, operands, at }: Extract<Expression, { type: 'call' }>): TypedSql {
  const { operands: groups, optional = 0, kind, sql: write } = queryFunctions[name]
  if (operands.length > groups.length || operands.length < groups.length - optional) {
    const wanted = optional === 0 ? `${groups.length}` : `${groups.length - optional} or ${groups.length}`
    throw new ExpressionError(`${name} takes ${wanted} arguments and got ${operands.length}.`, at)
  }
  return {
    kind,
    sql: write(...operands.map((operand, index) => ofGroup(scope, operand, groups[index] ?? 'text'))),
  }
}

function ofGroup(scope: ExpressionScope, expression: Expression, group: KindGroup): TypedSql {
  const { kinds, words } = kindGroups[group]
  const typed = compileValue(scope, expression)
  if (!kinds.includes(typed.kind))
    throw new ExpressionError(`This must be ${words}, and is ${describe(typed.kind)}.`, expression.at)
  return typed
}

const comparable: readonly (readonly ValueKind[])[] = [
  ['integer', 'decimal', 'double'],
  ['date', 'localTimestamp', 'instant'],
]

function requireComparable(a: ValueKind, b: ValueKind, at: number | undefined): void {
  if (a === b || comparable.some((kinds) => kinds.includes(a) && kinds.includes(b))) return
  throw new ExpressionError(`${describe(a)} cannot be compared with ${describe(b)}.`, at)
}

function requireOrdered(kind: ValueKind, at: number | undefined): void {
  if (kind === 'boolean') throw new ExpressionError('true and false have no order. Compare them with eq or ne.', at)
}

const kindWords: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  integer: 'a whole number',
  decimal: 'a decimal number',
  double: 'a floating-point number',
  boolean: 'true or false',
  date: 'a date',
  time: 'a time of day',
  localTimestamp: 'a time stamp',
  instant: 'a time stamp',
  guid: 'a GUID',
  json: 'text',
  bytes: 'binary data',
  other: 'text',
}

function describe(kind: ValueKind): string {
  return kindWords[kind]
}
