import { expect, test } from 'vitest'
import { decodeRows } from '../../encoding/copy-text.ts'
import { encodeDocuments, listOf, parentTable } from './documents.ts'
import { integer, keyed, text } from './fields.ts'

const sale = parentTable('sale', { ID: keyed(integer), Name: text }, [listOf('sale_line', 'Lines', { SKU: text })])

test('[SRC-3] of a document that a page has twice only the last version is encoded, with its lines', async () => {
  const batches = await encodeDocuments(sale, [
    { ID: 1, Name: 'first', Lines: [{ SKU: 'a' }, { SKU: 'b' }] },
    { ID: 2, Name: 'other', Lines: [{ SKU: 'c' }] },
    { ID: 1, Name: 'last', Lines: [{ SKU: 'd' }] },
  ])
  expect(batches.map(({ table, rows, bytes }) => [table, rows, decodeRows(bytes)])).toEqual([
    [
      'sale',
      2,
      [
        ['2', 'other'],
        ['1', 'last'],
      ],
    ],
    [
      'sale_line',
      2,
      [
        ['2', '1', 'c'],
        ['1', '1', 'd'],
      ],
    ],
  ])
})

test('documents without a key are all encoded, so that the target rejects and reports each', async () => {
  const [batch] = await encodeDocuments(sale, [{ Name: 'one' }, { Name: 'two' }])
  expect(decodeRows(batch?.bytes ?? new Uint8Array())).toEqual([
    [null, 'one'],
    [null, 'two'],
  ])
})
