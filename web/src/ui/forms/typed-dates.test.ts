import { afterEach, expect, test } from 'vitest'
import { setFormatSettings } from '../formats.ts'
import { parseTypedDate, parseTypedTime } from './typed-dates.ts'

afterEach(() => setFormatSettings({ locale: null, timeZone: null }))

test.each([
  ['en-GB', '3/11/2026', '2026-11-03'],
  ['en-US', '11/3/2026', '2026-11-03'],
  ['de-DE', '3.11.2026', '2026-11-03'],
  ['sv-SE', '2026-11-03', '2026-11-03'],
  ['en-US', '2026-11-03', '2026-11-03'],
  ['en-GB', '2026-11-03', '2026-11-03'],
  ['sv-SE', '26-11-03', '2026-11-03'],
  ['sv-SE', '3/11/2026', '2026-11-03'],
  ['sv-SE', '3 november 2026', '2026-11-03'],
  ['en-GB', '2026 Nov 3', '2026-11-03'],
  ['en-GB', '3/11/26', '2026-11-03'],
  ['en-GB', '3 Nov 2026', '2026-11-03'],
  ['en-US', 'November 3, 2026', '2026-11-03'],
  ['de-DE', '3. Dezember 2026', '2026-12-03'],
  ['de-DE', '3. Dez. 2026', '2026-12-03'],
  ['de-DE', '3 December 2026', '2026-12-03'],
  ['fr-FR', '3 août 2026', '2026-08-03'],
  ['en-GB', '31/02/2026', null],
  ['en-GB', '3 Smarch 2026', null],
  ['en-GB', 'yesterday', null],
  ['en-GB', '3/11', null],
  ['en-GB', '', null],
])('[UX-PREF-5] a date is understood as the locale writes it: %s, %s', (locale, typed, date) => {
  setFormatSettings({ locale, timeZone: null })
  expect(parseTypedDate(typed)).toBe(date)
})

test.each([
  ['06:30', '06:30'],
  ['6.30', '06:30'],
  ['6:30 pm', '18:30'],
  ['6:30\u202fPM', '18:30'],
  ['6:30 p.m.', '18:30'],
  ['12:05 am', '00:05'],
  ['12 pm', '12:00'],
  ['7', '07:00'],
  ['24:00', null],
  ['13:00 pm', null],
  ['6:75', null],
  ['soon', null],
  ['', null],
])('[UX-PREF-5] a time is understood in 12 and in 24 hours: %s', (typed, time) => {
  expect(parseTypedTime(typed)).toBe(time)
})
