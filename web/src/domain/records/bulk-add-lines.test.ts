import { expect, test } from 'vitest'
import { countNames, parseNames } from './bulk-add-lines.ts'

test('[AREA-2] names are split at line ends and trimmed; blank lines are none', () => {
  expect(parseNames('  Kitchen \r\n\n\t\nBar\n').map(({ line, flaw }) => [line, flaw])).toEqual([
    ['Kitchen', null],
    ['Bar', null],
  ])
})

test('of what is pasted from a sheet the first column counts', () => {
  expect(parseNames('North\t12\tyes\nSouth\t7\tno').map(({ line }) => line)).toEqual(['North', 'South'])
})

test('a name that stands there twice, or is too long, is said to be so before anything is sent', () => {
  expect(parseNames(`Bar\nbar\n${'x'.repeat(201)}`).map(({ flaw }) => flaw)).toEqual([
    null,
    'stands here twice',
    'is longer than 200 characters',
  ])
})

test('the count says how many names there are', () => {
  expect([countNames(1, 0), countNames(7, 0), countNames(6, 1)]).toEqual(['1 name', '7 names', '6 names, 1 not right'])
})
