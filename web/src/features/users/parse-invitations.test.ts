import { expect, test } from 'vitest'
import { parseInvites } from './parse-invitations.ts'

test('a line is a name and an address, or the address alone; blank lines are none', () => {
  const text = ' Ana Maria Ruiz <ana@company.com> \n\nben.lee@company.com\nCleo <cleo@company.com>'
  expect(
    parseInvites(text).map(({ firstName, lastName, emailAddress, flaw }) => [firstName, lastName, emailAddress, flaw]),
  ).toEqual([
    ['Ana', 'Maria Ruiz', 'ana@company.com', null],
    ['Ben', 'Lee', 'ben.lee@company.com', null],
    ['Cleo', '-', 'cleo@company.com', null],
  ])
})

test('what is no address, and an address that stands there twice, are told by line', () => {
  const text = 'Ana <ana@company.com>\nnonsense\nAna again <ANA@company.com>\nDora <dora@nowhere>'
  expect(parseInvites(text).map(({ line, flaw }) => [line, flaw])).toEqual([
    ['Ana <ana@company.com>', null],
    ['nonsense', 'Invalid email address'],
    ['Ana again <ANA@company.com>', 'stands here twice'],
    ['Dora <dora@nowhere>', 'Invalid email address'],
  ])
})
