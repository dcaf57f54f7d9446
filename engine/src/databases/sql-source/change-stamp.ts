/** Columns that hold when a row was changed, whoever writes them. */

/** A row is stamped before it can be seen, for a transaction takes its time and clocks differ a little. */
const instantLagMs = 5 * 60_000
/** Nothing tells in which zone a wall clock was read: twelve hours behind UTC at most, and one more where the clocks go back. */
const wallClockLagMs = 24 * 60 * 60_000

/**
 * The stamp from which everything is read that was changed since the moment, in UTC: `2026-01-31 13:05:00.123`. Null before
 * 1970, where not every database can count.
 */
export function stampFrom(moment: Date, clock: 'instant' | 'wallClock'): string | null {
  const from = moment.getTime() - (clock === 'instant' ? instantLagMs : wallClockLagMs)
  return from < 0 ? null : new Date(from).toISOString().replace('T', ' ').replace('Z', '')
}
