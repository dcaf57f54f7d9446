/** Parses `$search`: words and phrases with AND, OR, NOT and parentheses. Words next to each other must all occur. */
import type { Expression } from '../../../access/query/expression.ts'
import { Cursor } from './cursor.ts'

export function parseSearch(text: string): Expression {
  const cursor = new Cursor(text)
  cursor.skipSpace()
  if (text.startsWith("'")) throw cursor.unsupported('incomplete searches in single quotes')
  const expression = readAlternatives(cursor)
  cursor.expectEnd()
  return expression
}

function readAlternatives(cursor: Cursor): Expression {
  const operands = [readAll(cursor)]
  while (cursor.take(/[ \t]+OR[ \t]+(?=[^ \t)])/y) !== null) operands.push(readAll(cursor))
  return combine('or', operands)
}

/** AND, OR and NOT are operators only where they have operands, and words elsewhere. */
function readAll(cursor: Cursor): Expression {
  const operands = [readTerm(cursor)]
  while (cursor.take(/[ \t]+OR[ \t]+(?=[^ \t)])/y) === null) {
    if (cursor.take(/[ \t]+(?:AND[ \t]+)?(?=[^ \t)])/y) === null) return combine('and', operands)
    operands.push(readTerm(cursor))
  }
  return combine('or', [combine('and', operands), readAlternatives(cursor)])
}

function readTerm(cursor: Cursor): Expression {
  const { at } = cursor
  if (cursor.take(/NOT[ \t]+(?=[^ \t)])/y) !== null)
    return { type: 'not', operand: cursor.nested(() => readTerm(cursor)), at }
  if (cursor.takeText('(')) {
    cursor.skipSpace()
    const inner = cursor.nested(() => readAlternatives(cursor))
    cursor.expect(')')
    return inner
  }
  const phrase = cursor.take(/"((?:[^"\\]|\\["\\])+)"(?=[ \t)]|$)/y)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
  const word = phrase ?? cursor.take(/[^ \t()"'][^ \t()"]*/y)?.[0]
  if (word === undefined) throw cursor.unexpected('a word or a phrase in double quotes')
  if (word.includes('\0') || !word.isWellFormed()) throw cursor.error('This character cannot be searched for.', at)
  return { type: 'search', phrase: word, at }
}

function combine(type: 'and' | 'or', operands: readonly Expression[]): Expression {
  const [first] = operands
  return operands.length === 1 && first !== undefined ? first : { type, operands }
}
