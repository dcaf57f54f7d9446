/** Sentences about wishes and promises. */
import type { MissReason, ReadyByWish } from '@tributary/contract/ready-by'
import { formatList, formatTimeOfDay, formatZoneNote } from '../../ui/formats.ts'
import { listWeekdays } from '../schedules/schedule.ts'

/** 'By 07:30 on working days (London time), with rows of at most 4 hours'. */
export function describeWish({ Time, Days, MaxAgeHours }: ReadyByWish, timeZone: string): string {
  return `By ${formatTimeOfDay(Time)} ${describeDays(Days)}${formatZoneNote(timeZone)}, with rows of at most ${describeHours(MaxAgeHours)}`
}

export function describeHours(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`
}

function describeDays(days: readonly number[]): string {
  if (days.length === 7) return 'every day'
  if (days.length === 5 && days.every((day) => day <= 5)) return 'on working days'
  return `on ${formatList(
    listWeekdays()
      .filter(({ day }) => days.includes(isoDayOf(day)))
      .map(({ name }) => name),
    'conjunction',
  )}`
}

/** Sunday is 0 in schedules, and 7 in wishes. */
export function isoDayOf(day: number): number {
  return day === 0 ? 7 : day
}

export const reasonWords: Readonly<Record<MissReason, string>> = {
  tooLong: 'A run takes longer than there is time',
  sourceRate: 'The source allows too few calls a minute',
  allowance: 'The source allows too few calls a day',
  organisationShare: 'Other connectors of the organisation were running',
  workers: 'The workers had no room',
  signIn: 'The sign-in was refused',
  awaitsApproval: 'The hosts were not approved',
  targetDown: 'The target did not respond',
  schedulesOff: 'Scheduled runs were switched off',
  runFailed: 'The run failed',
  runCancelled: 'The run was cancelled',
  tookLonger: 'The run took longer than usual',
  startedLate: 'The run waited for other runs',
  notStarted: 'No run started',
}
