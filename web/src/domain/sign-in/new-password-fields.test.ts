import { expect, test } from 'vitest'
import { strengthOf } from './new-password-fields.tsx'

test.each([
  ['ab1', 0],
  ['aaaaaaaaaaaaaaaa', 1],
  ['password1234', 1],
  ['abcabcabcabc', 1],
  ['k3vmq2', 1],
  ['Harbour7', 2],
  ['Harbour7Sea', 3],
  ['quiet-river-77-stones', 4],
])('a password like %s is of strength %i of 4', (password, strength) => {
  expect(strengthOf(password, 6)).toBe(strength)
})

test('a password that the server would refuse as too short is never called more than that', () => {
  expect(strengthOf('Xq7-Kp2-Zt', 12)).toBe(0)
})
