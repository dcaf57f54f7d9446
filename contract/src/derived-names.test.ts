import { expect, test } from 'vitest'
import { cut, excelTableName, inputTableName, shownNames, sqlTableName } from './derived-names.ts'

test('[VER-3] Budget 2026 gives B2SBudget2026 and Budget2026SQLLoader', () => {
  expect(shownNames.version('Budget 2026')).toEqual({ sql: 'B2SBudget2026', excel: 'Budget2026SQLLoader' })
  expect([sqlTableName.version('Budget 2026'), excelTableName.version('Budget 2026')]).toEqual([
    'B2SBudget2026',
    'Budget2026SQLLoader',
  ])
})

test('[VER-3] the name without spaces is cut to twenty characters and three dots, and only when it is longer', () => {
  expect(shownNames.version('Twenty characters, is it')).toEqual({
    sql: 'B2STwentycharacters,isi...',
    excel: 'Twentycharacters,isi...SQLLoader',
  })
  expect(cut('a'.repeat(20))).toBe('a'.repeat(20))
  expect(cut('a'.repeat(21))).toBe(`${'a'.repeat(20)}...`)
  // A letter outside the basic plane is one character, and never cut in half.
  expect(cut('😀'.repeat(21))).toBe(`${'😀'.repeat(20)}...`)
})

test('[VER-3] the table in the database has the whole name, whatever kind of space was in it', () => {
  const name = 'A budget\u00A0for the\twhole of the group 2026'
  expect(sqlTableName.version(name)).toBe('B2SAbudgetforthewholeofthegroup2026')
  expect(excelTableName.version(name)).toBe('Abudgetforthewholeofthegroup2026SQLLoader')
})

test.each([
  ['Cost centres', 'Costcentres'],
  ['2026 Rates', '026Rates'],
  ['(7) seven', 'seven'],
  ['Größe – Ø', 'GrößeØ'],
  ['snake_case-and.dots', 'snakecaseanddots'],
  ['!?', ''],
  ['5', ''],
])('[HELP-2] the input table of %j is called %j', (name, expected) => {
  expect(inputTableName(name)).toBe(expected)
  expect(sqlTableName.helperTable(expected)).toBe(`B2S${expected}`)
  expect(excelTableName.helperTable(expected)).toBe(`${expected}SQLLoader`)
})

test('[HELP-2] helper tables are shown by their input table, cut like versions', () => {
  expect(shownNames.helperTable('Exchangeratesofthewholegroup')).toEqual({
    sql: 'B2SExchangeratesofthewh...',
    excel: 'Exchangeratesofthewh...SQLLoader',
  })
})
