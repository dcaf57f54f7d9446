import { expect, test } from 'vitest'
import { forecastMonth, listDays } from './forecast.ts'

/** 100 calls on working days, 10 at weekends. 2026-11-02 is a Monday. */
function countDays(first: string, last: string): Map<string, number> {
  return new Map(
    listDays(first, last).map((day) => [day, [0, 6].includes(new Date(day).getUTCDay()) ? 10 : 100] as const),
  )
}

test('[SRC-6] the month is expected as the mean of like weekdays', () => {
  const counted = countDays('2026-10-01', '2026-11-15')
  // Monday 16 November has begun with 30 calls; 21 working days and 9 days of weekends are in the month.
  counted.set('2026-11-16', 30)
  expect(forecastMonth(counted, '2026-11-16', '2026-10-01')).toEqual({
    used: 10 * 100 + 5 * 10 + 30,
    forecast: 21 * 100 + 9 * 10,
    busiest: { day: '2026-11-17', calls: 100 },
  })
})

test('[SRC-6] a day with more calls than expected counts as it is', () => {
  const counted = countDays('2026-10-01', '2026-11-15')
  counted.set('2026-11-16', 500)
  expect(forecastMonth(counted, '2026-11-16', '2026-10-01').forecast).toBe(21 * 100 + 9 * 10 + 400)
})

test('[SRC-6] nothing is expected before each weekday was counted; days without calls count from the first one on', () => {
  const counted = new Map([['2026-11-10', 700]])
  expect(forecastMonth(counted, '2026-11-16', '2026-11-10')).toEqual({ used: 700, forecast: null, busiest: null })
  // Two Tuesdays are left: 17 and 24 November.
  expect(forecastMonth(counted, '2026-11-17', '2026-11-10').forecast).toBe(700 + 2 * 700)
  expect(forecastMonth(new Map(), '2026-11-17', null)).toEqual({ used: 0, forecast: null, busiest: null })
})
