import { expect, test } from 'vitest'
import { checkReload, toRunRequest } from './reload-request.ts'

const zone = 'Europe/London'

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
