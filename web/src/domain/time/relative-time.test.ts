import { now as serverNow } from '@tributary/client/server-clock'
import { afterEach, expect, test } from 'vitest'
import { setFormatSettings } from '../../ui/formats.ts'
import { formatElapsed, formatRelativeTime, formatTimesIn } from './relative-time.tsx'

afterEach(() => setFormatSettings({ locale: null, timeZone: null }))

const now = Date.parse('2026-11-20T12:00:00Z')
const ago = (time: string) => formatRelativeTime(Date.parse(time), now)

test("a relative time is 'just now', then minutes, hours and days, then the date", () => {
  expect(ago('2026-11-20T11:59:30Z')).toBe('just now')
  expect(ago('2026-11-20T11:59:00Z')).toBe('1 minute ago')
  expect(ago('2026-11-20T11:01:00Z')).toBe('59 minutes ago')
  expect(ago('2026-11-20T09:00:00Z')).toBe('3 hours ago')
  expect(ago('2026-11-12T12:00:00Z')).toBe('8 days ago')
  expect(ago('2026-10-01T12:00:00Z')).toBe('1 Oct 2026')
})

test('a clock slightly ahead does not turn the past into the future', () => {
  expect(ago('2026-11-20T12:00:05Z')).toBe('just now')
})

test('a duration has its two largest units', () => {
  expect(formatElapsed(400)).toBe('under 1 s')
  expect(formatElapsed(5_000)).toBe('5 s')
  expect(formatElapsed(65_000)).toBe('1 min 5 s')
  expect(formatElapsed(7_389_000)).toBe('2 h 3 min')
})

test('[UX-PREF-3] times in the texts of the server are written on the person’s clock, today’s without the date', () => {
  setFormatSettings({ locale: 'en-GB', timeZone: 'Pacific/Auckland' })
  const text = 'Right as of 2026-11-19T18:05:00.123456Z, when the last run completed.'
  expect(formatTimesIn(text)).toBe('Right as of Fri 20 Nov, 07:05, when the last run completed.')
  const today = new Date(serverNow()).toISOString()
  expect(formatTimesIn(`Waiting until ${today}`)).toMatch(/^Waiting until \d\d:\d\d$/u)
  expect(formatTimesIn('Nothing has changed since.')).toBe('Nothing has changed since.')
})
