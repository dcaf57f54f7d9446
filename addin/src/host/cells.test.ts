import { expect, test } from 'vitest'
import { convertCells } from './cells.ts'

const convertOne = (value: unknown, format = 'General', { type = 'Double', is1904 = false } = {}) =>
  convertCells({ values: [[value]], valueTypes: [[type]], numberFormat: [[format]] }, is1904)[0]?.[0]

test.each([
  [0.1 + 0.2, '0.30000000000000004'],
  [1234567.89, '1234567.89'],
  [-0.01, '-0.01'],
  [1e21, '1e+21'],
  [9007199254740991, '9007199254740991'],
])('[ENG-5] a number of the sheet keeps every digit: %s', (value, digits) => {
  expect(convertOne(value)).toEqual({ n: digits })
})

test.each([
  [46053, 'yyyy-mm-dd', false, '2026-01-31'],
  [44591, 'dd/mm/yyyy', true, '2026-01-31'],
  [46053.545138888891, 'm/d/yy h:mm', false, '2026-01-31T13:05:00'],
  [1, 'dd.mm.yyyy', false, '1900-01-01'],
  [0, 'dd.mm.yyyy', true, '1904-01-01'],
  [59, '[$-409]d-mmm-yy;@', false, '1900-02-28'],
])('[ENG-5] a date is converted to the calendar: %s as %s, since 1904: %s', (value, format, is1904, day) => {
  expect(convertOne(value, format, { is1904 })).toEqual({ d: day })
})

test.each([
  ['a length of time', 1.5, '[h]:mm', { n: '1.5' }],
  ['a time of day', 0.5, 'hh:mm', '12:00:00'],
  ['the day that Excel alone believes in', 60, 'yyyy-mm-dd', '1900-02-29'],
  ['a number with a letter of a date in its text', 12, '0.00" days"', { n: '12' }],
  ['money in red', -5, '#,##0.00;[Red]-#,##0.00', { n: '-5' }],
])('%s is not a date', (_, value, format, cell) => {
  expect(convertOne(value, format)).toEqual(cell)
})

test('text stays text even if it looks like an error or a number, and an error stays an error', () => {
  expect(convertOne('#REF!', 'General', { type: 'String' })).toBe('#REF!')
  expect(convertOne('#REF!', 'General', { type: 'Error' })).toEqual({ e: '#REF!' })
  expect(convertOne('007', '@', { type: 'String' })).toBe('007')
  expect(convertOne(true, 'General', { type: 'Boolean' })).toBe(true)
  expect(convertOne('', 'General', { type: 'Empty' })).toBeNull()
})
