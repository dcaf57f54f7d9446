/** Iceberg's transform `month` of dates and times: months since January 1970, before it negative. */
import type { Cell } from './cells.ts'

const dayMs = 86_400_000
const dayMicros = 86_400_000_000n

/** @param cell days since 1970 of a date, or microseconds since 1970 of a time */
export function monthOf(cell: Cell): number | null {
  if (typeof cell === 'number') return monthOfDay(cell)
  return typeof cell === 'bigint' ? monthOfDay(dayOf(cell)) : null
}

/** Division of bigint rounds towards zero, so that times before 1970 need the day before. */
function dayOf(micros: bigint): number {
  const day = micros / dayMicros
  return Number(day * dayMicros > micros ? day - 1n : day)
}

function monthOfDay(day: number): number {
  const date = new Date(day * dayMs)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function isDated(type: unknown): boolean {
  return type === 'date' || type === 'timestamp' || type === 'timestamptz'
}
