import { expect, test } from 'vitest'
import { dayText, instantText, millisecondsOf, momentParameter, timestampText } from './moments.ts'

const utc = { zone: 'UTC', digits: 7 }

test.each([
  ['2026-01-31T13:05:00.1234567Z', 'iso', utc, '2026-01-31 13:05:00.1234567+00'],
  ['2026-01-31T13:05:00.1239999Z', 'iso', { zone: 'UTC', digits: 3 }, '2026-01-31 13:05:00.123+00'],
  ['2026-01-31T13:05:00+01:00', 'iso', utc, '2026-01-31 12:05:00+00'],
  ['2026-01-31T00:30:00+0530', 'iso', utc, '2026-01-30 19:00:00+00'],
  ['2026-01-31 13:05', 'iso', utc, '2026-01-31 13:05:00+00'],
  ['2026-01-31', 'iso', { zone: 'Europe/Copenhagen', digits: 0 }, '2026-01-30 23:00:00+00'],
  ['2026-07-01T10:00:00', 'iso', { zone: 'Europe/Copenhagen', digits: 0 }, '2026-07-01 08:00:00+00'],
  // Clocks go back at 03:00: 02:30 occurs twice, and counts as the first time.
  ['2026-10-25T02:30:00', 'iso', { zone: 'Europe/Copenhagen', digits: 0 }, '2026-10-25 00:30:00+00'],
  // Clocks go forward at 02:00: 02:30 does not occur.
  ['2026-03-29T02:30:00', 'iso', { zone: 'Europe/Copenhagen', digits: 0 }, '2026-03-29 01:30:00+00'],
  ['1769864700', 'unixSeconds', utc, '2026-01-31 13:05:00+00'],
  ['-1', 'unixSeconds', utc, '1969-12-31 23:59:59+00'],
  ['1769864700123', 'unixMilliseconds', utc, '2026-01-31 13:05:00.123+00'],
  ['/Date(1769864700123)/', 'msDate', utc, '2026-01-31 13:05:00.123+00'],
  ['/Date(1769864700123+0000)/', 'msDate', utc, '2026-01-31 13:05:00.123+00'],
] as const)('[SRC-4] %s written as %s is the instant %4$s', (text, format, how, expected) => {
  expect(instantText(text, format, how)).toBe(expected)
})

test.each([
  ['yesterday', 'iso'],
  ['2026-02-31T00:00:00Z', 'iso'],
  ['2026-01-31T25:00:00Z', 'iso'],
  ['12.5.2026', 'iso'],
  ['1769864700x', 'unixSeconds'],
  ['', 'msDate'],
] as const)('[SRC-4] ‘%s’ written as %s is no moment', (text, format) => {
  expect(instantText(text, format, utc)).toBeNull()
  expect(millisecondsOf(text, format, 'UTC')).toBeNull()
})

test('[SRC-4] a day and a timestamp stay as they are written, whatever the zone', () => {
  expect(dayText('2026-01-31T23:59:59+05:00', 'iso')).toBe('2026-01-31')
  expect(timestampText('2026-01-31T23:59:59.5+05:00', 'iso', 3)).toBe('2026-01-31 23:59:59.5')
})

test.each([
  ['iso', '2026-01-31T13:05:00.999Z'],
  ['isoSeconds', '2026-01-31T13:05:00Z'],
  ['unixSeconds', '1769864700'],
  ['unixMilliseconds', '1769864700999'],
  ['date', '2026-01-31'],
] as const)('[SRC-5] a lower bound sent as %s includes the moment itself', (format, expected) => {
  expect(momentParameter(Date.parse('2026-01-31T13:05:00.999Z'), format)).toBe(expected)
})
