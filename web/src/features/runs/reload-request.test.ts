import { expect, test } from 'vitest'
import { dayOf, missing, startOfDay, wishOf } from './reload-request.ts'

const zone = 'Europe/London'

test('a day begins at midnight on the clock of the organisation, in summer, in winter and on the day between', () => {
  expect(startOfDay('2026-07-01', zone)).toBe('2026-06-30T23:00:00.000Z')
  expect(startOfDay('2026-11-20', zone)).toBe('2026-11-20T00:00:00.000Z')
  expect(startOfDay('2026-10-25', zone)).toBe('2026-10-24T23:00:00.000Z')
  expect(startOfDay('2026-11-20', 'Pacific/Auckland')).toBe('2026-11-19T11:00:00.000Z')
  expect(startOfDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
})

test('today is that of the organisation, not that of the browser', () => {
  expect(dayOf(Date.parse('2026-11-20T12:30:00Z'), 'Pacific/Auckland')).toBe('2026-11-21')
})

test('one table alone is read again whole, or as the next run would', () => {
  const choice = { tables: ['customer'], day: '' }
  expect(wishOf({ ...choice, reach: 'all' }, zone)).toEqual({ mode: 'full', streams: ['customer'] })
  expect(wishOf({ ...choice, reach: 'new' }, zone)).toEqual({ mode: 'incremental', streams: ['customer'] })
})

test('from a date moves every table unless some are chosen, and never resets where the next run goes on', () => {
  const choice = { reach: 'from', day: '2026-11-01' } as const
  expect(wishOf({ ...choice, tables: [] }, zone)).toEqual({ mode: 'incremental', from: '2026-11-01T00:00:00.000Z' })
  expect(wishOf({ ...choice, tables: ['a'] }, zone)).toEqual({
    mode: 'incremental',
    streams: ['a'],
    from: '2026-11-01T00:00:00.000Z',
  })
})

test('what is missing is said before anything starts', () => {
  expect(missing({ tables: [], reach: 'all', day: '' }, '2026-11-20')).toBe('Choose at least one table.')
  expect(missing({ tables: [], reach: 'from', day: '' }, '2026-11-20')).toBe('Choose the day to begin with.')
  expect(missing({ tables: [], reach: 'from', day: '2026-11-21' }, '2026-11-20')).toBe(
    'Choose a day that is not in the future.',
  )
  expect(missing({ tables: [], reach: 'from', day: '2026-11-20' }, '2026-11-20')).toBeNull()
})
