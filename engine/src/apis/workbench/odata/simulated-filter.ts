/** The part of `$filter` and `$orderby` that the engine writes: comparisons, which `and`, `or` and parentheses combine. */
import { parseColumnType } from '../../described/description/column-type.ts'
import { type SimulatedJson, type SimulatedObject, WrittenDigits } from '../simulator/simulated-json.ts'
import type { SimulatedProperty } from './simulated-set.ts'

type RowTest = (row: SimulatedObject) => boolean
type Comparable = number | string | null

/** @param always a condition of the description, which every row fulfils. @throws Error if the text is no condition */
export function filterOf(
  properties: readonly SimulatedProperty[],
  text: string | null,
  always: string | undefined,
): RowTest {
  if (text === null) return () => true
  const condition = always === undefined ? text : text.replace(always, 'true')
  const tokens = condition.match(/[a-z]*'(?:[^']|'')*'|[()]|[^\s()]+/gu) ?? []
  const test = parseAny(properties, tokens)
  if (tokens.length > 0) throw new Error(`Unexpected ‘${tokens[0] ?? ''}’.`)
  return test
}

function parseAny(properties: readonly SimulatedProperty[], tokens: string[]): RowTest {
  const tests = [parseAll(properties, tokens)]
  while (tokens[0] === 'or') {
    tokens.shift()
    tests.push(parseAll(properties, tokens))
  }
  return (row) => tests.some((test) => test(row))
}

function parseAll(properties: readonly SimulatedProperty[], tokens: string[]): RowTest {
  const tests = [parseOne(properties, tokens)]
  while (tokens[0] === 'and') {
    tokens.shift()
    tests.push(parseOne(properties, tokens))
  }
  return (row) => tests.every((test) => test(row))
}

function parseOne(properties: readonly SimulatedProperty[], tokens: string[]): RowTest {
  const first = tokens.shift() ?? ''
  if (first === 'true') return () => true
  if (first === '(') {
    const test = parseAny(properties, tokens)
    if (tokens.shift() !== ')') throw new Error('‘)’ is missing.')
    return test
  }
  const property = properties.find(({ name }) => name === first)
  const holds = comparisons[tokens.shift() ?? '']
  if (property === undefined || holds === undefined) throw new Error(`‘${first}’ is not compared.`)
  const wanted = literalOf(property, tokens.shift() ?? '')
  return (row) => holds(order(comparable(property, row[first] ?? null), wanted))
}

const comparisons: { readonly [name: string]: ((order: number | null) => boolean) | undefined } = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order !== null && order > 0,
  ge: (order) => order !== null && order >= 0,
  lt: (order) => order !== null && order < 0,
  le: (order) => order !== null && order <= 0,
}

/** Null: one of them has no value. */
function order(one: Comparable, other: Comparable): number | null {
  if (one === null && other === null) return 0
  if (one === null || other === null) return null
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return one === other ? 0 : String(one) < String(other) ? -1 : 1
}

function comparable({ type }: SimulatedProperty, value: SimulatedJson): Comparable {
  if (value === null) return null
  const text = value instanceof WrittenDigits ? value.digits : typeof value === 'object' ? '' : String(value)
  return ofText(type, text)
}

function ofText(type: string, text: string): Comparable {
  switch (parseColumnType(type)?.kind) {
    case 'integer':
    case 'decimal':
      return Number(text.replace(/[LMlm]$/u, ''))
    case 'date':
    case 'localTimestamp':
    case 'instant':
      return Date.parse(/(?:Z|^[\d-]+)$/u.test(text) ? text : `${text}Z`)
    default:
      return text
  }
}

function literalOf({ type }: SimulatedProperty, text: string): Comparable {
  if (text === 'null') return null
  const [, quoted] = /^[a-z]*'(.*)'$/su.exec(text) ?? []
  return ofText(type, quoted?.replaceAll("''", "'") ?? text)
}

/** Rows with the same values stay in their order. */
export function ordered<Item extends { readonly json: SimulatedObject }>(
  properties: readonly SimulatedProperty[],
  items: readonly Item[],
  text: string | null,
): readonly Item[] {
  if (text === null) return items
  const parts = text.split(',').flatMap((part) => {
    const [name = '', direction] = part.trim().split(' ')
    const property = properties.find((each) => each.name === name)
    return property === undefined ? [] : [{ property, sign: direction === 'desc' ? -1 : 1 }]
  })
  return items.toSorted((one, other) => {
    for (const { property, sign } of parts) {
      const values = [one, other].map(({ json }) => comparable(property, json[property.name] ?? null))
      const found = order(values[0] ?? null, values[1] ?? null)
      if (found !== null && found !== 0) return sign * found
    }
    return 0
  })
}
