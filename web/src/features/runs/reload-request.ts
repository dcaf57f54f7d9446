/** Converts the choices of the reload dialog to a run request. Pure. */
import type { StartRunOptions } from '../../domain/runs/use-start-run.ts'

/** `all`: every row; `new`: only changes; `from`: changes since a day. */
export type ReloadScope = 'all' | 'new' | 'from'

export interface ReloadChoice {
  /** Empty for every table. */
  readonly tables: readonly string[]
  readonly scope: ReloadScope
  /** `YYYY-MM-DD`. */
  readonly day: string
}

/** Returns what is missing before the run can start; null if nothing is. */
export function checkReload({ tables, scope, day }: ReloadChoice, today: string): string | null {
  if (scope !== 'from' && tables.length === 0) return 'Choose at least one table.'
  if (scope !== 'from') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'Choose the day to begin with.'
  return day > today ? 'Choose a day that is not in the future.' : null
}

export function toRunRequest({ tables, scope, day }: ReloadChoice, timeZone: string): StartRunOptions {
  const streams = tables.length === 0 ? {} : { streams: [...tables] }
  if (scope === 'from') return { mode: 'incremental', ...streams, from: startOfZonedDay(day, timeZone) }
  return { mode: scope === 'all' ? 'full' : 'incremental', ...streams }
}

/** Start of a day in a time zone, as an ISO string in UTC. */
export function startOfZonedDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset must be that of the result, so it is computed twice, in case the clock changes in between.
  const first = midnight - zoneOffsetMs(midnight, timeZone)
  return new Date(midnight - zoneOffsetMs(first, timeZone)).toISOString()
}

/** Swedish dates and times are written as in ISO 8601. */
const isoLocale = 'sv-SE'

function zoneOffsetMs(at: number, timeZone: string): number {
  return Date.parse(`${new Date(at).toLocaleString(isoLocale, { timeZone })}Z`) - at
}

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
export function zonedDay(at: number, timeZone: string): string {
  return new Date(at).toLocaleDateString(isoLocale, { timeZone })
}
