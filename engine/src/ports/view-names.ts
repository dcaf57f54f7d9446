/** The names and expressions that differ between databases, for statements on a target's tables. */

export interface StatementNames extends DateWords {
  /** The quoted name of a table. @param name of `Stream.table` */
  table(name: string): string
  /** The quoted name of one of Tributary's views. */
  view(name: string): string
  quote(name: string): string
  /** A moment such as `2026-11-28T06:00:00.123456Z` as an SQL expression, of the type of `valid_from`. */
  moment(at: string): string
  /**
   * The same names for the rows as they were: `table` is then a subquery over the history of the table, which needs an
   * alias, and throws a `settings` Fault if the table has no history. `view` does not change.
   */
  asOf(moment: Moment): StatementNames
  /** Joins a subquery that may name columns of what is left of it; absent if the database has no such join. */
  readonly lateralJoin?: string
}

/**
 * A cut-off of a run, such as `2026-11-28T06:00:00.123456Z`, or an SQL expression whose value is one, of the type of
 * `valid_from`. A row version is valid from its `valid_from` until just before its `valid_to`.
 */
export type Moment = { readonly at: string } | { readonly expression: string }

/** Date arithmetic. Arguments and results are SQL expressions; dates are of type date. */
export interface DateWords {
  /** The first day of a date's month. */
  month(date: string): string
  /** The last day of a date's month. */
  monthEnd(date: string): string
  /** The year as a whole number. */
  year(date: string): string
  /** The month, 1 to 12. */
  monthOfYear(date: string): string
  /** Whole days; negative if `to` is earlier. */
  daysBetween(from: string, to: string): string
  /** A number of days later; earlier if negative. @param days a whole number */
  addDays(date: string, days: number): string
  /** The date at this moment in a time zone. @param minutes the zone's offset from UTC */
  today(minutes: string): string
}
