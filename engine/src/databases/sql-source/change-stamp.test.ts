import { expect, test } from 'vitest'
import { stampFrom } from './change-stamp.ts'

test('what was changed since a moment may be stamped minutes before it, and a day where the zone is not known', () => {
  const moment = new Date('2026-03-01T12:04:05.678Z')
  expect(stampFrom(moment, 'instant')).toBe('2026-03-01 11:59:05.678')
  expect(stampFrom(moment, 'wallClock')).toBe('2026-02-28 12:04:05.678')
  expect(stampFrom(new Date('1969-12-31T23:00:00Z'), 'instant')).toBeNull()
})
