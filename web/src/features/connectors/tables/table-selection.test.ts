import type { OfferedTable } from '@tributary/contract/streams'
import { expect, test } from 'vitest'
import {
  type TreeLine,
  matchingTables,
  missingTables,
  type TableSelection,
  selectTables,
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
const every: TableSelection = { isEvery: true, tables: [], leftOut: [] }
const some = (...tables: string[]): TableSelection => ({ isEvery: false, tables, leftOut: [] })

function lineOf(choice: TableSelection, id: string): TreeLine {
  const line = treeLines(offered, choice, new Set(offered.map(({ Name }) => Name))).find((each) => each.id === id)
  if (line === undefined) throw new Error(`There is no line ${id}.`)
  return line
}
const press = (choice: TableSelection, id: string) => toggleLine(choice, lineOf(choice, id), offered)

test('deselecting one of all tables selects the others', () => {
  expect(press(every, 'shop.orders')).toEqual(some('shop.people'))
})

test('a table is selected as a whole, whatever columns were left out', () => {
  const cut = { ...some('shop.orders'), leftOut: ['shop.orders.note', 'shop.people.email'] }
  expect(lineOf(cut, 'shop.orders').selection).toBe('some')
  expect(press(cut, 'shop.orders')).toEqual({ ...some('shop.orders'), leftOut: ['shop.people.email'] })
})

test('a column is left out and included again, with all tables and with some', () => {
  for (const choice of [every, some('shop.orders')]) {
    const without = press(choice, 'shop.orders.note')
    expect(without).toEqual({ ...choice, leftOut: ['shop.orders.note'] })
    expect(press(without, 'shop.orders.note')).toEqual(choice)
  }
})

test('the first column of an unselected table selects the table with its key and no other column', () => {
  const next = press(some(), 'shop.orders.total')
  expect(next).toEqual({ ...some('shop.orders'), leftOut: ['shop.orders.note'] })
  expect(['id', 'total', 'note'].map((column) => lineOf(next, `shop.orders.${column}`).selection)).toEqual([
    'all',
    'all',
    'none',
  ])
})

test('a key column cannot be left out', () => {
  expect(press(every, 'shop.orders.id')).toBe(every)
})

test('a table named without its schema is recognised, and one that no longer exists is listed', () => {
  const choice = withFullNames(some('Orders', 'shop.people', 'gone'), offered)
  expect(choice.tables).toEqual(['shop.orders', 'shop.people', 'gone'])
  expect(missingTables(choice, offered)).toEqual(['gone'])
  expect(missingTables(every, offered)).toEqual([])
})

test('all matches of a search, by table or column name, are selected at once; other tables stay unchanged', () => {
  const found = matchingTables(offered, ' EMAIL ')
  expect(found).toEqual([people])
  expect(selectTables(some('shop.orders'), found, true, offered).tables).toEqual(['shop.orders', 'shop.people'])
  expect(selectTables(every, found, false, offered)).toEqual(some('shop.orders'))
})

test('only expanded tables show their columns, and each line has its position', () => {
  const lines = treeLines(offered, every, new Set(['shop.people']))
  expect(lines.map(({ id, position, size }) => `${id} ${position}/${size}`)).toEqual([
    'shop.orders 1/2',
    'shop.people 2/2',
    'shop.people.id 1/2',
    'shop.people.email 2/2',
  ])
})
