/** Batches with the rules of a stream applied: what is yielded, in which order. */
import { expect, test } from 'vitest'
import { decodeRows, encodeRows } from '../encoding/copy-text.ts'
import type { RowBatch, Table } from '../ports/model.ts'
import type { TableRules } from '../ports/table-rules.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { shapeRows } from './shape-rows.ts'
import { shapeStream } from './shaped-stream.ts'

const main = table('sale', [column('id', { kind: 'text' }, false), column('state', { kind: 'text' })])
const line: Table = {
  ...table(
    'sale_line',
    [column('sale_id', { kind: 'text' }, false), column('n', { kind: 'text' }, false)],
    ['sale_id', 'n'],
  ),
  parentKey: ['sale_id'],
}
const isOpen: TableRules = { conditions: [{ column: 'state', operator: 'is', values: ['open'] }], masks: [] }

async function shaped(batches: readonly RowBatch[], { deletes = true, rules = isOpen } = {}) {
  const of = shapeStream(stream(main, { children: [line], hasDistinctKeys: false }), rules, Buffer.from('key'))
  const found: unknown[] = []
  for await (const each of shapeRows(of, batches, { deletes }))
    found.push({
      table: each.table,
      rows: decodeRows(each.bytes),
      ...(each.deletes && { deletes: true }),
      ...(each.supersedes && { supersedes: true }),
      ...(each.checkpoint && { checkpoint: each.checkpoint }),
    })
  return found
}

test('[SRC-11] rows that do not match become deletions by key, and the lines of their documents are left out', async () => {
  expect(
    await shaped([
      batch(
        main,
        [
          ['a', 'open'],
          ['b', 'void'],
        ],
        { at: 1 },
      ),
      batch(line, [
        ['a', '1'],
        ['b', '1'],
        ['b', '2'],
      ]),
    ]),
  ).toEqual([
    { table: 'sale', rows: [['b']], deletes: true },
    { table: 'sale', rows: [['a', 'open']], checkpoint: { at: 1 } },
    { table: 'sale_line', rows: [['a', '1']] },
  ])
})

test('[SRC-11] a document that is read twice counts as it was read last, also if what was written first has to be deleted', async () => {
  expect(
    await shaped([batch(main, [['a', 'open']]), batch(main, [['a', 'void']]), batch(main, [['a', 'open']])]),
  ).toEqual([
    { table: 'sale', rows: [['a', 'open']] },
    { table: 'sale', rows: [['a']], deletes: true, supersedes: true },
    { table: 'sale', rows: [] },
    { table: 'sale', rows: [['a', 'open']] },
  ])
  expect(
    await shaped(
      [
        batch(main, [
          ['a', 'open'],
          ['a', 'void'],
        ]),
      ],
      { deletes: false },
    ),
  ).toEqual([{ table: 'sale', rows: [] }])
})

test('[SRC-11] rows that are cut between two batches, and values with tabs, line ends and backslashes, are kept whole', async () => {
  const rows = [
    ['a\\\t\nä', 'open'],
    ['b', 'void'],
    ['😀', 'open'],
  ]
  const bytes = Buffer.from(encodeRows(rows))
  const cut = [bytes.subarray(0, 5), bytes.subarray(5, 17), bytes.subarray(17)].map((part) => ({
    table: 'sale',
    bytes: part,
    rows: 1,
  }))
  const found = (await shaped(cut, { deletes: false })) as { rows: unknown[] }[]
  expect(found.flatMap((each) => each.rows)).toEqual([rows[0], rows[2]])
  await expect(shaped(cut.slice(0, 2))).rejects.toThrow('ended in the middle of a row')
})

test('[SRC-11] masks keep null, hide short values completely, and hash values that mean the same alike', async () => {
  const types = table('sale', [
    column('id', { kind: 'text' }, false),
    column('n', { kind: 'decimal' }),
    column('t', { kind: 'text' }),
  ])
  const of = shapeStream(
    stream(types),
    {
      conditions: [],
      masks: [
        { table: 'sale', column: 'n', method: { kind: 'hash' } },
        { table: 'sale', column: 't', method: { kind: 'keepEnd', characters: 2 } },
      ],
    },
    Buffer.from('key'),
  )
  const rows: (string | null)[][] = []
  const batches = [
    batch(types, [
      ['a', '1.50', 'secret😀x'],
      ['b', '1.5', 'ab'],
      ['c', null, null],
    ]),
  ]
  for await (const each of shapeRows(of, batches, { deletes: false })) rows.push(...decodeRows(each.bytes))
  expect(rows[0]?.[1]).toMatch(/^[0-9a-f]{64}$/u)
  expect(rows[1]?.[1]).toBe(rows[0]?.[1])
  expect(rows.map((row) => row[2])).toEqual(['******😀x', '**', null])
  expect(rows[2]?.[1]).toBeNull()
})
