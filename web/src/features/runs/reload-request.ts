/** What 'reload' asks for, from what was chosen in the dialog. Pure. */
import type { StartRunOptions } from '../../domain/runs/use-start-run.ts'

/** `all`: every row again; `new`: only what changed; `from`: again from a day on. */
export type Reach = 'all' | 'new' | 'from'

export interface Choice {
  /** Empty: every table. */
  readonly tables: readonly string[]
  readonly reach: Reach
  /** `YYYY-MM-DD`. */
  readonly day: string
}

/** What is missing before it can start; null when nothing is. */
export function missing({ tables, reach, day }: Choice, today: string): string | null {
  if (reach !== 'from' && tables.length === 0) return 'Choose at least one table.'
  if (reach !== 'from') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'Choose the day to begin with.'
  return day > today ? 'Choose a day that is not in the future.' : null
}

export function wishOf({ tables, reach, day }: Choice, timeZone: string): StartRunOptions {
  const streams = tables.length === 0 ? {} : { streams: [...tables] }
  if (reach === 'from') return { mode: 'incremental', ...streams, from: startOfDay(day, timeZone) }
  return { mode: reach === 'all' ? 'full' : 'incremental', ...streams }
}

/** The first moment of a day on the clock of that zone, in UTC. */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset is that of the moment sought; a second look is right where it changes between the two.
  const first = midnight - offsetMs(midnight, timeZone)
  return new Date(midnight - offsetMs(first, timeZone)).toISOString()
}

function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second')) - at
}

/** Today on the clock of that zone, as `YYYY-MM-DD`. */
export function dayOf(at: number, timeZone: string): string {
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)
}
