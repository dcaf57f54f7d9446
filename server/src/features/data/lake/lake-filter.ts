/** Evaluates the filters of the explorer on rows of a lake, with the results that PostgreSQL has for the same expression. */
import type { ColumnBounds } from '@tributary/engine/databases/iceberg/reading/file-bounds'
import type { LakeFilter } from '@tributary/engine/databases/iceberg/reading/read-page'
import type { Cell } from '@tributary/engine/databases/iceberg/format/cells'
import type { TableField } from '@tributary/engine/databases/iceberg/format/parquet-schema'
import type { Expression } from '../../../access/query/expression.ts'
import { comparerOf } from './lake-values.ts'

type Row = Parameters<LakeFilter['matches']>[0]
type BoundsAt = Parameters<LakeFilter['mayMatch']>[0]

interface Condition {
  matches(row: Row): boolean
  mayMatch(boundsAt: BoundsAt): boolean
}

export function compileLakeFilter(fields: readonly TableField[], expression: Expression | undefined): LakeFilter {
  const used = new Set<number>()
  const positionOf = (operand: Expression): number => {
    const at = operand.type === 'column' ? fields.findIndex(({ name }) => name === operand.name) : -1
    if (at !== -1) used.add(at)
    return at
  }
  const condition = expression === undefined ? everyRow : compile({ fields, positionOf }, expression)
  return { fields: [...used], ...condition }
}

const everyRow: Condition = { matches: () => true, mayMatch: () => true }

interface FilterScope {
  readonly fields: readonly TableField[]
  positionOf(operand: Expression): number
}

function compile(scope: FilterScope, expression: Expression): Condition {
  switch (expression.type) {
    case 'and': {
      const all = expression.operands.map((operand) => compile(scope, operand))
      return {
        matches: (row) => all.every((one) => one.matches(row)),
        mayMatch: (boundsAt) => all.every((one) => one.mayMatch(boundsAt)),
      }
    }
    case 'or': {
      const all = expression.operands.map((operand) => compile(scope, operand))
      return {
        matches: (row) => all.some((one) => one.matches(row)),
        mayMatch: (boundsAt) => all.some((one) => one.mayMatch(boundsAt)),
      }
    }
    case 'not': {
      const { matches } = compile(scope, expression.operand)
      return { matches: (row) => !matches(row), mayMatch: () => true }
    }
    case 'compare':
      return compare(scope, expression)
    case 'in':
      return isOneOf(scope, expression)
    case 'call':
      return search(scope, expression)
    default:
      throw new Error(`No filter of the explorer is a ${expression.type}.`)
  }
}

type Comparison = Extract<Expression, { type: 'compare' }>

function compare(scope: FilterScope, { operator, left, right }: Comparison): Condition {
  const at = scope.positionOf(left)
  if (right.type === 'null') {
    const wantsNull = operator === 'eq'
    return {
      matches: (row) => ((row[at] ?? null) === null) === wantsNull,
      mayMatch: (boundsAt) => !wantsNull || boundsAt(at).hasNulls,
    }
  }
  const compared = comparison(scope.fields[at], right)
  const holds = outcomes[operator]
  return {
    matches: (row) => {
      const cell = row[at] ?? null
      return cell === null ? operator === 'ne' : holds(compared(cell))
    },
    mayMatch: (boundsAt) => mayHold(operator, boundsAt(at), compared),
  }
}

type Comparer = ReturnType<typeof comparerOf>

function comparison(field: TableField | undefined, literal: Expression): Comparer {
  if (literal.type !== 'literal') throw new Error('Filters of the explorer compare with values.')
  return comparerOf(field?.type ?? 'string', literal)
}

const outcomes: Readonly<Record<Comparison['operator'], (compared: number) => boolean>> = {
  eq: (compared) => compared === 0,
  ne: (compared) => compared !== 0,
  gt: (compared) => compared > 0,
  ge: (compared) => compared >= 0,
  lt: (compared) => compared < 0,
  le: (compared) => compared <= 0,
}

function mayHold(operator: Comparison['operator'], { least, greatest }: ColumnBounds, compared: Comparer): boolean {
  const isAbove = least !== null && compared(least) > 0
  const isBelow = greatest !== null && compared(greatest) < 0
  switch (operator) {
    case 'eq':
      return !isAbove && !isBelow
    case 'gt':
    case 'ge':
      return !isBelow
    case 'lt':
    case 'le':
      return !isAbove
    default:
      return true
  }
}

function isOneOf(scope: FilterScope, { operand, values }: Extract<Expression, { type: 'in' }>): Condition {
  const at = scope.positionOf(operand)
  const comparers = values.map((value) => comparison(scope.fields[at], value))
  return {
    matches: (row) => {
      const cell = row[at] ?? null
      return cell !== null && comparers.some((compared) => compared(cell) === 0)
    },
    mayMatch: (boundsAt) => comparers.some((compared) => mayHold('eq', boundsAt(at), compared)),
  }
}

/** `contains(tolower(column), tolower('text'))`, and the same with `startswith`. */
function search(scope: FilterScope, { name, operands }: Extract<Expression, { type: 'call' }>): Condition {
  const [column, phrase] = operands.map((operand) => (operand.type === 'call' ? operand.operands[0] : undefined))
  if (column === undefined || phrase?.type !== 'literal' || (name !== 'contains' && name !== 'startswith'))
    throw new Error(`The explorer does not search by ${name}.`)
  const at = scope.positionOf(column)
  const wanted = phrase.value.toLowerCase()
  const find = (text: string) => (name === 'contains' ? text.includes(wanted) : text.startsWith(wanted))
  return { matches: (row) => isText(row[at]) && find(row[at].toLowerCase()), mayMatch: () => true }
}

function isText(cell: Cell | undefined): cell is string {
  return typeof cell === 'string'
}
