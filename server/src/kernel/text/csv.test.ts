import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  [' blank before', '" blank before"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['\0x', "'\0x"],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['1-2', '1-2'],
])('%j is written as %j', (value, written) => {
  expect(csvLine([value, 'next'])).toBe(`${written},next\r\n`)
})
