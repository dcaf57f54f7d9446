/** Columns that hold when a row was changed. */

/** A row gets its timestamp before it is visible: transactions take time, and clocks differ slightly. */
const instantLagMs = 5 * 60_000
/** The time zone of a wall clock is unknown: at most twelve hours behind UTC, and one more where clocks change. */
const wallClockLagMs = 24 * 60 * 60_000

/**
 * The timestamp from which to read everything that was changed since a point in time, in UTC: `2026-01-31 13:05:00.123`. Null before 1970,
 * which not every database supports.
 */
export function stampFrom(moment: Date, clock: 'instant' | 'wallClock'): string | null {
  const from = moment.getTime() - (clock === 'instant' ? instantLagMs : wallClockLagMs)
  return from < 0 ? null : new Date(from).toISOString().replace('T', ' ').replace('Z', '')
}
