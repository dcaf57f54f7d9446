/** Converts schedules of the picker to cron expressions and back. */
import { firstDayOfWeek, formatList, formatTimeOfDay, formatZoneNote, weekdayNames } from '../../ui/formats.ts'

/** State of the picker. `every`: minutes or hours; `minute`: past the hour; `time`: `HH:MM`; `days`: 0 is Sunday. */
export type PickedSchedule =
  | { readonly kind: 'hand' }
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hours'; readonly every: number; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly time: string; readonly days: readonly number[] }
  | { readonly kind: 'custom'; readonly cron: string }
export type ScheduleKind = PickedSchedule['kind']

/** Divisors of an hour and of a day, so that the interval is constant around the clock. */
export const minuteSteps: readonly number[] = [5, 10, 15, 20, 30]
export const hourSteps: readonly number[] = [1, 2, 3, 4, 6, 8, 12]
/** Begins with the first day of the week of the person's locale. */
export function listWeekdays(): readonly { readonly day: number; readonly name: string }[] {
  const days = weekdayNames.map((name, day) => ({ day, name }))
  return [...days.slice(firstDayOfWeek()), ...days.slice(0, firstDayOfWeek())]
}

const mondayFirst: readonly number[] = [1, 2, 3, 4, 5, 6, 0]
const workdays: readonly number[] = [1, 2, 3, 4, 5]

/** Initial schedule of each kind. */
export const initialSchedules: Readonly<Record<ScheduleKind, PickedSchedule>> = {
  hand: { kind: 'hand' },
  minutes: { kind: 'minutes', every: 15 },
  hours: { kind: 'hours', every: 1, minute: 0 },
  daily: { kind: 'daily', time: '06:00' },
  weekly: { kind: 'weekly', time: '06:00', days: workdays },
  custom: { kind: 'custom', cron: '' },
}

export function formatCron(schedule: PickedSchedule): string {
  switch (schedule.kind) {
    case 'hand':
      return ''
    case 'minutes':
      return `*/${schedule.every} * * * *`
    case 'hours':
      return `${schedule.minute} ${schedule.every === 1 ? '*' : `*/${schedule.every}`} * * *`
    case 'daily':
      return `${formatClockFields(schedule.time)} * * *`
    case 'weekly':
      return `${formatClockFields(schedule.time)} * * ${formatDayField(schedule.days)}`
    case 'custom':
      return schedule.cron
  }
}

/** Parses a cron expression into the picker's state; `custom` for any that the picker cannot produce. */
export function parseCron(cron: string | null): PickedSchedule {
  const text = (cron ?? '').trim().replace(/\s+/g, ' ')
  if (text === '') return initialSchedules.hand
  return parseInterval(text) ?? parseTimeOfDay(text) ?? { kind: 'custom', cron: text }
}

/**
 * Describes a schedule in words; an uncommon one by its expression. Names the time zone, in which the schedule runs, if it
 * is not the person's own.
 */
export function describeSchedule(cron: string | null, timeZone: string): string {
  const schedule = parseCron(cron)
  switch (schedule.kind) {
    case 'hand':
      return 'By hand only'
    case 'minutes':
      return `Every ${schedule.every} minutes`
    case 'hours':
      return `Every ${schedule.every === 1 ? 'hour' : `${schedule.every} hours`}${schedule.minute === 0 ? '' : ` at ${padTwo(schedule.minute)} past`}`
    case 'daily':
      return `Every day at ${formatTimeOfDay(schedule.time)}${formatZoneNote(timeZone)}`
    case 'weekly':
      return `${describeDays(schedule.days)} at ${formatTimeOfDay(schedule.time)}${formatZoneNote(timeZone)}`
    case 'custom':
      return `${describeSeveralTimes(schedule.cron) ?? `Schedule ${schedule.cron}`}${formatZoneNote(timeZone)}`
  }
}

/** The same within a sentence: 'every 4 hours', 'daily at 06:00'. */
export function describeScheduleInSentence(cron: string | null, timeZone: string): string {
  const schedule = parseCron(cron)
  if (schedule.kind === 'daily') return `daily at ${formatTimeOfDay(schedule.time)}${formatZoneNote(timeZone)}`
  const words = describeSchedule(cron, timeZone)
  // The names of days keep their capitals.
  return schedule.kind === 'weekly' && !isWorkWeek(schedule.days)
    ? words
    : words.charAt(0).toLowerCase() + words.slice(1)
}

/** 'Every day at 06:00 and 18:00', which the picker cannot produce; null for any other expression. */
function describeSeveralTimes(cron: string): string | null {
  const [, minute, hours] = /^(\d{1,2}) (\d{1,2}(?:,\d{1,2})+) \* \* \*$/.exec(cron) ?? []
  const listed = hours?.split(',').map(Number) ?? []
  if (minute === undefined || Number(minute) > 59 || listed.some((hour) => hour > 23)) return null
  return `Every day at ${formatList(listed.map((hour) => formatTimeOfDay(`${padTwo(hour)}:${padTwo(Number(minute))}`)))}`
}

function parseInterval(cron: string): PickedSchedule | null {
  const [, minutes, minute, hours] = /^(?:\*\/(\d{1,2}) \*|(\d{1,2}) \*(?:\/(\d{1,2}))?) \* \* \*$/.exec(cron) ?? []
  if (minutes !== undefined)
    return minuteSteps.includes(Number(minutes)) ? { kind: 'minutes', every: Number(minutes) } : null
  const every = Number(hours ?? 1)
  if (minute === undefined || Number(minute) > 59 || !hourSteps.includes(every)) return null
  return { kind: 'hours', every, minute: Number(minute) }
}

function parseTimeOfDay(cron: string): PickedSchedule | null {
  const [, minute, hour, days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7](?:[-,][0-7])*)$/.exec(cron) ?? []
  if (minute === undefined || Number(minute) > 59 || Number(hour) > 23) return null
  const time = `${padTwo(Number(hour))}:${padTwo(Number(minute))}`
  return days === '*' ? { kind: 'daily', time } : { kind: 'weekly', time, days: parseDays(days) }
}

/** Parses `1-3,5`; both 0 and 7 are Sunday. */
function parseDays(field: string): number[] {
  const listed = field.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => (from + index) % 7)
  })
  return mondayFirst.filter((day) => listed.includes(day))
}

function formatClockFields(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)}`
}

function formatDayField(days: readonly number[]): string {
  return isWorkWeek(days) ? '1-5' : days.toSorted((a, b) => a - b).join(',')
}

function describeDays(days: readonly number[]): string {
  if (isWorkWeek(days)) return 'Weekdays'
  const names = listWeekdays()
    .filter(({ day }) => days.includes(day))
    .map(({ name }) => name)
  return names.length === 1 ? `Every ${names[0]}` : formatList(names)
}

function isWorkWeek(days: readonly number[]): boolean {
  return days.length === workdays.length && workdays.every((day) => days.includes(day))
}

function padTwo(number: number): string {
  return String(number).padStart(2, '0')
}
