import { afterEach, describe, expect, test } from 'vitest'
import {
  compareNames,
  currentLocale,
  currentTimeZone,
  firstDayOfWeek,
  formatCount,
  formatCountry,
  formatDay,
  formatDecimal,
  formatList,
  formatMoment,
  formatTimeOfDay,
  formatZoneNote,
  setFormatSettings,
  startOfZonedDay,
  zonedDay,
} from './formats.ts'

const asTheBrowser = { locale: null, timeZone: null }
afterEach(() => setFormatSettings(asTheBrowser))

const evening = '2026-11-20T18:05:09Z'

test('[UX-PREF-3] without a choice the locale and time zone of the browser count', () => {
  expect([currentLocale(), currentTimeZone()]).toEqual(['en-GB', 'Europe/London'])
  expect(formatMoment(evening, 'exact')).toBe('20 Nov 2026, 18:05:09 GMT')
})

test('[UX-PREF-3] a locale or time zone that this browser does not know is as if there were none', () => {
  setFormatSettings({ locale: 'not a locale', timeZone: 'Mars/Olympus' })
  expect([currentLocale(), currentTimeZone()]).toEqual(['en-GB', 'Europe/London'])
})

describe('[UX-PREF-3] dates, times, numbers and the week follow the locale', () => {
  const examples = [
    ['en-GB', '20 Nov 2026', 'Fri 06:00', '1,234,567', '−1,234.50', 1],
    ['en-US', 'Nov 20, 2026', 'Fri 6:00 AM', '1,234,567', '−1,234.50', 0],
    ['en-NZ', '20 Nov 2026', 'Fri 6:00 am', '1,234,567', '−1,234.50', 1],
    ['de-DE', '20. Nov. 2026', 'Fr., 06:00', '1.234.567', '−1.234,50', 1],
    ['sv-SE', '20 nov. 2026', 'fre 06:00', '1\u00a0234\u00a0567', '−1\u00a0234,50', 1],
  ] as const

  test.each(examples)('%s', (...[locale, date, time, count, amount, first]) => {
    setFormatSettings({ locale, timeZone: 'Europe/London' })
    expect(formatMoment(evening, 'date')).toBe(date)
    expect(plainSpaces(formatMoment('2026-11-20T06:00:00Z', 'weekdayTime'))).toBe(time)
    expect([formatCount(1_234_567), formatDecimal('-1234.5', 2), firstDayOfWeek()]).toEqual([count, amount, first])
  })
})

test('[UX-PREF-3] no style writes the month of a date as a number, which British and American readers would confuse', () => {
  for (const locale of ['en-GB', 'en-US', 'en-NZ', 'en-CA', 'en-IE', 'en-ZA', 'en-150'])
    for (const style of [
      'date',
      'longDate',
      'month',
      'weekday',
      'weekdayDateTime',
      'dateTime',
      'exact',
      'field',
    ] as const) {
      setFormatSettings({ locale, timeZone: null })
      expect(formatMoment(evening, style)).toMatch(/Nov/u)
    }
})

test('[UX-PREF-3] countries and the order of names follow the language', () => {
  setFormatSettings({ locale: 'de-DE', timeZone: null })
  expect(formatCountry('NZ')).toBe('Neuseeland')
  setFormatSettings({ locale: 'sv-SE', timeZone: null })
  expect(['Ö', 'Z', 'A', 'Week 10', 'week 2'].toSorted(compareNames)).toEqual(['A', 'week 2', 'Week 10', 'Z', 'Ö'])
})

test('[UX-PREF-3] lists in English sentences stay English', () => {
  setFormatSettings({ locale: 'de-DE', timeZone: null })
  expect(formatList(['A', 'B', 'C'])).toBe('A, B and C')
  expect(formatList(['A', 'B'], 'disjunction')).toBe('A or B')
})

test('[UX-PREF-3] a moment is shown in the person’s time zone, and a date without a time on its own day everywhere', () => {
  setFormatSettings({ locale: 'en-GB', timeZone: 'Pacific/Auckland' })
  expect(formatMoment(evening, 'dateTime')).toBe('21 Nov 2026, 07:05')
  expect(formatDay('2026-11-20', 'date')).toBe('20 Nov 2026')
  setFormatSettings({ locale: 'en-US', timeZone: 'America/Los_Angeles' })
  expect(formatDay('2026-11-20', 'date')).toBe('Nov 20, 2026')
})

test('[UX-PREF-4] a time zone is named only if it is not the person’s own, also under its former name', () => {
  setFormatSettings({ locale: 'en-GB', timeZone: 'Asia/Kolkata' })
  expect(['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'UTC'].map(formatZoneNote)).toEqual([
    '',
    '',
    ' (Buenos Aires time)',
    ' (UTC)',
  ])
})

test('a time of the day is not converted', () => {
  setFormatSettings({ locale: 'en-US', timeZone: 'Pacific/Auckland' })
  expect(plainSpaces(formatTimeOfDay('18:30'))).toBe('6:30 PM')
})

test('an amount keeps all digits', () => {
  expect(formatDecimal('90071992547409931234.57', 2)).toBe('90,071,992,547,409,931,234.57')
  expect([formatDecimal('0.1234', 2), formatDecimal('0', 2), formatDecimal('5.10')]).toEqual(['0.1234', '0.00', '5.1'])
})

test('a day begins at midnight of its time zone, also on the days when the clocks change', () => {
  expect(startOfZonedDay('2026-07-01', 'Europe/London')).toBe('2026-06-30T23:00:00.000Z')
  expect(startOfZonedDay('2026-10-25', 'Europe/London')).toBe('2026-10-24T23:00:00.000Z')
  expect(startOfZonedDay('2026-11-20', 'Pacific/Auckland')).toBe('2026-11-19T11:00:00.000Z')
  expect(startOfZonedDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
  expect(zonedDay(Date.parse('2026-11-20T12:30:00Z'), 'Pacific/Auckland')).toBe('2026-11-21')
})

/** Some locales put a narrow no-break space before AM and PM. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ')
}
