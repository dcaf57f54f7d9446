import { expect, test } from 'vitest'
import { simulateUniconta, tinySize } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { sourceDictionary } from '../described/odata/dictionary.ts'
import { tableName } from '../described/odata/metadata/tables.ts'
import { toSnakeCase } from '../http/fields.ts'
import { unicontaDescription } from './source.ts'

const { sets } = unicontaDescription
const tableOfSet = (set: string): string => tableName(unicontaDescription, set)
const unicontaDictionary = sourceDictionary(unicontaDescription)

async function simulatedTables() {
  await using uniconta = await simulateUniconta({ size: tinySize, companies: 2 })
  await using source = await uniconta.open(undefined, { 'uniconta.tables': '*' })
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
}

test('[SEE-6] the dictionary of Uniconta describes every table that is read by default', () => {
  expect(
    Object.keys(sets)
      .map(tableOfSet)
      .filter((name) => unicontaDictionary.tables[name] === undefined),
  ).toEqual([])
})

test('[SEE-6] every table and column of a company is described; fields that the company has added are said to be such', async () => {
  const tables = await simulatedTables()
  const columns = tables.flatMap(({ name, columns: all }) => all.map((column) => ({ table: name, ...column })))
  expect(tables.filter(({ description }) => description === undefined)).toEqual([])
  expect(columns.filter(({ description }) => description === undefined)).toEqual([])
  const general = columns.filter(({ description = '' }) => description.includes('your company has added'))
  expect(general.map(({ sourceField }) => sourceField).toSorted()).toEqual([
    'AnnualTarget',
    'LoyaltyPoints',
    'Organic',
    'Region',
    'Sector',
    'Shelf',
  ])
})

test('[SEE-6] the dictionary of Uniconta describes no column that no table has', async () => {
  const tables = await simulatedTables()
  const keys = Object.entries(sets).flatMap(([set, { key: parts = [] }]) =>
    parts.map((part) => [tableOfSet(set), toSnakeCase(part)]),
  )
  const has = (table: string | null, column: string): boolean =>
    tables.some(
      ({ name, columns }) =>
        (table === null || table === name) &&
        columns.some((each) => each.name === column || each.name.replace(/\d+/, '#') === column),
    ) || keys.some(([name, part = '']) => (table === null || table === name) && part.replace(/\d+/, '#') === column)
  const own = Object.entries(unicontaDictionary.tables).flatMap(([table, { columns = {} }]) =>
    Object.keys(columns).map((column) => [table, column] as const),
  )
  expect(own.filter(([table, column]) => !has(table, column))).toEqual([])
  expect(Object.keys(unicontaDictionary.columns).filter((column) => !has(null, column))).toEqual([])
})

test('[SEE-6] numbers of Uniconta are unique within a company, so relations include the company', async () => {
  const lines = (await simulatedTables()).find(({ name }) => name === 'debtor_order_line')
  expect(lines?.references).toContainEqual({
    columns: ['company_id', 'order_number'],
    table: 'debtor_order',
    to: ['company_id', 'order_number'],
  })
})
