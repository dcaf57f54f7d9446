import type { Cell } from '@tributary/contract/cells'
import { expect, test } from 'vitest'
import { refusalOf } from './file-dropzone.tsx'
import { likelyHeadingRow, type Sheet, viewOf } from './sheet.ts'
import { amount } from './load-wording.ts'

const sheetOf = (...rows: Cell[][]): Sheet => ({
  Name: 'Plan',
  Rows: rows.length,
  FirstRows: rows,
  Notice: null,
  DateQuestion: null,
})

test('the headings are taken from the fullest row, whatever stands above the table', () => {
  const sheet = sheetOf(['Budget 2026'], [], ['Area', 'Month', 'Amount'], ['Quay', { d: '2026-01-31' }, { n: '12.50' }])
  expect(likelyHeadingRow(sheet)).toBe(3)
  expect(viewOf(sheet, 3)).toMatchObject({
    headings: ['Area', 'Month', 'Amount'],
    types: ['text', 'date', 'number'],
    missing: ['Entity', 'Subarea', 'Milestone'],
    problem: null,
  })
})

test('a column keeps its place when a heading before it is missing, so that no value is left out in silence', () => {
  const sheet = sheetOf([null, 'Area'], [{ n: '1' }, 'Quay'])
  expect(viewOf(sheet, 1).headings).toEqual(['', 'Area'])
})

test.each<[string, Cell[], string | null]>([
  ['numbers', [{ n: '1' }, null, { n: '2.5' }], 'number'],
  ['days and moments', [{ d: '2026-01-31' }, { d: '2026-01-31T13:05:00' }], 'moment'],
  ['numbers and words', [{ n: '1' }, 'none'], 'text'],
  ['truths', [true, false], 'truth'],
  ['an error of the sheet', [{ e: '#REF!' }], 'text'],
  ['nothing', [null, ''], null],
])('a column of %s is told as what all of them fit into', (_, cells, type) => {
  expect(viewOf(sheetOf(['Value'], ...cells.map((cell) => [cell])), 1).types).toEqual([type])
})

test('the planes of a row are found whatever their capitals, accents or blanks', () => {
  expect(viewOf(sheetOf([' ENTITY', 'area ', 'SubArea', 'milestone'], ['a', 'b', 'c', 'd']), 1).missing).toEqual([])
})

test('what cannot be asked about says what to do, with the cell', () => {
  expect(viewOf(sheetOf([], ['a']), 1).problem).toBe('Row 1 is empty. Choose the row that holds the headings.')
  expect(viewOf(sheetOf(['a', 'b'.repeat(201)], ['1']), 1).problem).toContain(
    'The heading in B1 is longer than 200 characters.',
  )
  expect(viewOf(sheetOf(Array.from({ length: 501 }, (_, at) => `c${at}`)), 1).problem).toContain('501 columns')
  expect(viewOf(sheetOf(['Only headings']), 1).problem).toContain('There is nothing below row 1.')
})

test('a file that cannot be read is refused before it is sent, and told why', () => {
  expect(refusalOf([{ name: 'plan.XLSX', size: 20 * 1_048_576 }])).toBeNull()
  expect(refusalOf([{ name: 'plan.csv', size: 20 * 1_048_576 + 1 }])).toContain(
    'has 20.1 MiB, and a file may have 20 MiB',
  )
  expect(refusalOf([{ name: 'plan.xls', size: 1 }])).toContain('save it as .xlsx')
  expect(refusalOf([{ name: 'plan.csv', size: 0 }])).toContain('is empty')
  expect(refusalOf([1, 2].map((n) => ({ name: `${n}.csv`, size: n })))).toContain('one file')
})

test('an amount loses none of its digits on screen', () => {
  expect(amount('-1234567890123456789012345678.0123456789')).toBe('−1,234,567,890,123,456,789,012,345,678.0123456789')
  expect(amount('0')).toBe('0')
})

test('a sheet whose name is longer than a receipt keeps is told what to do', () => {
  const sheet = {
    Name: 'x'.repeat(101),
    Rows: 2,
    FirstRows: [['Amount'], [{ n: '1' }]],
    Notice: null,
    DateQuestion: null,
  }
  expect(viewOf(sheet, 1).problem).toBe(
    'The name of the sheet is longer than 100 characters. Shorten it, and choose the file again.',
  )
  expect(viewOf({ ...sheet, Name: 'x'.repeat(100) }, 1).problem).toBeNull()
})
