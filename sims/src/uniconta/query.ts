/** The part of OData's query language that Uniconta is known to understand: $filter, $orderby, $top, $skip and $select. */
import { Exact } from './rows.ts'
import type { Cell, Row } from './rows.ts'

/** What the answer to a question that cannot be understood says. */
export class QueryError extends Error {}

type Test = (row: Row) => boolean
type Value = string | number | boolean | null

const tokens = /\s*(datetime'[^']*'|'(?:[^']|'')*'|[()]|,|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)/y

/** Throws a QueryError. */
export function filterOf(text: string | undefined): Test {
  if (text === undefined) return () => true
  const words = tokensOf(text)
  const test = parseOr(words)
  if (words.length > 0) throw new QueryError(`Unexpected ‘${words[0]}’ in $filter.`)
  return test
}

export function orderOf(text: string | undefined): ((one: Row, other: Row) => number) | null {
  if (text === undefined) return null
  const [property = '', direction = 'asc'] = text.split(' ')
  const sign = direction === 'desc' ? -1 : 1
  return (one, other) => sign * compare(plain(one[property]), plain(other[property]))
}

export function countOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0) throw new QueryError(`‘${text}’ is not a count.`)
  return count
}

function tokensOf(text: string): string[] {
  const words: string[] = []
  tokens.lastIndex = 0
  while (tokens.lastIndex < text.trimEnd().length) {
    const match = tokens.exec(text)
    if (match === null) throw new QueryError(`$filter cannot be read: ${text}`)
    words.push(match[1] ?? '')
  }
  return words
}

function parseOr(words: string[]): Test {
  let test = parseAnd(words)
  while (words[0] === 'or') {
    words.shift()
    const [left, right] = [test, parseAnd(words)]
    test = (row) => left(row) || right(row)
  }
  return test
}

function parseAnd(words: string[]): Test {
  let test = parseTerm(words)
  while (words[0] === 'and') {
    words.shift()
    const [left, right] = [test, parseTerm(words)]
    test = (row) => left(row) && right(row)
  }
  return test
}

function parseTerm(words: string[]): Test {
  const first = words.shift() ?? ''
  if (first === '(') {
    const test = parseOr(words)
    expect(words, ')')
    return test
  }
  if (first === 'startswith') {
    expect(words, '(')
    const property = words.shift() ?? ''
    expect(words, ',')
    const begin = String(literal(words.shift() ?? ''))
    expect(words, ')')
    return (row) => String(plain(row[property]) ?? '').startsWith(begin)
  }
  const holds = comparisons[words.shift() ?? '']
  if (holds === undefined) throw new QueryError('$filter compares by eq, ne, gt, ge, lt and le.')
  const value = literal(words.shift() ?? '')
  return (row) => holds(compare(plain(row[first]), value))
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
}

function expect(words: string[], word: string): void {
  if (words.shift() !== word) throw new QueryError(`‘${word}’ is missing in $filter.`)
}

function literal(word: string): Value {
  if (word.startsWith("datetime'")) return word.slice("datetime'".length, -1)
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'")
  if (/^-?\d/.test(word)) return Number(word)
  const named: Readonly<Record<string, Value>> = { true: true, false: false, null: null }
  if (!(word in named)) throw new QueryError(`‘${word}’ is no value.`)
  return named[word] ?? null
}

function plain(cell: Cell | undefined): Value {
  if (cell === undefined || Array.isArray(cell)) return null
  return cell instanceof Exact ? Number(cell.text) : (cell as Value)
}

function compare(one: Value, other: Value): number {
  if (one === other) return 0
  if (one === null || other === null) return Number.NaN
  return one < other ? -1 : 1
}
