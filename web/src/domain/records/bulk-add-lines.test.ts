import { expect, test } from 'vitest'
import { formatNameCount, parseNames } from './bulk-add-lines.ts'

test('[AREA-2] names are split at line ends and trimmed; blank lines are skipped', () => {
  expect(parseNames('  Kitchen \r\n\n\t\nBar\n').map(({ line, error }) => [line, error])).toEqual([
    ['Kitchen', null],
    ['Bar', null],
  ])
})

test('text pasted from a spreadsheet uses its first column', () => {
  expect(parseNames('North\t12\tyes\nSouth\t7\tno').map(({ line }) => line)).toEqual(['North', 'South'])
})

test('a duplicate name and a name that is too long are reported before anything is sent', () => {
  expect(parseNames(`Bar\nbar\n${'x'.repeat(201)}`).map(({ error }) => error)).toEqual([
    null,
    'is listed twice',
    'is longer than 200 characters',
  ])
})

test('the count separates valid and invalid names', () => {
  expect([formatNameCount(1, 0), formatNameCount(7, 0), formatNameCount(6, 1)]).toEqual([
    '1 name',
    '7 names',
    '6 names, 1 invalid',
  ])
})
