import { expect, test } from 'vitest'
import { csv } from './csv.ts'

test('an export opens in a spreadsheet as the text that it is', () => {
  expect(
    csv([
      ['Name', 'Status'],
      ['Kitchen, cold', 'active'],
      ['Ō "Bar"', 'archived'],
    ]),
  ).toBe('\uFEFFName,Status\r\n"Kitchen, cold",active\r\n"Ō ""Bar""",archived\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1'])('an export never reckons: %j', (name) => {
  const [line = ''] = csv([[name]])
    .slice(1)
    .split('\r\n')
  expect(line.replaceAll('"', '').startsWith("'")).toBe(true)
})

test('a figure stays one that a spreadsheet adds up; what only claims to be one does not', () => {
  expect(csv([[{ figure: '-1234.50' }, { figure: '-1+cmd' }]])).toBe("\uFEFF-1234.50,'-1+cmd\r\n")
})
