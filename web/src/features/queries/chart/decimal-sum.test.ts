import { expect, test } from 'vitest'
import { sumDecimals } from './decimal-sum.ts'

test.each([
  [['0.1', '0.2'], '0.3'],
  [['12345678901234567890.0123456789', '-0.0000000001'], '12345678901234567890.0123456788'],
  [['-1.50', '1.5'], '0'],
  [['1e3', '2.5E-2'], '1000.025'],
  [['100', '200'], '300'],
  [['NaN', '', '.5', '+7'], '7.5'],
  [[], '0'],
])('[SEE-5] the sum of %j is %s, without rounding', (values, sum) => {
  expect(sumDecimals(values)).toBe(sum)
})
