/** Comments of a table in a target, and what the database can store of them. */

/** Comments by column; that of the table itself has an empty name. */
export type Comments = ReadonlyMap<string, string>

export interface CommentLimits {
  /** Most characters, in UTF-16 units. */
  readonly table: number
  readonly column: number
  /** The text as the database can store it. */
  readonly allowed: (text: string) => string
}
