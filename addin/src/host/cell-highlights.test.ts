import { afterEach, expect, test } from 'vitest'
import { closeWorkbook, openWorkbook } from '@tributary/testing/addin/workbook.ts'
import { clearHighlights, hasHighlights, highlightCells } from './cell-highlights.ts'

afterEach(closeWorkbook)

const highlighted = { color: '#FFC7CE', pattern: 'Solid' }
const yellow = { color: '#FFFF00', pattern: 'Solid' }

test('[ENG-5] cells with errors get a colour and a note, and clearing the highlights restores the sheet', async () => {
  const workbook = openWorkbook({ rows: [['Amount'], ['x']], fills: { C3: yellow } })
  await highlightCells('sheet-1', [
    { cell: 'B2', message: 'It is no number.' },
    { cell: 'B2', message: 'It is not in Accounts.' },
    { cell: 'C3', message: 'There is no area ‘X’.' },
  ])
  expect(Object.fromEntries(workbook.fills)).toEqual({ B2: highlighted, C3: highlighted })
  expect(workbook.notes.get('B2')).toBe('Tributary: It is no number.\nIt is not in Accounts.')
  expect(hasHighlights()).toBe(true)

  await clearHighlights()
  expect(Object.fromEntries(workbook.fills)).toEqual({ C3: yellow })
  expect(workbook.notes.size).toBe(0)
  expect(hasHighlights()).toBe(false)
})

test('new highlights replace the earlier ones', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  await highlightCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  await highlightCells('sheet-1', [{ cell: 'A2', message: 'Two.' }])
  expect([...workbook.fills.keys()]).toEqual(['A2'])
  await clearHighlights()
  expect(workbook.fills.size).toBe(0)
})

test('a colour that a user has chosen in the meantime stays, and so does their own note', async () => {
  const workbook = openWorkbook({ rows: [['x']], notes: { A2: 'Ask Jonas.' } })
  await highlightCells('sheet-1', [
    { cell: 'A1', message: 'One.' },
    { cell: 'A2', message: 'Two.' },
  ])
  expect(workbook.notes.get('A2')).toBe('Ask Jonas.')
  workbook.fills.set('A1', yellow)
  await clearHighlights()
  expect(Object.fromEntries(workbook.fills)).toEqual({ A1: yellow })
  expect(Object.fromEntries(workbook.notes)).toEqual({ A2: 'Ask Jonas.' })
})

test('a setting of another author under the same name is ignored', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  workbook.settings.set('tributary.marks', { cells: 'all' })
  expect(hasHighlights()).toBe(false)
  await highlightCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  expect(workbook.fills.get('A1')).toEqual(highlighted)
})

test('an Excel without notes still colours the cells', async () => {
  const workbook = openWorkbook({ rows: [['x']], hasNotes: false })
  await highlightCells('sheet-1', [{ cell: 'A1', message: 'One.' }])
  expect(workbook.fills.get('A1')).toEqual(highlighted)
  expect(workbook.notes.size).toBe(0)
})

test('a thousand highlights are set in batches of two hundred', async () => {
  const workbook = openWorkbook({ rows: [['x']] })
  await highlightCells(
    'sheet-1',
    Array.from({ length: 1_000 }, (_, at) => ({ cell: `A${at + 1}`, message: 'It is empty.' })),
  )
  expect(workbook.fills.size).toBe(1_000)
  expect(workbook.syncs).toBe(10)
})
