/** The filter language of `where`: comparisons of fields with texts, numbers, days and ids, joined by AND and OR. */
import { Refusal } from './answer.ts'

export type Value = string | number | boolean | null

/** Fields by their name in lower case; a day or a moment is its milliseconds. */
export type Facts = Readonly<Record<string, Value>>

export type Filter = (facts: Facts) => boolean

const pattern =
  /\s*(?:(?<text>"[^"]*")|(?<day>DateTime\((?<parts>[\d\s,]+)\))|(?<guid>Guid\("(?<id>[^"]+)"\))|(?<number>-?\d+(?:\.\d+)?)|(?<sign>&&|\|\||==|!=|>=|<=|[<>()=])|(?<name>[A-Za-z][\w.]*))/gy

type Token =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'sign' | 'name'; readonly text: string }

export function filterOf(where: string): Filter {
  const tokens = tokensOf(where)
  const reader = { tokens, at: 0 }
  const filter = readEither(reader)
  if (reader.at < tokens.length) throw unreadable(where)
  return filter
}

interface Reader {
  readonly tokens: readonly Token[]
  at: number
}

const unreadable = (where: string): Refusal =>
  new Refusal(`Syntax error in the filter ${where}`, 16, 'QueryParseException')

function tokensOf(where: string): Token[] {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (where.slice(pattern.lastIndex).trim() !== '') {
    const found = pattern.exec(where)?.groups
    if (found === undefined) throw unreadable(where)
    tokens.push(tokenOf(found))
  }
  return tokens
}

const literals: Readonly<Record<string, Value>> = { true: true, false: false, null: null }
const signs: Readonly<Record<string, string>> = { and: '&&', or: '||' }

function tokenOf({ text, parts, id, number, sign, name = '' }: Readonly<Record<string, string | undefined>>): Token {
  if (text !== undefined) return { kind: 'value', value: text.slice(1, -1) }
  if (parts !== undefined) return { kind: 'value', value: momentOf(parts) }
  if (id !== undefined) return { kind: 'value', value: id.toLowerCase() }
  if (number !== undefined) return { kind: 'value', value: Number(number) }
  const lower = name.toLowerCase()
  const word = sign === '=' ? '==' : (sign ?? signs[lower])
  if (word !== undefined) return { kind: 'sign', text: word }
  const literal = literals[lower]
  return literal === undefined ? { kind: 'name', text: lower } : { kind: 'value', value: literal }
}

function momentOf(parts: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.split(',').map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function readEither(reader: Reader): Filter {
  const parts = [readAll(reader)]
  while (takes(reader, '||')) parts.push(readAll(reader))
  return (facts) => parts.some((part) => part(facts))
}

function readAll(reader: Reader): Filter {
  const parts = [readOne(reader)]
  while (takes(reader, '&&')) parts.push(readOne(reader))
  return (facts) => parts.every((part) => part(facts))
}

function readOne(reader: Reader): Filter {
  if (takes(reader, '(')) {
    const inner = readEither(reader)
    if (!takes(reader, ')')) throw unreadable('(')
    return inner
  }
  const [field, sign, value] = [reader.tokens[reader.at], reader.tokens[reader.at + 1], reader.tokens[reader.at + 2]]
  reader.at += 3
  if (field?.kind !== 'name' || sign?.kind !== 'sign' || value?.kind !== 'value')
    throw unreadable(field?.kind === 'name' ? field.text : '')
  const compare = comparisons[sign.text]
  if (compare === undefined) throw unreadable(sign.text)
  return (facts) => compare(fieldOf(facts, field.text), value.value)
}

function takes(reader: Reader, sign: string): boolean {
  const token = reader.tokens[reader.at]
  if (token?.kind !== 'sign' || token.text !== sign) return false
  reader.at += 1
  return true
}

function fieldOf(facts: Facts, name: string): Value {
  const value = facts[name]
  if (value === undefined) throw new Refusal(`No property or field '${name}' exists in type`, 16, 'QueryParseException')
  return value
}

const ordered = (test: (sign: number) => boolean) => (left: Value, right: Value) =>
  left !== null && right !== null && typeof left === typeof right && test(left < right ? -1 : left > right ? 1 : 0)

const comparisons: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': ordered((sign) => sign > 0),
  '>=': ordered((sign) => sign >= 0),
  '<': ordered((sign) => sign < 0),
  '<=': ordered((sign) => sign <= 0),
}
