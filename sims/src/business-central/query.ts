/** The options of a query that the simulator understands. Anything else is refused, as the API does with unknown properties. */
import type { Row } from './company.ts'
import type { EntityType } from './sets.ts'

export class BadRequest extends Error {}

export interface SetQuery {
  readonly conditions: readonly Condition[]
  readonly orderBy: { readonly property: string; readonly isDescending: boolean } | null
  readonly top: number | null
  readonly select: readonly string[] | null
  readonly expand: readonly string[]
  readonly skipToken: string | null
}

export interface Condition {
  readonly property: string
  readonly operator: string
  readonly value: string
}

const known = new Set(['$filter', '$orderby', '$top', '$select', '$expand', '$skiptoken', 'aid'])

export function parseQuery(type: EntityType, parameters: URLSearchParams): SetQuery {
  for (const name of parameters.keys())
    if (!known.has(name)) throw new BadRequest(`The query parameter ${name} is not supported.`)
  const orderBy = orderOf(type, parameters.get('$orderby'))
  const skipToken = parameters.get('$skiptoken')
  if (skipToken !== null && orderBy !== null) throw new BadRequest('$skiptoken cannot be combined with $orderby.')
  return {
    conditions: conditionsOf(type, parameters.get('$filter')),
    orderBy,
    top: topOf(parameters.get('$top')),
    select: selectOf(type, parameters.get('$select')),
    expand: expandOf(type, parameters.get('$expand')),
    skipToken,
  }
}

function topOf(text: string | null): number | null {
  if (text !== null && !/^\d+$/u.test(text)) throw new BadRequest('$top is not a number.')
  return text === null ? null : Number(text)
}

function selectOf(type: EntityType, text: string | null): readonly string[] | null {
  if (text === null) return null
  for (const name of listOf(text)) requireProperty(type, name)
  return listOf(text)
}

function expandOf({ lists }: EntityType, text: string | null): readonly string[] {
  for (const name of listOf(text))
    if (!(name in lists)) throw new BadRequest(`Could not find a property named '${name}'.`)
  return listOf(text)
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(',')
}

function requireProperty({ name, properties }: EntityType, property: string): void {
  if (!(property in properties))
    throw new BadRequest(`Could not find a property named '${property}' on type 'Microsoft.NAV.${name}'.`)
}

function orderOf(type: EntityType, text: string | null): SetQuery['orderBy'] {
  if (text === null) return null
  const [property = '', direction = 'asc'] = text.split(' ')
  requireProperty(type, property)
  return { property, isDescending: direction === 'desc' }
}

/** Comparisons that `and` combines; parentheses around each are allowed. */
function conditionsOf(type: EntityType, text: string | null): readonly Condition[] {
  if (text === null) return []
  return text.split(' and ').map((part) => {
    const [, property = '', operator = '', value = ''] =
      /^\(*(\w+) (eq|ne|ge|gt|le|lt) ('(?:[^']|'')*'|[^\s()]+)\)*$/u.exec(part) ?? []
    if (property === '') throw new BadRequest(`Syntax error in the filter: ${part}`)
    requireProperty(type, property)
    const kind = type.properties[property] ?? ''
    if (!(literals[kind]?.test(value) ?? true))
      throw new BadRequest(`A value of ${property} is expected instead of ${value}.`)
    return { property, operator, value: value.replaceAll(/^'|'$/gu, '') }
  })
}

const literals: Readonly<Record<string, RegExp | undefined>> = {
  date: /^\d{4}-\d\d-\d\d$/u,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/u,
  guid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u,
  integer: /^-?\d+$/u,
}

export function isSelected(conditions: readonly Condition[], row: Row): boolean {
  return conditions.every(({ property, operator, value }) => {
    const own = row[property]
    const order = typeof own === 'number' ? own - Number(value) : compare(String(own), value)
    return comparisons[operator]?.(order) === true
  })
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  gt: (order) => order > 0,
  le: (order) => order <= 0,
  lt: (order) => order < 0,
}

/** Moments have different numbers of digits. */
function compare(one: string, other: string): number {
  if (one.endsWith('Z') && one.at(10) === 'T') return Date.parse(one) - Date.parse(other)
  return one < other ? -1 : one > other ? 1 : 0
}
