import { expect, test } from 'vitest'
import { formatCountdown, cooldownMessage, cooldownMs } from './sync-cooldown.ts'

const at = Date.parse('2026-11-20T09:00:00Z')
const product = {
  CompanyName: 'Harbour Trading Ltd',
  LastIncrementalTriggerDate: '2026-11-20T08:56:01Z',
  NextTriggerAtUtc: '2026-11-20T09:11:01Z',
}

test('[ACC-4] the wait and its message count from the last manual start, in whole minutes', () => {
  expect(cooldownMs(product, at)).toBe(661_000)
  expect(cooldownMessage(product, at)).toBe(
    'Please wait 15 minutes from last refresh. It has been 3 minutes since Harbour Trading Ltd was last refreshed.',
  )
  expect(cooldownMs(product, at + 661_000)).toBe(0)
  expect(cooldownMs({ ...product, NextTriggerAtUtc: null }, at)).toBe(0)
})

test('the countdown runs to the last second', () => {
  expect([900_000, 661_000, 59_001, 1].map(formatCountdown)).toEqual(['15:00', '11:01', '1:00', '0:01'])
})
