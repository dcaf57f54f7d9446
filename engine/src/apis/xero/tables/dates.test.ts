import { expect, test } from 'vitest'
import { asDay, asMoment, lastDayOf, monthsFrom, formatMonth, plusMonths } from './dates.ts'

test.each([
  ['/Date(1714521600000+0000)/', '2024-05-01', '2024-05-01 00:00:00.000+00'],
  ['/Date(1714521600000)/', '2024-05-01', '2024-05-01 00:00:00.000+00'],
  ['/Date(0+0000)/', '1970-01-01', '1970-01-01 00:00:00.000+00'],
  ['/Date(-2208988800000+0000)/', '1900-01-01', '1900-01-01 00:00:00.000+00'],
  ['/Date(-1)/', '1969-12-31', '1969-12-31 23:59:59.999+00'],
  ['/Date(1738234800000+1300)/', '2025-01-31', '2025-01-30 11:00:00.000+00'],
  ['/Date(1738310400000-0930)/', '2025-01-30', '2025-01-31 08:00:00.000+00'],
  ['2024-05-01T00:00:00', '2024-05-01', '2024-05-01 00:00:00.000+00'],
  ['2024-05-23T00:10:11Z', '2024-05-23', '2024-05-23 00:10:11+00'],
  ['/Date(-62135596800000+0000)/', null, null],
  ['', null, null],
  [null, null, null],
])('%s is the day %s and the instant %s', (written, day, moment) => {
  expect([asDay(written), asMoment(written)]).toEqual([day, moment])
})

test('an invalid date is passed through, so that the target rejects the row instead of storing a guess', () => {
  expect(asMoment('/Date(99999999999999999)/')).toBe('/Date(99999999999999999)/')
  expect(asMoment('soon')).toBe('soon')
})

test('months have their length, including leap years', () => {
  expect(['2024-02-01', '2026-02-01', '2026-12-01'].map(lastDayOf)).toEqual(['2024-02-29', '2026-02-28', '2026-12-31'])
  expect([plusMonths('2026-11-01', 3), plusMonths('2026-01-01', -1)]).toEqual(['2027-02-01', '2025-12-01'])
  expect(monthsFrom('2025-11-01', '2026-02-01')).toBe(3)
  expect(formatMonth('2026-03-01')).toBe('March 2026')
})
