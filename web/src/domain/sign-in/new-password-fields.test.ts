import { expect, test } from 'vitest'
import { ratePassword } from './new-password-fields.tsx'

test.each([
  ['ab1', 0],
  ['aaaaaaaaaaaaaaaa', 1],
  ['password1234', 1],
  ['abcabcabcabc', 1],
  ['k3vmq2', 1],
  ['Harbour7', 2],
  ['Harbour7Sea', 3],
  ['quiet-river-77-stones', 4],
])('the password %s has strength %i of 4', (password, strength) => {
  expect(ratePassword(password, 6)).toBe(strength)
})

test('a password below the minimum length has strength 0', () => {
  expect(ratePassword('Xq7-Kp2-Zt', 12)).toBe(0)
})
