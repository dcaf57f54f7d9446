import { expect, test } from 'vitest'
import type { DescribedApi } from './calls.ts'
import { recordsOf } from './records.ts'

const list = {
  api: { title: 'Books', code: 'books' } as DescribedApi,
  stream: 'ledger',
  records: '/rows',
  mayBeOmitted: true,
  keyOf: () => '',
  grid: { columns: '/columns', name: '/name', cells: '/cells', rows: '/rows', needs: ['/day/value'] },
}
const columns = [{ name: 'day' }, { name: 'amount' }]
const row = (day: string, amount: string) => ({ cells: [{ value: day }, { value: amount }] })

test('[SRC-4] rows of a report become records by the names of its columns, at any depth, without sums and balances', () => {
  const sums = {
    title: 'Assets',
    rows: [row('2026-01-01', '1.10'), row('', '9.99'), { rows: [row('2026-01-02', '2')] }],
  }
  const reply = { columns, rows: [sums, { ...row('2026-01-03', '3'), rows: [row('2026-01-04', '4')] }] }
  expect(recordsOf(list, 1, reply)).toEqual([
    { day: { value: '2026-01-01' }, amount: { value: '1.10' } },
    { day: { value: '2026-01-02' }, amount: { value: '2' } },
    { day: { value: '2026-01-03' }, amount: { value: '3' } },
    { day: { value: '2026-01-04' }, amount: { value: '4' } },
  ])
})

test('[SRC-4] columns in another order move no value to another column', () => {
  const reply = { columns: columns.toReversed(), rows: [{ cells: [{ value: '5' }, { value: '2026-01-05' }] }] }
  expect(recordsOf(list, 1, reply)).toEqual([{ amount: { value: '5' }, day: { value: '2026-01-05' } }])
})

test('[SRC-4] a row with more or fewer cells than columns, or columns without a name, fail the stream', () => {
  const short = { columns, rows: [{ cells: [{ value: '2026-01-05' }] }] }
  expect(() => recordsOf(list, 1, short)).toThrow('instead of 2 cells')
  const nameless = { columns: [{ name: 'day' }, {}], rows: [row('2026-01-05', '1')] }
  expect(() => recordsOf(list, 1, nameless)).toThrow('instead of the name of a column')
  const doubled = { columns: [{ name: 'day' }, { name: 'day' }], rows: [row('2026-01-05', '1')] }
  expect(() => recordsOf(list, 1, doubled)).toThrow('instead of columns with different names')
})

test('[SRC-3] a missing list is empty only if its description says so, and what it belongs to is there', () => {
  expect(recordsOf({ ...list, records: '/answer/items' }, 1, { answer: {} })).toEqual([])
  expect(() => recordsOf({ ...list, records: '/answer/items' }, 1, { error: 'none' })).toThrow('instead of a list')
  expect(() => recordsOf({ ...list, records: '/answer/items', mayBeOmitted: false }, 1, { answer: {} })).toThrow(
    'instead of a list',
  )
})
