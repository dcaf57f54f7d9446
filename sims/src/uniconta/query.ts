/** The subset of OData's query language that Uniconta supports: $filter, $orderby, $top, $skip and $select. */
import { ExactNumber } from './rows.ts'
import type { UnicontaCell, UnicontaRow } from './rows.ts'

/** Thrown for a query that cannot be parsed; the message is sent to the caller. */
export class QueryError extends Error {}

type RowFilter = (row: UnicontaRow) => boolean
type ComparableValue = string | number | boolean | null

const tokenPattern = /\s*(datetime'[^']*'|'(?:[^']|'')*'|[()]|,|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)/y

/** Parses a $filter. Throws a QueryError. */
export function filterOf(text: string | undefined): RowFilter {
  if (text === undefined) return () => true
  const tokens = tokensOf(text)
  const test = parseOr(tokens)
  if (tokens.length > 0) throw new QueryError(`Unexpected ‘${tokens[0]}’ in $filter.`)
  return test
}

export function orderOf(text: string | undefined): ((left: UnicontaRow, right: UnicontaRow) => number) | null {
  if (text === undefined) return null
  const [property = '', direction = 'asc'] = text.split(' ')
  const sign = direction === 'desc' ? -1 : 1
  return (left, right) => sign * compare(toComparable(left[property]), toComparable(right[property]))
}

export function countOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0) throw new QueryError(`‘${text}’ is not a count.`)
  return count
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const match = tokenPattern.exec(text)
    if (match === null) throw new QueryError(`$filter cannot be read: ${text}`)
    tokens.push(match[1] ?? '')
  }
  return tokens
}

function parseOr(tokens: string[]): RowFilter {
  let test = parseAnd(tokens)
  while (tokens[0] === 'or') {
    tokens.shift()
    const [left, right] = [test, parseAnd(tokens)]
    test = (row) => left(row) || right(row)
  }
  return test
}

function parseAnd(tokens: string[]): RowFilter {
  let test = parseTerm(tokens)
  while (tokens[0] === 'and') {
    tokens.shift()
    const [left, right] = [test, parseTerm(tokens)]
    test = (row) => left(row) && right(row)
  }
  return test
}

function parseTerm(tokens: string[]): RowFilter {
  const first = tokens.shift() ?? ''
  if (first === '(') {
    const test = parseOr(tokens)
    expect(tokens, ')')
    return test
  }
  if (first === 'startswith') {
    expect(tokens, '(')
    const property = tokens.shift() ?? ''
    expect(tokens, ',')
    const begin = String(parseLiteral(tokens.shift() ?? ''))
    expect(tokens, ')')
    return (row) => String(toComparable(row[property]) ?? '').startsWith(begin)
  }
  const holds = comparisons[tokens.shift() ?? '']
  if (holds === undefined) throw new QueryError('$filter compares by eq, ne, gt, ge, lt and le.')
  const value = parseLiteral(tokens.shift() ?? '')
  return (row) => holds(compare(toComparable(row[first]), value))
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
}

function expect(tokens: string[], word: string): void {
  if (tokens.shift() !== word) throw new QueryError(`‘${word}’ is missing in $filter.`)
}

function parseLiteral(word: string): ComparableValue {
  if (word.startsWith("datetime'")) return word.slice("datetime'".length, -1)
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'")
  if (/^-?\d/.test(word)) return Number(word)
  const named: Readonly<Record<string, ComparableValue>> = { true: true, false: false, null: null }
  if (!(word in named)) throw new QueryError(`‘${word}’ is no value.`)
  return named[word] ?? null
}

function toComparable(cell: UnicontaCell | undefined): ComparableValue {
  if (cell === undefined || Array.isArray(cell)) return null
  return cell instanceof ExactNumber ? Number(cell.text) : (cell as ComparableValue)
}

function compare(left: ComparableValue, right: ComparableValue): number {
  if (left === right) return 0
  if (left === null || right === null) return Number.NaN
  return left < right ? -1 : 1
}
