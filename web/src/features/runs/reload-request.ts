/** Converts the choices of the reload dialog to a run request. Pure. */
import type { StartRunOptions } from '../../domain/runs/use-start-run.ts'
import { startOfZonedDay } from '../../ui/formats.ts'

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
