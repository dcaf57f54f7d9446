import { expect, test } from 'vitest'
import { elapsedWords, relativeWords } from './relative-time.tsx'

const now = Date.parse('2026-11-20T12:00:00Z')
const ago = (time: string) => relativeWords(Date.parse(time), now)

test('times are told as just now, minutes, hours and days, then as the date', () => {
  expect(ago('2026-11-20T11:59:30Z')).toBe('just now')
  expect(ago('2026-11-20T11:59:00Z')).toBe('1 minute ago')
  expect(ago('2026-11-20T11:01:00Z')).toBe('59 minutes ago')
  expect(ago('2026-11-20T09:00:00Z')).toBe('3 hours ago')
  expect(ago('2026-11-12T12:00:00Z')).toBe('8 days ago')
  expect(ago('2026-10-01T12:00:00Z')).toBe('1 Oct 2026')
})

test('a clock that runs slightly ahead does not make the past the future', () => {
  expect(ago('2026-11-20T12:00:05Z')).toBe('just now')
})

test('durations are told in their two largest units', () => {
  expect(elapsedWords(400)).toBe('under 1 s')
  expect(elapsedWords(5_000)).toBe('5 s')
  expect(elapsedWords(65_000)).toBe('1 min 5 s')
  expect(elapsedWords(7_389_000)).toBe('2 h 3 min')
})
