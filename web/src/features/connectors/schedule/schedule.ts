/** Schedules as people choose them, and the cron expressions that they stand for. Pure. */

/** What the picker shows. `every`: minutes or hours; `minute`: past the hour; `time`: `HH:MM`; `days`: 0 is Sunday. */
export type Schedule =
  | { readonly kind: 'hand' }
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hours'; readonly every: number; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly time: string; readonly days: readonly number[] }
  | { readonly kind: 'custom'; readonly cron: string }
export type ScheduleKind = Schedule['kind']

/** Those that divide the hour and the day, so that the distance is the same all round the clock. */
export const minuteSteps: readonly number[] = [5, 10, 15, 20, 30]
export const hourSteps: readonly number[] = [1, 2, 3, 4, 6, 8, 12]
/** As a week is read, Monday first. */
export const weekDays: readonly { readonly day: number; readonly name: string }[] = [
  { day: 1, name: 'Monday' },
  { day: 2, name: 'Tuesday' },
  { day: 3, name: 'Wednesday' },
  { day: 4, name: 'Thursday' },
  { day: 5, name: 'Friday' },
  { day: 6, name: 'Saturday' },
  { day: 0, name: 'Sunday' },
]
const workDays: readonly number[] = [1, 2, 3, 4, 5]

/** What another kind begins with. */
export const firstOf: Readonly<Record<ScheduleKind, Schedule>> = {
  hand: { kind: 'hand' },
  minutes: { kind: 'minutes', every: 15 },
  hours: { kind: 'hours', every: 1, minute: 0 },
  daily: { kind: 'daily', time: '06:00' },
  weekly: { kind: 'weekly', time: '06:00', days: workDays },
  custom: { kind: 'custom', cron: '' },
}

export function cronOf(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'hand':
      return ''
    case 'minutes':
      return `*/${schedule.every} * * * *`
    case 'hours':
      return `${schedule.minute} ${schedule.every === 1 ? '*' : `*/${schedule.every}`} * * *`
    case 'daily':
      return `${clockFields(schedule.time)} * * *`
    case 'weekly':
      return `${clockFields(schedule.time)} * * ${dayField(schedule.days)}`
    case 'custom':
      return schedule.cron
  }
}

/** The picker's view of an expression; `custom` where it is none that the picker could make. */
export function readCron(cron: string | null): Schedule {
  const text = (cron ?? '').trim().replace(/\s+/g, ' ')
  if (text === '') return firstOf.hand
  return repeated(text) ?? atTime(text) ?? { kind: 'custom', cron: text }
}

/** What the schedule says in words; the expression itself where it is none of the common ones. */
export function scheduleWords(cron: string | null): string {
  const schedule = readCron(cron)
  switch (schedule.kind) {
    case 'hand':
      return 'By hand only'
    case 'minutes':
      return `Every ${schedule.every} minutes`
    case 'hours':
      return `Every ${schedule.every === 1 ? 'hour' : `${schedule.every} hours`}${schedule.minute === 0 ? '' : ` at ${two(schedule.minute)} past`}`
    case 'daily':
      return `Every day at ${schedule.time}`
    case 'weekly':
      return `${dayWords(schedule.days)} at ${schedule.time}`
    case 'custom':
      return severalTimes(schedule.cron) ?? `Schedule ${schedule.cron}`
  }
}

/** 'Every day at 06:00 and 18:00', which the picker cannot make. */
function severalTimes(cron: string): string | null {
  const [, minute, hours] = /^(\d{1,2}) (\d{1,2}(?:,\d{1,2})+) \* \* \*$/.exec(cron) ?? []
  const listed = hours?.split(',').map(Number) ?? []
  if (minute === undefined || Number(minute) > 59 || listed.some((hour) => hour > 23)) return null
  return `Every day at ${new Intl.ListFormat('en-GB').format(listed.map((hour) => `${two(hour)}:${two(Number(minute))}`))}`
}

function repeated(cron: string): Schedule | null {
  const [, minutes, minute, hours] = /^(?:\*\/(\d{1,2}) \*|(\d{1,2}) \*(?:\/(\d{1,2}))?) \* \* \*$/.exec(cron) ?? []
  if (minutes !== undefined)
    return minuteSteps.includes(Number(minutes)) ? { kind: 'minutes', every: Number(minutes) } : null
  const every = Number(hours ?? 1)
  if (minute === undefined || Number(minute) > 59 || !hourSteps.includes(every)) return null
  return { kind: 'hours', every, minute: Number(minute) }
}

function atTime(cron: string): Schedule | null {
  const [, minute, hour, days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7](?:[-,][0-7])*)$/.exec(cron) ?? []
  if (minute === undefined || Number(minute) > 59 || Number(hour) > 23) return null
  const time = `${two(Number(hour))}:${two(Number(minute))}`
  return days === '*' ? { kind: 'daily', time } : { kind: 'weekly', time, days: readDays(days) }
}

/** `1-3,5` and `7`, which is Sunday, too. */
function readDays(field: string): number[] {
  const listed = field.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => (from + index) % 7)
  })
  return weekDays.map(({ day }) => day).filter((day) => listed.includes(day))
}

function clockFields(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)}`
}

function dayField(days: readonly number[]): string {
  return isWorkWeek(days) ? '1-5' : days.toSorted((a, b) => a - b).join(',')
}

function dayWords(days: readonly number[]): string {
  if (isWorkWeek(days)) return 'Weekdays'
  const names = weekDays.filter(({ day }) => days.includes(day)).map(({ name }) => name)
  return names.length < 2 ? `Every ${names.join('')}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function isWorkWeek(days: readonly number[]): boolean {
  return days.length === workDays.length && workDays.every((day) => days.includes(day))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
