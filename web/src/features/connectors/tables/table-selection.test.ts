import type { OfferedTable } from '@tributary/contract/streams'
import { expect, test } from 'vitest'
import {
  type Line,
  matchingTables,
  missingTables,
  type TableChoice,
  tickTables,
  toggleLine,
  treeLines,
  withFullNames,
} from './table-selection.ts'

const table = (Name: string, ...columns: string[]): OfferedTable => ({
  Name,
  Key: ['id'],
  Columns: ['id', ...columns].map((column) => ({ Name: column, Type: 'text' })),
  RowsEstimate: null,
  Notice: null,
  Remedy: null,
})
const orders = table('shop.orders', 'total', 'note')
const people = table('shop.people', 'email')
const offered = [orders, people]
const every: TableChoice = { isEvery: true, tables: [], leftOut: [] }
const some = (...tables: string[]): TableChoice => ({ isEvery: false, tables, leftOut: [] })

function lineOf(choice: TableChoice, id: string): Line {
  const line = treeLines(offered, choice, new Set(offered.map(({ Name }) => Name))).find((each) => each.id === id)
  if (line === undefined) throw new Error(`There is no line ${id}.`)
  return line
}
const press = (choice: TableChoice, id: string) => toggleLine(choice, lineOf(choice, id), offered)

test('whoever unticks one of all the tables has chosen the others', () => {
  expect(press(every, 'shop.orders')).toEqual(some('shop.people'))
})

test('a table is ticked as a whole, whatever was left out of it', () => {
  const cut = { ...some('shop.orders'), leftOut: ['shop.orders.note', 'shop.people.email'] }
  expect(lineOf(cut, 'shop.orders').ticked).toBe('some')
  expect(press(cut, 'shop.orders')).toEqual({ ...some('shop.orders'), leftOut: ['shop.people.email'] })
})

test('a column is left out and taken in again, of all tables and of some', () => {
  for (const choice of [every, some('shop.orders')]) {
    const without = press(choice, 'shop.orders.note')
    expect(without).toEqual({ ...choice, leftOut: ['shop.orders.note'] })
    expect(press(without, 'shop.orders.note')).toEqual(choice)
  }
})

test('the first column of a table that was not moved brings the table, with its key, and nothing else', () => {
  const next = press(some(), 'shop.orders.total')
  expect(next).toEqual({ ...some('shop.orders'), leftOut: ['shop.orders.note'] })
  expect(['id', 'total', 'note'].map((column) => lineOf(next, `shop.orders.${column}`).ticked)).toEqual([
    'all',
    'all',
    'none',
  ])
})

test('a column of the key cannot be left out', () => {
  expect(press(every, 'shop.orders.id')).toBe(every)
})

test('a table that was written without its schema is known, and one that is gone is named', () => {
  const choice = withFullNames(some('Orders', 'shop.people', 'gone'), offered)
  expect(choice.tables).toEqual(['shop.orders', 'shop.people', 'gone'])
  expect(missingTables(choice, offered)).toEqual(['gone'])
  expect(missingTables(every, offered)).toEqual([])
})

test('all that a search finds, by a table’s name or a column’s, is ticked at once; the rest stays', () => {
  const found = matchingTables(offered, ' EMAIL ')
  expect(found).toEqual([people])
  expect(tickTables(some('shop.orders'), found, true, offered).tables).toEqual(['shop.orders', 'shop.people'])
  expect(tickTables(every, found, false, offered)).toEqual(some('shop.orders'))
})

test('only open tables show their columns, each line knowing its place', () => {
  const lines = treeLines(offered, every, new Set(['shop.people']))
  expect(lines.map(({ id, position, size }) => `${id} ${position}/${size}`)).toEqual([
    'shop.orders 1/2',
    'shop.people 2/2',
    'shop.people.id 1/2',
    'shop.people.email 2/2',
  ])
})
