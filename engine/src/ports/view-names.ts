/** The names and expressions that differ between databases, for statements on a target's tables. */

export interface StatementNames {
  /** The quoted name of a table. @param name of `Stream.table` */
  table(name: string): string
  /** The quoted name of one of Tributary's views. */
  view(name: string): string
  quote(name: string): string
  /** An expression for the first day of a date's month. @param date an expression of type date */
  month(date: string): string
}
