import { expect, test } from 'vitest'
import { setFormatSettings } from '../../ui/formats.ts'
import {
  formatCron,
  initialSchedules,
  hourSteps,
  minuteSteps,
  parseCron,
  type PickedSchedule,
  describeSchedule,
  listWeekdays,
} from './schedule.ts'

const schedules: readonly PickedSchedule[] = [
  initialSchedules.hand,
  ...minuteSteps.map((every) => ({ kind: 'minutes', every }) as const),
  ...hourSteps.map((every) => ({ kind: 'hours', every, minute: 5 }) as const),
  { kind: 'daily', time: '00:00' },
  { kind: 'daily', time: '23:59' },
  { kind: 'weekly', time: '06:30', days: [1, 2, 3, 4, 5] },
  { kind: 'weekly', time: '06:30', days: [0] },
  { kind: 'weekly', time: '06:30', days: [1, 3, 0] },
]

test('[MAN-8] every schedule of the picker is parsed back to the same schedule', () => {
  for (const schedule of schedules) expect(parseCron(formatCron(schedule))).toEqual(schedule)
})

test('an expression that the picker cannot produce stays unchanged', () => {
  for (const cron of [
    '*/7 * * * *',
    '0 6 1 * *',
    '0 6 * 1 *',
    '0 */5 * * *',
    '0,30 * * * *',
    '61 * * * *',
    '0 24 * * *',
    'often',
  ])
    expect(parseCron(cron)).toEqual({ kind: 'custom', cron })
})

test('days are parsed in every cron notation: a range, a list, Sunday as seven', () => {
  expect(parseCron('0 6 * * 1-3,5')).toEqual({ kind: 'weekly', time: '06:00', days: [1, 2, 3, 5] })
  expect(parseCron('0 6 * * 7')).toEqual({ kind: 'weekly', time: '06:00', days: [0] })
  expect(parseCron('0 6 * * 5-7')).toEqual({ kind: 'weekly', time: '06:00', days: [5, 6, 0] })
})

test('several times a day are described in words although the picker cannot produce them', () => {
  expect(describeSchedule('0 6,12,18 * * *', 'Europe/London')).toBe('Every day at 06:00, 12:00 and 18:00')
  expect(describeSchedule('0 6,24 * * *', 'Europe/London')).toBe('Schedule 0 6,24 * * *')
})

test('schedules of the picker are described in words', () => {
  expect(schedules.map((schedule) => describeSchedule(formatCron(schedule), 'Europe/London'))).toEqual([
    'By hand only',
    ...minuteSteps.map((step) => `Every ${step} minutes`),
    'Every hour at 05 past',
    ...hourSteps.slice(1).map((step) => `Every ${step} hours at 05 past`),
    'Every day at 00:00',
    'Every day at 23:59',
    'Weekdays at 06:30',
    'Every Sunday at 06:30',
    'Monday, Wednesday and Sunday at 06:30',
  ])
})

test('[UX-PREF-4] a time of day on a clock that is not the person’s names it; an interval has no clock', () => {
  const describe = (cron: string) => describeSchedule(cron, 'Pacific/Auckland')
  expect(describe('0 6 * * *')).toBe('Every day at 06:00 (Auckland time)')
  expect(describe('0 6 * * 1-5')).toBe('Weekdays at 06:00 (Auckland time)')
  expect(describe('0 6,18 * * *')).toBe('Every day at 06:00 and 18:00 (Auckland time)')
  expect(describe('0 6 1 * *')).toBe('Schedule 0 6 1 * * (Auckland time)')
  expect(describe('*/15 * * * *')).toBe('Every 15 minutes')
})

test('[UX-PREF-3] times and the first day of a schedule follow the locale', () => {
  setFormatSettings({ locale: 'en-US', timeZone: 'Europe/London' })
  expect(listWeekdays()[0]).toEqual({ day: 0, name: 'Sunday' })
  expect(describeSchedule('30 18 * * 0,1', 'Europe/London').replace('\u202f', ' ')).toBe('Sunday and Monday at 6:30 PM')
  setFormatSettings({ locale: null, timeZone: null })
  expect(listWeekdays()[0]).toEqual({ day: 1, name: 'Monday' })
})
