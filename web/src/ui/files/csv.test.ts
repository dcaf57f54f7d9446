import { expect, test } from 'vitest'
import { formatCsv } from './csv.ts'

test('an export is UTF-8 text with quoted fields', () => {
  expect(
    formatCsv([
      ['Name', 'Status'],
      ['Kitchen, cold', 'active'],
      ['Ō "Bar"', 'archived'],
    ]),
  ).toBe('\uFEFFName,Status\r\n"Kitchen, cold",active\r\n"Ō ""Bar""",archived\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1'])('an export escapes a formula: %j', (name) => {
  const [line = ''] = formatCsv([[name]])
    .slice(1)
    .split('\r\n')
  expect(line.replaceAll('"', '').startsWith("'")).toBe(true)
})

test('a number stays a number; text that only looks like one is escaped', () => {
  expect(formatCsv([[{ figure: '-1234.50' }, { figure: '-1+cmd' }]])).toBe("\uFEFF-1234.50,'-1+cmd\r\n")
})
