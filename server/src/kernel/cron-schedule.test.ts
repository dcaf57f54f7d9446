import { expect, test } from 'vitest'
import { isSchedule, nextFire, previousFire } from './cron-schedule.ts'

/** cron, zone, from, the next fires. London: gap 2026-03-29 01:00Z, overlap 2026-10-25 01:00Z. */
const table: [string, string, string, string[]][] = [
  ['0 6 * * *', 'Europe/London', '2026-03-28T12:00Z', ['2026-03-29T05:00Z', '2026-03-30T05:00Z']],
  ['0 6 * * *', 'Europe/London', '2026-10-24T12:00Z', ['2026-10-25T06:00Z', '2026-10-26T06:00Z']],
  // In the gap: once, right after it, however many fires it held.
  ['30 1 * * *', 'Europe/London', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
  [
    '0,30 1 * * *',
    'Europe/London',
    '2026-03-28T12:00Z',
    ['2026-03-29T01:00Z', '2026-03-30T00:00Z', '2026-03-30T00:30Z'],
  ],
  [
    '30 0-2 * * *',
    'Europe/London',
    '2026-03-29T00:00Z',
    ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-29T23:30Z'],
  ],
  // In the overlap: once, the first time.
  ['30 1 * * *', 'Europe/London', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
  [
    '*/30 1 * * *',
    'Europe/London',
    '2026-10-24T12:00Z',
    ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-26T01:00Z'],
  ],
  ['30 1 * * *', 'Europe/London', '2026-10-25T00:45Z', ['2026-10-26T01:30Z']],
  ['30 1 * * *', 'Europe/London', '2026-10-25T01:15Z', ['2026-10-26T01:30Z']],
  // By elapsed time.
  [
    '*/30 * * * *',
    'Europe/London',
    '2026-10-25T00:20Z',
    ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
  ],
  [
    '*/30 * * * *',
    'Europe/London',
    '2026-03-29T00:20Z',
    ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
  ],
  // New York: gap 2026-03-08 07:00Z, overlap 2026-11-01 06:00Z.
  ['15 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:00Z', '2026-03-09T06:15Z']],
  ['15 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:15Z', '2026-11-02T06:15Z']],
  // Lord Howe Island jumps by half an hour: gap 2026-10-03 15:30Z, overlap 2026-04-04 15:00Z.
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00Z', ['2026-10-03T15:30Z', '2026-10-04T15:15Z']],
  ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00Z', ['2026-04-04T14:45Z', '2026-04-05T15:15Z']],
  // Cairo jumps at midnight: gap 2026-04-23 22:00Z.
  ['0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00Z', ['2026-04-23T22:00Z', '2026-04-24T21:00Z']],
  ['0 9 * * 1', 'Asia/Kolkata', '2026-01-01T00:00Z', ['2026-01-05T03:30Z', '2026-01-12T03:30Z']],
]

test.each(table)('[ENG-1] %s in %s after %s comes due once, whatever the clocks do', (cron, zone, from, fires) => {
  let at = new Date(from)
  for (const expected of fires) {
    const next = nextFire(cron, zone, at)
    expect(next?.toISOString()).toBe(new Date(expected).toISOString())
    at = next ?? at
  }
})

test('a schedule of every zone and year advances and fires a daily time once a local day', () => {
  for (const zone of [
    'Europe/London',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ]) {
    let at = new Date('2026-01-01T00:00Z')
    const days = new Set<string>()
    for (let count = 0; count < 365; count += 1) {
      const next = nextFire('30 2 * * *', zone, at)
      if (next === null || next <= at) throw new Error(`no progress in ${zone} after ${at.toISOString()}`)
      days.add(next.toLocaleDateString('en-GB', { timeZone: zone }))
      at = next
    }
    expect(days.size).toBe(365)
  }
})

test.each(['', '* * * *', '0 0 * * * *', '60 * * * *', '0 24 * * *', '0 0 31 2 *', 'every day', '@daily'])(
  '%j is refused as a schedule',
  (cron) => {
    expect(isSchedule(cron)).toBe(false)
  },
)

test.each(['*/15 * * * *', '0 6 * * 1-5', '30 2 1 * *'])('%j is a schedule', (cron) => {
  expect(isSchedule(cron)).toBe(true)
})

test.each([
  ['0 6 * * *', 'Europe/London', '2026-03-29T04:59Z', '2026-03-28T06:00Z'],
  ['0 6 * * *', 'Europe/London', '2026-03-29T05:00Z', '2026-03-29T05:00Z'],
  ['30 1 * * *', 'Europe/London', '2026-03-29T12:00Z', '2026-03-29T01:00Z'],
  ['* * * * *', 'UTC', '2026-11-20T08:00:30Z', '2026-11-20T08:00Z'],
  ['0 9 * * 1', 'Asia/Kolkata', '2026-01-12T03:29Z', '2026-01-05T03:30Z'],
  ['0 0 1 * *', 'UTC', '2026-11-20T08:00Z', '2026-11-01T00:00Z'],
  ['0 0 1 1 *', 'UTC', '2026-11-20T08:00Z', '2026-01-01T00:00Z'],
])('[UX-HOME-10] the latest fire of %s in %s until %s is %s', (cron, zone, moment, expected) => {
  expect(previousFire(cron, zone, new Date(moment))?.toISOString()).toBe(new Date(expected).toISOString())
})

test('[UX-HOME-10] a schedule that has not fired within a year has no latest fire', () => {
  expect(previousFire('0 0 29 2 *', 'UTC', new Date('2026-11-20T08:00Z'))).toBeNull()
})

test.each([
  ['*/15 * * * *', 'Europe/London'],
  ['30 1 * * *', 'Europe/London'],
  ['0 6 * * 1-5', 'Pacific/Auckland'],
])('[UX-HOME-10] the latest fire of %s in %s is the same in whatever order moments are asked for', (cron, zone) => {
  const start = Date.parse('2026-03-27T00:00Z')
  const moments = Array.from({ length: 200 }, (_, index) => new Date(start + ((index * 61) % 200) * 37 * 60_000))
  for (const moment of [...moments, ...moments.toSorted((a, b) => b.getTime() - a.getTime())]) {
    const fire = previousFire(cron, zone, moment)
    if (fire === null) throw new Error(`no fire until ${moment.toISOString()}`)
    expect(fire <= moment).toBe(true)
    expect((nextFire(cron, zone, fire)?.getTime() ?? 0) > moment.getTime()).toBe(true)
  }
})
