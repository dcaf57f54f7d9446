import { expect, test } from 'vitest'
import { countdown, tooSoonWords, waitMs } from './sync-cooldown.ts'

const at = Date.parse('2026-11-20T09:00:00Z')
const product = {
  CompanyName: 'Harbour Trading Ltd',
  LastIncrementalTriggerDate: '2026-11-20T08:56:01Z',
  NextTriggerAtUtc: '2026-11-20T09:11:01Z',
}

test('[ACC-4] the wait and its sentence follow the last start by hand, in whole minutes', () => {
  expect(waitMs(product, at)).toBe(661_000)
  expect(tooSoonWords(product, at)).toBe(
    'Please wait 15 minutes from last refresh. It has been 3 minutes since Harbour Trading Ltd was last refreshed.',
  )
  expect(waitMs(product, at + 661_000)).toBe(0)
  expect(waitMs({ ...product, NextTriggerAtUtc: null }, at)).toBe(0)
})

test('the countdown runs to the last second', () => {
  expect([900_000, 661_000, 59_001, 1].map(countdown)).toEqual(['15:00', '11:01', '1:00', '0:01'])
})
