import { expect, test } from 'vitest'
import { nextPromise } from './promised-time.ts'

const workingDays = [1, 2, 3, 4, 5]
const next = (minute: number, timeZone: string, after: string, days: readonly number[] = workingDays) =>
  new Date(nextPromise({ minute, days }, timeZone, Date.parse(after))).toISOString()

test('[SCALE-3] the next promise is on the clock of the organisation, on its days only', () => {
  const half = 7 * 60 + 30
  // A Friday.
  expect(next(half, 'Europe/London', '2026-11-27T07:29:00Z')).toBe('2026-11-27T07:30:00.000Z')
  expect(next(half, 'Europe/London', '2026-11-27T07:30:00Z')).toBe('2026-11-30T07:30:00.000Z')
  expect(next(half, 'Pacific/Auckland', '2026-11-29T12:00:00Z')).toBe('2026-11-29T18:30:00.000Z')
  expect(next(half, 'America/Los_Angeles', '2026-11-28T00:00:00Z', [6])).toBe('2026-11-28T15:30:00.000Z')
  expect(next(0, 'UTC', '2026-11-27T00:00:00Z', [5])).toBe('2026-12-04T00:00:00.000Z')
})

test('[SCALE-3] on days of daylight-saving changes a promise is at its time, at the end of the gap, or at the first of two', () => {
  const sunday = [7]
  expect(next(7 * 60 + 30, 'Europe/Berlin', '2026-03-28T12:00:00Z', sunday)).toBe('2026-03-29T05:30:00.000Z')
  expect(next(2 * 60 + 30, 'Europe/Berlin', '2026-03-28T12:00:00Z', sunday)).toBe('2026-03-29T01:00:00.000Z')
  expect(next(2 * 60 + 30, 'Europe/Berlin', '2026-10-24T12:00:00Z', sunday)).toBe('2026-10-25T00:30:00.000Z')
  expect(next(2 * 60 + 30, 'Europe/Berlin', '2026-10-25T00:30:00Z', sunday)).toBe('2026-11-01T01:30:00.000Z')
})

test('[SCALE-3] promises of a year follow each other, one a day of the wish', () => {
  for (const timeZone of ['Europe/London', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe']) {
    let at = Date.parse('2026-01-01T00:00:00Z')
    const days: string[] = []
    const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
    for (let count = 0; count < 366; count += 1) {
      at = nextPromise({ minute: 150, days: [1, 2, 3, 4, 5, 6, 7] }, timeZone, at)
      days.push(day.format(at))
    }
    expect(new Set(days).size).toBe(366)
  }
})
