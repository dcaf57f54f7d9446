/** Parser of the `where` filter: comparisons of fields with texts, numbers, days and ids, joined by AND and OR. */
import { RequestError } from './responses.ts'

export type FilterValue = string | number | boolean | null

/** Fields by name in lower case; a day or timestamp in milliseconds. */
export type RecordFacts = Readonly<Record<string, FilterValue>>

export type WhereFilter = (facts: RecordFacts) => boolean

const pattern =
  /\s*(?:(?<text>"[^"]*")|(?<day>DateTime\((?<parts>[\d\s,]+)\))|(?<guid>Guid\("(?<id>[^"]+)"\))|(?<number>-?\d+(?:\.\d+)?)|(?<sign>&&|\|\||==|!=|>=|<=|[<>()=])|(?<name>[A-Za-z][\w.]*))/gy

type FilterToken =
  | { readonly kind: 'value'; readonly value: FilterValue }
  | { readonly kind: 'sign' | 'name'; readonly text: string }

export function filterOf(where: string): WhereFilter {
  const tokens = tokensOf(where)
  const reader = { tokens, at: 0 }
  const filter = parseOr(reader)
  if (reader.at < tokens.length) throw invalidFilter(where)
  return filter
}

interface TokenReader {
  readonly tokens: readonly FilterToken[]
  at: number
}

const invalidFilter = (where: string): RequestError =>
  new RequestError(`Syntax error in the filter ${where}`, 16, 'QueryParseException')

function tokensOf(where: string): FilterToken[] {
  const tokens: FilterToken[] = []
  pattern.lastIndex = 0
  while (where.slice(pattern.lastIndex).trim() !== '') {
    const found = pattern.exec(where)?.groups
    if (found === undefined) throw invalidFilter(where)
    tokens.push(tokenOf(found))
  }
  return tokens
}

const literals: Readonly<Record<string, FilterValue>> = { true: true, false: false, null: null }
const signs: Readonly<Record<string, string>> = { and: '&&', or: '||' }

function tokenOf({
  text,
  parts,
  id,
  number,
  sign,
  name = '',
}: Readonly<Record<string, string | undefined>>): FilterToken {
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

function parseOr(reader: TokenReader): WhereFilter {
  const parts = [parseAnd(reader)]
  while (takes(reader, '||')) parts.push(parseAnd(reader))
  return (facts) => parts.some((part) => part(facts))
}

function parseAnd(reader: TokenReader): WhereFilter {
  const parts = [parseComparison(reader)]
  while (takes(reader, '&&')) parts.push(parseComparison(reader))
  return (facts) => parts.every((part) => part(facts))
}

function parseComparison(reader: TokenReader): WhereFilter {
  if (takes(reader, '(')) {
    const inner = parseOr(reader)
    if (!takes(reader, ')')) throw invalidFilter('(')
    return inner
  }
  const [field, sign, value] = [reader.tokens[reader.at], reader.tokens[reader.at + 1], reader.tokens[reader.at + 2]]
  reader.at += 3
  if (field?.kind !== 'name' || sign?.kind !== 'sign' || value?.kind !== 'value')
    throw invalidFilter(field?.kind === 'name' ? field.text : '')
  const compare = comparisons[sign.text]
  if (compare === undefined) throw invalidFilter(sign.text)
  return (facts) => compare(fieldOf(facts, field.text), value.value)
}

function takes(reader: TokenReader, sign: string): boolean {
  const token = reader.tokens[reader.at]
  if (token?.kind !== 'sign' || token.text !== sign) return false
  reader.at += 1
  return true
}

function fieldOf(facts: RecordFacts, name: string): FilterValue {
  const value = facts[name]
  if (value === undefined)
    throw new RequestError(`No property or field '${name}' exists in type`, 16, 'QueryParseException')
  return value
}

const ordered = (test: (sign: number) => boolean) => (left: FilterValue, right: FilterValue) =>
  left !== null && right !== null && typeof left === typeof right && test(left < right ? -1 : left > right ? 1 : 0)

const comparisons: Readonly<Record<string, (left: FilterValue, right: FilterValue) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': ordered((sign) => sign > 0),
  '>=': ordered((sign) => sign >= 0),
  '<': ordered((sign) => sign < 0),
  '<=': ordered((sign) => sign <= 0),
}
