/** Parses the values of system query options (URL Conventions 4.01, section 5.1). */
import type { Expression } from '../../../access/query/expression.ts'
import { badRequest } from '../odata-error.ts'
import { Cursor } from './cursor.ts'
import { readExpression, readProperty } from './expression.ts'

export interface OrderItem {
  readonly expression: Expression
  readonly descending: boolean
}

export interface PropertyName {
  readonly name: string
  readonly at: number
}

export function parseFilter(text: string): Expression {
  const cursor = new Cursor(text)
  cursor.skipSpace()
  const expression = readExpression(cursor)
  cursor.expectEnd()
  return expression
}

export function parseOrderBy(text: string): OrderItem[] {
  const cursor = new Cursor(text)
  const items: OrderItem[] = []
  do {
    cursor.skipSpace()
    const expression = readExpression(cursor)
    const direction = cursor.take(/[ \t]+(asc|desc)(?![\p{L}\p{N}_])/iuy)?.[1]?.toLowerCase()
    items.push({ expression, descending: direction === 'desc' })
    cursor.skipSpace()
  } while (cursor.takeText(','))
  cursor.expectEnd()
  return items
}

/** `all`: every property. */
export function parseSelect(text: string): 'all' | PropertyName[] {
  const cursor = new Cursor(text)
  const names: PropertyName[] = []
  let isAll = false
  do {
    cursor.skipSpace()
    if (cursor.takeText('*')) isAll = true
    else if (cursor.text[cursor.at] === '@') throw cursor.unsupported('annotations in $select')
    else names.push(readSelected(cursor))
    cursor.skipSpace()
  } while (cursor.takeText(','))
  cursor.expectEnd()
  return isAll ? 'all' : names
}

function readSelected(cursor: Cursor): PropertyName {
  const property = readProperty(cursor)
  if (cursor.text[cursor.at] === '(') throw cursor.unsupported('query options within $select')
  return property
}

/** A number of rows. */
export function parseRowCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw badRequest('This must be a whole number of rows, 0 or more.')
  return Number(text)
}

export function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw badRequest('This must be true or false.')
}
