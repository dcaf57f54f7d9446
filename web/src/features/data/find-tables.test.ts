import type { DataSource } from '@tributary/contract/data'
import { expect, test } from 'vitest'
import { findTables } from './find-tables.ts'

const table = (Name: string, columns: readonly string[], Description: string | null = null) => ({
  Schema: 'shop',
  Name,
  Kind: 'table' as const,
  Description,
  Rows: 1,
  IsEstimate: false,
  Bytes: 1,
  FreshAtUtc: null,
  Fault: null,
  Verification: null,
  Lake: null,
  History: null,
  Columns: columns.map((name) => ({ Name: name, Description: name === 'total' ? 'With tax' : null })),
})
const source = (Name: string, Tables: DataSource['Tables']): DataSource => ({
  Kind: 'connector',
  ConnectorId: null,
  Name,
  Type: 'postgres',
  State: 'fresh',
  Tables,
})
const sources = [
  source('Web shop', [table('invoice', ['id', 'total'], 'What was charged'), table('customer', ['id', 'email'])]),
  source('Stock', [table('movement', ['id', 'place'])]),
]
const found = (term: string) =>
  findTables(sources, term).flatMap(({ tables }) => tables.map(({ table: { Name }, columns }) => [Name, columns]))

test.each([
  [
    '',
    [
      ['invoice', []],
      ['customer', []],
      ['movement', []],
    ],
  ],
  ['INVO', [['invoice', []]]],
  ['stock', [['movement', []]]],
  ['charged', [['invoice', []]]],
  ['email', [['customer', ['email']]]],
  ['tax', [['invoice', ['total']]]],
  [
    'web id',
    [
      ['invoice', ['id']],
      ['customer', ['id']],
    ],
  ],
  ['nothing', []],
])('[SEE-3] a search for %j finds tables by their names, columns and descriptions', (term, expected) => {
  expect(found(term)).toEqual(expected)
})
