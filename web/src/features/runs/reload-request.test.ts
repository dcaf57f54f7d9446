import { expect, test } from 'vitest'
import { zonedDay, checkReload, startOfZonedDay, toRunRequest } from './reload-request.ts'

const zone = 'Europe/London'

test('a day starts at midnight in the time zone of the organisation, in summer, in winter and on the day of the change', () => {
  expect(startOfZonedDay('2026-07-01', zone)).toBe('2026-06-30T23:00:00.000Z')
  expect(startOfZonedDay('2026-11-20', zone)).toBe('2026-11-20T00:00:00.000Z')
  expect(startOfZonedDay('2026-10-25', zone)).toBe('2026-10-24T23:00:00.000Z')
  expect(startOfZonedDay('2026-11-20', 'Pacific/Auckland')).toBe('2026-11-19T11:00:00.000Z')
  expect(startOfZonedDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
})

test('today is the day of the organisation, not of the browser', () => {
  expect(zonedDay(Date.parse('2026-11-20T12:30:00Z'), 'Pacific/Auckland')).toBe('2026-11-21')
})

test('one table alone is reloaded in full, or incrementally', () => {
  const choice = { tables: ['customer'], day: '' }
  expect(toRunRequest({ ...choice, scope: 'all' }, zone)).toEqual({ mode: 'full', streams: ['customer'] })
  expect(toRunRequest({ ...choice, scope: 'new' }, zone)).toEqual({ mode: 'incremental', streams: ['customer'] })
})

test('a reload from a date moves every table unless some are chosen, and never resets where the next run resumes', () => {
  const choice = { scope: 'from', day: '2026-11-01' } as const
  expect(toRunRequest({ ...choice, tables: [] }, zone)).toEqual({
    mode: 'incremental',
    from: '2026-11-01T00:00:00.000Z',
  })
  expect(toRunRequest({ ...choice, tables: ['a'] }, zone)).toEqual({
    mode: 'incremental',
    streams: ['a'],
    from: '2026-11-01T00:00:00.000Z',
  })
})

test('missing choices are reported before anything starts', () => {
  expect(checkReload({ tables: [], scope: 'all', day: '' }, '2026-11-20')).toBe('Choose at least one table.')
  expect(checkReload({ tables: [], scope: 'from', day: '' }, '2026-11-20')).toBe('Choose the day to begin with.')
  expect(checkReload({ tables: [], scope: 'from', day: '2026-11-21' }, '2026-11-20')).toBe(
    'Choose a day that is not in the future.',
  )
  expect(checkReload({ tables: [], scope: 'from', day: '2026-11-20' }, '2026-11-20')).toBeNull()
})
