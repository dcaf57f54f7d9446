/** Parts of the rows of a stream, for loads and comparisons that leave the other rows as they are. */

/** Rows of all tables of a stream, by the value of a text column that each of the tables has. */
export interface RowScope {
  /** By its name in the source. */
  readonly column: string
  /** At least one. */
  readonly values: readonly string[]
}

/** The rows to compare where `keys` are not those of the whole table. The other rows stay. */
export interface ComparedPart extends RowScope {
  /** The whole table has been compared with it. */
  readonly isLast: boolean
}

/** The rows that a replacement replaces. The other rows of its tables stay as they are. */
export interface ReplacedPart extends RowScope {
  /** Who finished the stream, and how fresh it is, stay as they were, because the other rows may be older. */
  readonly keepsEnd?: true
}
