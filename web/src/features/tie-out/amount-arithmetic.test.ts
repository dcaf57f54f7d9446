import { expect, test } from 'vitest'
import { isZero, sumAmounts } from './amount-arithmetic.ts'

test.each([
  [[], '0'],
  [['0.1', '0.2'], '0.3'],
  [['-0.05', '0.01'], '-0.04'],
  [['90071992547409931234.57', '-0.58', '1'], '90071992547409931234.99'],
  [['-10', '10.00'], '0.00'],
])('adds amounts exactly: %j', (amounts, total) => {
  expect(sumAmounts(amounts)).toBe(total)
})

test('zero is recognised in every notation', () => {
  expect(['0', '0.00', '-0.00', '0.001', '-5'].map(isZero)).toEqual([true, true, true, false, false])
})
