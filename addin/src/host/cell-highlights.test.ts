import { afterEach, expect, test } from 'vitest'
import { closeWorkbook, openWorkbook } from '@tributary/testing/addin/workbook.ts'
import { clearMarks, hasMarks, markCells } from './cell-highlights.ts'

afterEach(closeWorkbook)

const marked = { color: '#FFC7CE', pattern: 'Solid' }
const yellow = { color: '#FFFF00', pattern: 'Solid' }

test('[ENG-5] cells that stand in the way are coloured and annotated, and all is as before when the marks are cleared', async () => {
  const workbook = openWorkbook({ rows: [['Amount'], ['x']], fills: { C3: yellow } })
  await markCells('sheet-1', [
    { cell: 'B2', message: 'It is no number.' },
    { cell: 'B2', message: 'It is not in Accounts.' },
    { cell: 'C3', message: 'There is no area ‘X’.' },
  ])
  expect(Object.fromEntries(workbook.fills)).toEqual({ B2: marked, C3: marked })
  expect(workbook.notes.get('B2')).toBe('Tributary: It is no number.\nIt is not in Accounts.')
  expect(hasMarks()).toBe(true)

  await clearMarks()
  expect(Object.fromEntries(workbook.fills)).toEqual({ C3: yellow })
  expect(workbook.notes.size).toBe(0)
  expect(hasMarks()).toBe(false)
})

test('marking again begins with the sheet as it was before', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  await markCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  await markCells('sheet-1', [{ cell: 'A2', message: 'Two.' }])
  expect([...workbook.fills.keys()]).toEqual(['A2'])
  await clearMarks()
  expect(workbook.fills.size).toBe(0)
})

test('a colour that somebody has chosen meanwhile, and a note of their own, stay', async () => {
  const workbook = openWorkbook({ rows: [['x']], notes: { A2: 'Ask Jonas.' } })
  await markCells('sheet-1', [
    { cell: 'A1', message: 'One.' },
    { cell: 'A2', message: 'Two.' },
  ])
  expect(workbook.notes.get('A2')).toBe('Ask Jonas.')
  workbook.fills.set('A1', yellow)
  await clearMarks()
  expect(Object.fromEntries(workbook.fills)).toEqual({ A1: yellow })
  expect(Object.fromEntries(workbook.notes)).toEqual({ A2: 'Ask Jonas.' })
})

test('marks that a workbook brings along and nobody here has written are left alone', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  workbook.settings.set('tributary.marks', { cells: 'all' })
  expect(hasMarks()).toBe(false)
  await markCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  expect(workbook.fills.get('A1')).toEqual(marked)
})

test('an Excel without notes colours all the same', async () => {
  const workbook = openWorkbook({ rows: [['x']], hasNotes: false })
  await markCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  expect(workbook.fills.get('A1')).toEqual(marked)
  expect(workbook.notes.size).toBe(0)
})

test('a thousand marks go in rounds of two hundred', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  await markCells(
    'sheet-1',
    Array.from({ length: 1_000 }, (_, at) => ({ cell: `A${at + 1}`, message: 'It is empty.' })),
  )
  expect(workbook.fills.size).toBe(1_000)
  expect(workbook.syncs).toBe(10)
})
