import { expect, test } from 'vitest'
import { describeFilter, formatCell, formatRowsCell } from './data-words.ts'
import { formatSize } from '../../ui/formats.ts'
import { defaultView, parseView, toAddress } from './table-address.ts'

test.each([
  ['decimal', '1234567890123456789.1234567891', '1,234,567,890,123,456,789.1234567891'],
  ['decimal', '-3.50', '−3.50'],
  ['decimal', 'NaN', 'NaN'],
  ['integer', '9007199254740993', '9007199254740993'],
  ['boolean', true, 'true'],
  ['text', '', ''],
  ['text', null, '–'],
  ['date', '0001-01-01', '0001-01-01'],
] as const)('[SEE-4] a %s %j is shown with all its digits', (Kind, value, shown) => {
  expect(formatCell(value, { Kind })).toBe(shown)
})

test('[SEE-3] an estimate of rows is marked as one, and a size has a unit', () => {
  expect(formatRowsCell({ Rows: 1_234_567, IsEstimate: true })).toBe('≈ 1,200,000')
  expect(formatRowsCell({ Rows: 1_234, IsEstimate: false })).toBe('1,234')
  expect(formatRowsCell({ Rows: null, IsEstimate: false })).toBe('–')
  expect([0, 8_192, 5_500_000, null].map(formatSize)).toEqual(['0 B', '8 KiB', '5.2 MiB', '–'])
})

test('[SEE-4] a view is kept in the address, and what cannot be read is left out', () => {
  const view = {
    filters: [{ column: 'total', operator: 'between' as const, values: ['1', ''] }],
    sort: 'total',
    isDescending: true,
    asOf: '2026-11-28T06:00:00.123456Z',
  }
  expect(parseView(new URLSearchParams(toAddress(view)))).toEqual(view)
  const broken = new URLSearchParams({ filters: '[{"column":"a","operator":"drop"},3]' })
  expect(parseView(broken)).toEqual(defaultView)
  expect(parseView(new URLSearchParams({ filters: '{' }))).toEqual(defaultView)
})

test('[SEE-4] a filter is described in words', () => {
  expect(
    [
      { column: 'total', operator: 'between' as const, values: ['1', '2'] },
      { column: 'total', operator: 'between' as const, values: ['', '2'] },
      { column: 'total', operator: 'between' as const, values: ['1', ''] },
      { column: 'state', operator: 'oneOf' as const, values: ['PAID', 'DRAFT'] },
      { column: 'note', operator: 'empty' as const },
    ].map(describeFilter),
  ).toEqual([
    'total is from 1 to 2',
    'total is 2 or less',
    'total is 1 or more',
    'state is PAID or DRAFT',
    'note is empty',
  ])
})
