/**
 * Parses OData's common expressions (URL Conventions 4.01, section 5.1.1) by recursive descent. Columns have the names of properties;
 * `bind-names.ts` replaces them. What OData has and the feed does not is refused with 501.
 * https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part2-url-conventions.html
 */
import { type Expression, type FunctionName, functionNames } from '../../../access/query/expression.ts'
import type { Cursor } from './cursor.ts'
import { readLiteral } from './literals.ts'

type Binary = Extract<Expression, { type: 'compare' | 'arithmetic' }>
type Operator = Binary['operator']

/** Levels from weak to strong. Operators are read in any case, as OData 4.01 has it. */
const logical = [
  ['or', /[ \t]+or(?=[ \t(])/iuy],
  ['and', /[ \t]+and(?=[ \t(])/iuy],
] as const
const levels: readonly (readonly [Binary['type'], RegExp])[] = [
  ['compare', /[ \t]+(eq|ne)(?=[ \t(])/iuy],
  ['compare', /[ \t]+(ge|gt|le|lt)(?=[ \t(])/iuy],
  ['arithmetic', /[ \t]+(add|sub)(?=[ \t(])/iuy],
  ['arithmetic', /[ \t]+(mul|divby|div|mod)(?=[ \t(])/iuy],
]

export function readExpression(cursor: Cursor): Expression {
  return cursor.nested(() => readLogical(cursor, 0))
}

function readLogical(cursor: Cursor, level: number): Expression {
  const [type, expression] = logical[level] ?? []
  if (type === undefined || expression === undefined) return readBinary(cursor, 0)
  const { at } = cursor
  const operands = [readLogical(cursor, level + 1)]
  while (cursor.take(expression) !== null) operands.push(readOperand(cursor, () => readLogical(cursor, level + 1)))
  const [first] = operands
  return operands.length === 1 && first !== undefined ? first : { type, operands, at }
}

function readBinary(cursor: Cursor, level: number): Expression {
  const [type, expression] = levels[level] ?? []
  if (type === undefined || expression === undefined) return readUnary(cursor)
  const { at } = cursor
  let left = readBinary(cursor, level + 1)
  for (;;) {
    const found = cursor.take(expression)
    if (found === null) return left
    const right = readOperand(cursor, () => readBinary(cursor, level + 1))
    left = cursor.nested(() => ({ type, operator: found[1]?.toLowerCase() as Operator, left, right, at }) as Binary)
  }
}

function readOperand(cursor: Cursor, read: () => Expression): Expression {
  cursor.skipSpace()
  return read()
}

function readUnary(cursor: Cursor): Expression {
  const { at } = cursor
  if (cursor.take(/not(?=[ \t(])/iuy) !== null) {
    cursor.skipSpace()
    return { type: 'not', operand: cursor.nested(() => readUnary(cursor)), at }
  }
  const literal = readLiteral(cursor)
  if (literal !== null) return readMembership(cursor, literal)
  if (cursor.takeText('-')) {
    cursor.skipSpace()
    return { type: 'negate', operand: cursor.nested(() => readUnary(cursor)), at }
  }
  return readMembership(cursor, readPrimary(cursor))
}

function readPrimary(cursor: Cursor): Expression {
  const { at } = cursor
  if (cursor.takeText('(')) {
    cursor.skipSpace()
    const inner = readExpression(cursor)
    cursor.expect(')')
    return inner
  }
  if (cursor.take(/null(?![\p{L}\p{N}_/(])/uy) !== null) return { type: 'null', at }
  refuseUnsupported(cursor)
  const name = readName(cursor)
  if (name === null) throw cursor.unexpected('a property, a value or a function')
  if (cursor.takeText('(')) return readCall(cursor, name, at)
  if (cursor.takeText('/')) throw cursor.unsupported('paths, because its sets are flat', at)
  if (cursor.takeText("'")) throw cursor.unsupported(`values of the type ${name}`, at)
  if (name.includes('.')) throw cursor.unsupported('names with a namespace, because its sets have one type each', at)
  return { type: 'column', name, at }
}

/** `in` binds closer than comparisons. */
function readMembership(cursor: Cursor, operand: Expression): Expression {
  if (cursor.take(/[ \t]+has(?=[ \t])/iuy) !== null) throw cursor.unsupported('the operator has')
  if (cursor.take(/[ \t]+in(?=[ \t(])/iuy) === null) return operand
  cursor.skipSpace()
  if (!cursor.takeText('(')) throw cursor.unsupported('in with anything but a list of values in parentheses')
  const values = readList(cursor)
  const other = values.find(({ type }) => type !== 'literal' && type !== 'null')
  if (other !== undefined) throw cursor.unsupported('anything but values in a list', other.at)
  return { type: 'in', operand, values, at: operand.at }
}

/** Reads up to the closing parenthesis. */
function readList(cursor: Cursor): Expression[] {
  cursor.skipSpace()
  if (cursor.takeText(')')) return []
  const values: Expression[] = []
  for (;;) {
    cursor.skipSpace()
    values.push(readExpression(cursor))
    cursor.skipSpace()
    if (cursor.takeText(')')) return values
    if (!cursor.takeText(',')) throw cursor.unexpected('“,” or “)”')
  }
}

/** Functions of OData that need types or features that the feed does not have. */
const otherFunctions = new Set(
  'case cast isdefined isof geo.distance geo.intersects geo.length hassubset hassubsequence matchespattern totaloffsetminutes totalseconds'.split(
    ' ',
  ),
)

function readCall(cursor: Cursor, written: string, at: number): Expression {
  const name = written.toLowerCase()
  const known = functionNames.find((candidate): candidate is FunctionName => candidate === name)
  if (known !== undefined) return { type: 'call', name: known, operands: readList(cursor), at }
  if (otherFunctions.has(name) || written.includes('.')) throw cursor.unsupported(`the function ${written}`, at)
  throw cursor.error(`There is no function ${written}. There are ${functionNames.join(', ')}.`, at)
}

const unsupported: readonly (readonly [RegExp, string])[] = [
  [/\$it|\$this/uy, 'references to the row itself'],
  [/\$root/uy, 'references to other sets'],
  [/\$\w*/uy, 'segments that begin with $ in expressions'],
  [/@[\p{L}\p{Nl}_]*/uy, 'parameter aliases and annotations'],
  [/[[{]/uy, 'lists and objects in expressions'],
  [/(?:duration|geography|geometry)'[^']*'/iuy, 'values of this type'],
]

function refuseUnsupported(cursor: Cursor): void {
  const { at } = cursor
  for (const [expression, words] of unsupported)
    if (cursor.take(expression) !== null) throw cursor.unsupported(words, at)
}

/** A simple identifier, or one with a namespace. */
function readName(cursor: Cursor): string | null {
  return (
    cursor.take(
      /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*)*/uy,
    )?.[0] ?? null
  )
}

/** The name of a property or of a result. */
export function readProperty(cursor: Cursor): { readonly name: string; readonly at: number } {
  const { at } = cursor
  const name = readName(cursor)
  if (name === null) throw cursor.unexpected('the name of a property')
  if (name.includes('.') || cursor.text[cursor.at] === '/')
    throw cursor.unsupported('paths, because its sets are flat', at)
  return { name, at }
}
