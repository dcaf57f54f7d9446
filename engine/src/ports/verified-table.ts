/**
 * The port of a table whose rows a SQL database summarises in checksums. A database implements it once, for its source and its target;
 * `engine/src/verify` writes the statements with its words and compares both sides.
 */
import type { LogicalType } from './model.ts'

/** A row of a result, every value as text. */
export type ComparedRow = readonly (string | null)[]

/**
 * A text form of a value. Two databases that offer a form of the same id write equal values as equal texts. SQL NULL stands for null, and
 * for values that a target of another kind stores as null.
 */
export interface ComparisonForm {
  /** `integer`, `decimal:2`, `timestamp:6`; a form that only one kind of database knows begins with its name: `postgres:text`. */
  readonly id: string
  /** Expression of the text. */
  readonly sql: string
  /** The text may be empty or hold any character, so its length is part of the checksum. */
  readonly isFree?: true
  /** Condition for values whose text is null; absent: only for null. */
  readonly isNull?: string
  /** The text without the test for values that no target has. Where both sides are equal with it, they are equal. */
  readonly raw?: string
}

export interface VerifiedColumn {
  /** As in the table of the stream. */
  readonly name: string
  /** Of the values that arrive. */
  readonly type: LogicalType
  /** The preferred one first. Empty: the database cannot compute any. */
  readonly forms: readonly ComparisonForm[]
  /** Expression of the canonical text (see `LogicalType`), to be compared outside the database. */
  readonly canonical: string
  /** The column, for comparisons of numbers. */
  readonly value: string
  /** What becomes of the canonical text before it is compared; then there is no form. Absent: nothing. */
  mask?(text: string | null): string | null
  /** Condition for rows with this value, which an index can serve. @param text of the form that was chosen */
  equals(text: string): string
}

/** Functions of PostgreSQL take 100 arguments. */
export const fieldsMax = 98

/** The expressions of a SQL dialect for checksums. Arguments and results are SQL. */
export interface ChecksumWords {
  /** Joins texts that are not null. */
  join(texts: readonly string[]): string
  /** Joins texts, each followed by a semicolon; null is left out. At most `fieldsMax`. */
  fields(texts: readonly string[]): string
  /** The length of a text in bytes of UTF-8, as `fields` takes it. */
  byteLength(text: string): string
  /** The first 64 bits of the MD5 of a text in UTF-8, as an integer, signed or unsigned. */
  hash(text: string): string
  /** The exact sum of hashes, as text. */
  sum(hash: string): string
  /** The number of rows, as text. */
  readonly count: string
  /** A number as text. */
  numberText(number: string): string
  /** An expression of a text that compares in the binary order of UTF-8, with those of other texts and with constants. */
  ordered(text: string): string
  orderedConstant(text: string): string
  /** What follows FROM for a random sample of about this share of a table's rows, or of those under a condition. */
  sample(from: string, share: number, condition: string | null): string
}

export interface NewerRows {
  /**
   * Condition for rows that were certainly written after the last run: in a source, rows that its read did not see; in a target, rows
   * written after Tributary's last commit. Null if the database does not know.
   */
  readonly isNewer: string | null
  /** Condition for rows of which the database does not know it. Absent: there are none. */
  readonly mayBeNewer?: string
}

/** One consistent read: every statement sees the same state of the database, where it can. */
export interface TableRead extends AsyncDisposable, NewerRows {
  /** Runs a SELECT of so many columns. Does not hold more than a few batches in memory. */
  rows(sql: string, width: number): AsyncIterable<readonly ComparedRow[]>
}

export interface VerifiedTable {
  /** Name of the table, for messages. */
  readonly name: string
  readonly words: ChecksumWords
  /** What follows FROM. */
  readonly from: string
  /** Some of the columns of the stream's main table. */
  readonly columns: readonly VerifiedColumn[]
  /** Why columns of the stream cannot be compared, for people. */
  readonly notices: readonly string[]
  read(): Promise<TableRead>
}

export interface SourceTable extends VerifiedTable {
  /** `transaction`: the database moves the stamp of a row itself. `column`: a program may write a row without it. `none`: no stamp. */
  readonly stamp: 'transaction' | 'column' | 'none'
  /** Rows that it does not keep are not compared. Absent: every row is. */
  readonly filter?: VerifiedFilter
}

export interface VerifiedFilter {
  /** Expressions of canonical texts. */
  readonly columns: readonly string[]
  /** @param values of `columns`, in their order */
  keeps(values: ComparedRow): boolean
}

export interface TargetTableCopy extends VerifiedTable {
  /** What becomes of values that this kind of database does not know. */
  readonly unknownValues: 'reject' | 'null'
}
