import { expect, test } from 'vitest'
import { listRecentDays } from './zoned-time.ts'

const daysOf = (timeZone: string, now: string, count: number) =>
  listRecentDays(timeZone, new Date(now), count).map(({ day, beganAt }) => `${day} ${beganAt.toISOString()}`)

test('[UX-PREF-8] days begin at midnight of the time zone, and the last one is today there', () => {
  expect(daysOf('Pacific/Auckland', '2026-11-25T11:30:00Z', 2)).toEqual([
    '2026-11-25 2026-11-24T11:00:00.000Z',
    '2026-11-26 2026-11-25T11:00:00.000Z',
  ])
  expect(daysOf('UTC', '2026-11-25T00:00:00Z', 1)).toEqual(['2026-11-25 2026-11-25T00:00:00.000Z'])
})

test.each([
  ['is 23 hours long', 'Europe/London', '2026-03-30T12:00:00Z', 23],
  ['is 25 hours long', 'Europe/London', '2026-10-26T12:00:00Z', 25],
  ['has no midnight', 'Africa/Cairo', '2026-04-25T12:00:00Z', 23],
  ['has midnight twice', 'America/Havana', '2026-11-02T17:00:00Z', 25],
])('[UX-PREF-8] the day before today %s in %s when the clock changes', (_, timeZone, now, hours) => {
  const [yesterday, today] = listRecentDays(timeZone, new Date(now), 2).map(({ beganAt }) => beganAt.getTime())
  expect(((today ?? 0) - (yesterday ?? 0)) / 3_600_000).toBe(hours)
})
