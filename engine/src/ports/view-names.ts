/** How a statement over a target's tables names what differs from database to database. */

export interface StatementNames {
  /** The table as a statement names it. @param name as it stands in `Stream.table`. */
  table(name: string): string
  /** A view of ours as a statement names it. */
  view(name: string): string
  quote(name: string): string
  /** An expression for the first day of the month of a date. @param date an expression of type date. */
  month(date: string): string
}
