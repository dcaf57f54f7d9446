/**
 * Parses `$apply` with filter, groupby and aggregate (OData Extension for Data Aggregation 4.0).
 * https://docs.oasis-open.org/odata/odata-data-aggregation-ext/v4.0/odata-data-aggregation-ext-v4.0.html
 */
import type { Expression } from '../../../access/query/expression.ts'
import type { AggregateColumn } from '../../../access/query/aggregates.ts'
import { Cursor } from './cursor.ts'
import { readExpression, readProperty } from './expression.ts'
import type { PropertyName } from './options.ts'

export type Transformation =
  | { readonly type: 'filter'; readonly condition: Expression }
  | {
      readonly type: 'group'
      readonly by: readonly PropertyName[]
      readonly aggregates: readonly (AggregateColumn & { readonly at: number })[]
    }

const aggregateMethods = ['sum', 'average', 'min', 'max', 'countdistinct'] as const

export function parseApply(text: string): Transformation[] {
  const cursor = new Cursor(text)
  const transformations: Transformation[] = []
  do {
    cursor.skipSpace()
    transformations.push(readTransformation(cursor))
    cursor.skipSpace()
  } while (cursor.takeText('/'))
  cursor.expectEnd()
  return transformations
}

function readTransformation(cursor: Cursor): Transformation {
  const { at } = cursor
  const name = cursor.take(/[\p{L}_][\p{L}\p{N}_.]*/uy)?.[0]
  if (name === undefined) throw cursor.unexpected('filter, groupby or aggregate')
  if (!['filter', 'groupby', 'aggregate'].includes(name)) throw cursor.unsupported(`${name} in $apply`, at)
  cursor.expect('(')
  cursor.skipSpace()
  if (name === 'filter') {
    const condition = readExpression(cursor)
    cursor.expect(')')
    return { type: 'filter', condition }
  }
  return name === 'groupby' ? readGroupBy(cursor) : { type: 'group', by: [], aggregates: readAggregates(cursor) }
}

function readGroupBy(cursor: Cursor): Transformation {
  cursor.expect('(')
  const by: PropertyName[] = []
  do {
    cursor.skipSpace()
    by.push(readProperty(cursor))
    if (cursor.text[cursor.at] === '(') throw cursor.unsupported('functions in groupby, such as rollup')
    cursor.skipSpace()
  } while (cursor.takeText(','))
  cursor.expect(')')
  cursor.skipSpace()
  if (!cursor.takeText(',')) {
    cursor.expect(')')
    return { type: 'group', by, aggregates: [] }
  }
  cursor.skipSpace()
  const { at } = cursor
  if (cursor.take(/aggregate\(/uy) === null) throw cursor.unsupported('anything but aggregate within groupby', at)
  const aggregates = readAggregates(cursor)
  cursor.expect(')')
  return { type: 'group', by, aggregates }
}

/** Reads up to the closing parenthesis. */
function readAggregates(cursor: Cursor): (AggregateColumn & { readonly at: number })[] {
  const aggregates: (AggregateColumn & { readonly at: number })[] = []
  do {
    cursor.skipSpace()
    aggregates.push(readAggregate(cursor))
    cursor.skipSpace()
  } while (cursor.takeText(','))
  cursor.expect(')')
  return aggregates
}

function readAggregate(cursor: Cursor): AggregateColumn & { readonly at: number } {
  const { at } = cursor
  if (cursor.take(/\$count(?=[ \t])/uy) !== null) return { method: 'count', name: readAlias(cursor), at }
  const expression = readExpression(cursor)
  const written = cursor.take(/[ \t]+with[ \t]+([\p{L}_][\p{L}\p{N}_.]*)/uy)?.[1]
  if (written === undefined) throw cursor.unsupported('aggregates without a method', at)
  const method = aggregateMethods.find((candidate) => candidate === written)
  if (method === undefined) throw cursor.unsupported(`the aggregation method ${written}`)
  if (cursor.take(/[ \t]+from[ \t]/uy) !== null) throw cursor.unsupported('from in $apply')
  return { method, expression, name: readAlias(cursor), at }
}

function readAlias(cursor: Cursor): string {
  if (cursor.take(/[ \t]+as[ \t]+/uy) === null) throw cursor.unexpected('“as” and a name for the result')
  const { at } = cursor
  const { name } = readProperty(cursor)
  if (Buffer.byteLength(name) > aliasMaxBytes) throw cursor.error(`The name is longer than ${aliasMaxBytes} bytes.`, at)
  return name
}

/** PostgreSQL would cut longer names. */
const aliasMaxBytes = 63
