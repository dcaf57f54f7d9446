import { expect, test } from 'vitest'
import { parseInvitations } from './parse-invitations.ts'

test('a line is a name and an address, or only an address; blank lines are skipped', () => {
  const text = ' Ana Maria Ruiz <ana@company.com> \n\nben.lee@company.com\nCleo <cleo@company.com>'
  expect(
    parseInvitations(text).map(({ firstName, lastName, emailAddress, error }) => [
      firstName,
      lastName,
      emailAddress,
      error,
    ]),
  ).toEqual([
    ['Ana', 'Maria Ruiz', 'ana@company.com', null],
    ['Ben', 'Lee', 'ben.lee@company.com', null],
    ['Cleo', '-', 'cleo@company.com', null],
  ])
})

test('invalid and repeated addresses are reported by line', () => {
  const text = 'Ana <ana@company.com>\nnonsense\nAna again <ANA@company.com>\nDora <dora@nowhere>'
  expect(parseInvitations(text).map(({ line, error }) => [line, error])).toEqual([
    ['Ana <ana@company.com>', null],
    ['nonsense', 'Invalid email address'],
    ['Ana again <ANA@company.com>', 'is listed twice'],
    ['Dora <dora@nowhere>', 'Invalid email address'],
  ])
})
