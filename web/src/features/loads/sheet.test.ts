import type { SheetCell } from '@tributary/contract/cells'
import { expect, test } from 'vitest'
import { checkFiles } from './file-dropzone.tsx'
import { type UploadedSheet, viewSheet } from './sheet.ts'
import { likelyHeadingRow } from '@tributary/contract/sheet-preview'
import { formatDecimal } from '../../ui/formats.ts'

const sheetOf = (...rows: SheetCell[][]): UploadedSheet => ({
  Name: 'Plan',
  Rows: rows.length,
  FirstRows: rows,
  Notice: null,
  DateQuestion: null,
})

test('the fullest row is the heading row, whatever is above the table', () => {
  const sheet = sheetOf(['Budget 2026'], [], ['Area', 'Month', 'Amount'], ['Quay', { d: '2026-01-31' }, { n: '12.50' }])
  expect(likelyHeadingRow(sheet.FirstRows) + 1).toBe(3)
  expect(viewSheet(sheet, 3)).toMatchObject({
    headings: ['Area', 'Month', 'Amount'],
    types: ['text', 'date', 'number'],
    missing: ['Entity', 'Subarea', 'Milestone'],
    problem: null,
  })
})

test('a column keeps its position when a heading before it is missing, so that no value is dropped silently', () => {
  const sheet = sheetOf([null, 'Area'], [{ n: '1' }, 'Quay'])
  expect(viewSheet(sheet, 1).headings).toEqual(['', 'Area'])
})

test.each<[string, SheetCell[], string | null]>([
  ['numbers', [{ n: '1' }, null, { n: '2.5' }], 'number'],
  ['days and moments', [{ d: '2026-01-31' }, { d: '2026-01-31T13:05:00' }], 'moment'],
  ['numbers and words', [{ n: '1' }, 'none'], 'text'],
  ['truths', [true, false], 'truth'],
  ['an error of the sheet', [{ e: '#REF!' }], 'text'],
  ['nothing', [null, ''], null],
])('a column of %s has the type that fits all of them', (_, cells, type) => {
  expect(viewSheet(sheetOf(['Value'], ...cells.map((cell) => [cell])), 1).types).toEqual([type])
})

test('the dimensions of a row are recognised in any case, with any accents or spaces', () => {
  expect(viewSheet(sheetOf([' ENTITY', 'area ', 'SubArea', 'milestone'], ['a', 'b', 'c', 'd']), 1).missing).toEqual([])
})

test('a sheet that cannot be checked says what to do, with the cell', () => {
  expect(viewSheet(sheetOf([], ['a']), 1).problem).toBe('Row 1 is empty. Choose the row that holds the headings.')
  expect(viewSheet(sheetOf(['a', 'b'.repeat(201)], ['1']), 1).problem).toContain(
    'The heading in B1 is longer than 200 characters.',
  )
  expect(viewSheet(sheetOf(Array.from({ length: 501 }, (_, at) => `c${at}`)), 1).problem).toContain('501 columns')
  expect(viewSheet(sheetOf(['Only headings']), 1).problem).toContain('There is nothing below row 1.')
})

test('a file that cannot be read is refused before it is sent, with the reason', () => {
  expect(checkFiles([{ name: 'plan.XLSX', size: 20 * 1_048_576 }])).toBeNull()
  expect(checkFiles([{ name: 'plan.csv', size: 20 * 1_048_576 + 1 }])).toContain(
    'has 20.1 MiB, and a file may have 20 MiB',
  )
  expect(checkFiles([{ name: 'plan.xls', size: 1 }])).toContain('save it as .xlsx')
  expect(checkFiles([{ name: 'plan.csv', size: 0 }])).toContain('is empty')
  expect(checkFiles([1, 2].map((n) => ({ name: `${n}.csv`, size: n })))).toContain('one file')
})

test('an amount is displayed with all of its digits', () => {
  expect(formatDecimal('-1234567890123456789012345678.0123456789')).toBe(
    '−1,234,567,890,123,456,789,012,345,678.0123456789',
  )
  expect(formatDecimal('0')).toBe('0')
})

test('a sheet whose name is longer than a receipt stores says what to do', () => {
  const sheet = {
    Name: 'x'.repeat(101),
    Rows: 2,
    FirstRows: [['Amount'], [{ n: '1' }]],
    Notice: null,
    DateQuestion: null,
  }
  expect(viewSheet(sheet, 1).problem).toBe(
    'The name of the sheet is longer than 100 characters. Shorten it, and choose the file again.',
  )
  expect(viewSheet({ ...sheet, Name: 'x'.repeat(100) }, 1).problem).toBeNull()
})
