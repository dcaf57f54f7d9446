/** The data model of the engine: tables, columns, logical types and batches of encoded rows. */

/**
 * The closed set of column types. Every source maps its types to these, and every target stores each of them.
 * Each kind documents the canonical text of its values, which is what batches contain.
 */
export type LogicalType =
  /**
   * Any characters except U+0000. `maxLength` in characters. `native`: the source's own type, which a target of the
   * same kind uses.
   */
  | { readonly kind: 'text'; readonly maxLength?: number; readonly native?: string }
  /** `-123` */
  | { readonly kind: 'integer'; readonly bytes: 2 | 4 | 8 }
  /** `-123.4500`. Without `precision` it is as wide as the target allows. */
  | { readonly kind: 'decimal'; readonly precision?: number; readonly scale?: number }
  /** The shortest text that parses to the same double; `NaN`, `Infinity` and `-Infinity` if the source has them. */
  | { readonly kind: 'double' }
  /** `t` or `f`. */
  | { readonly kind: 'boolean' }
  /**
   * `2026-01-31`. From PostgreSQL, dates and timestamps may also be `infinity`, `-infinity`, before year 1 (`0044-03-15
   * BC`) or after 9999. A target that cannot store such a value, NaN or Infinity rejects the row, or stores null if the
   * connector is set so (`unsupported-values.ts`).
   */
  | { readonly kind: 'date' }
  /** `13:05:00.123456`. */
  | { readonly kind: 'time' }
  /** A timestamp without time zone: `2026-01-31 13:05:00.123456`. `digits`: fractional seconds precision, 0 to 7. */
  | { readonly kind: 'localTimestamp'; readonly digits: number }
  /** A timestamp with time zone, always in UTC: `2026-01-31 13:05:00.123456+00`. */
  | { readonly kind: 'instant'; readonly digits: number }
  /** Lower case: `6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10`. */
  | { readonly kind: 'guid' }
  /** JSON text. */
  | { readonly kind: 'json' }
  /** `\x` and lower-case hexadecimal digits (`\\x…` after COPY escaping). `maxLength` in bytes. */
  | { readonly kind: 'bytes'; readonly maxLength?: number }

export interface Column {
  readonly name: string
  readonly type: LogicalType
  readonly nullable: boolean
  /** What its values mean, for people: unit, sign, what null stands for. */
  readonly description?: string
  /** Where the source has the value, if that is not the column's name: a path in a document. */
  readonly sourceField?: string
}

/** Columns that hold the key of a row in another table of the source, or in the same one. */
export interface Reference {
  readonly columns: readonly string[]
  /** The name of the table that is referred to, as in `Table.name`. */
  readonly table: string
  /** The columns there, in the same order. */
  readonly to: readonly string[]
  /** The row is a part of the one that it refers to, such as a line of its invoice. */
  readonly isParent?: true
}

export interface Table {
  /** The table's name in the target, before it is shortened or quoted. Unique within its source. */
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns that identify a row. If empty, the table can only be replaced as a whole. */
  readonly key: readonly string[]
  /**
   * Set on a child table, such as invoice lines: the columns, in key order, that identify the parent row.
   * A batch of a child table contains all children of the parents in it, so a merge first deletes the other
   * children of these parents.
   */
  readonly parentKey?: readonly string[]
  /** What a row is, for people. */
  readonly description?: string
  /** Foreign keys, or what an API documents as such. The referenced row may be missing in the target. */
  readonly references?: readonly Reference[]
}

/** Longer comments of a source are cut. */
const descriptionMax = 4_000

/** Ends a comment that Tributary has written into a target: a checksum of its text. */
export const commentMark = / \[Tributary ([0-9a-f]{8})\]$/u

/** A comment of a database as a description; undefined if it is empty. Drops Tributary’s mark and characters that no store can hold. */
export function readDescription(comment: string | null | undefined): string | undefined {
  const text = (comment ?? '').replaceAll('\u0000', '').trim().replace(commentMark, '').trim()
  if (text === '') return undefined
  const cut = text.length > descriptionMax ? `${text.slice(0, descriptionMax - 1)}…` : text
  return cut.toWellFormed()
}

/** `description`, if there is a comment. */
export function describedBy(comment: string | null | undefined): { readonly description?: string } {
  const description = readDescription(comment)
  return description === undefined ? {} : { description }
}

/** Where a read stopped. Opaque to the engine, which only stores it; its content belongs to the source. */
export type Checkpoint = { readonly [key: string]: string | number | boolean | null }

/**
 * The encoding of a batch's bytes.
 * - `text`: PostgreSQL's COPY text format in UTF-8 (tab between values, newline after rows, `\N` for null, `\\ \t \n
 *   \r` escaped, from PostgreSQL also `\b \f \v`), each value in the canonical text of its logical type.
 * - `plain`: like `text`, with booleans as `1` and `0` and instants without `+00`, so that MySQL's LOAD DATA parses it.
 * - `binary`: COPY binary, for targets that accept the stream's `binaryFingerprint`.
 *
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export type RowEncoding = 'text' | 'plain' | 'binary'

/** Encoded rows of one table. `bytes` may end within a row; the next batch of that table continues it. */
export interface RowBatch {
  /** The name of the stream's main table or of one of its children. */
  readonly table: string
  readonly bytes: Uint8Array
  /** Rows that begin (or end) in `bytes`. Over all batches of a read the counts add up to its rows. */
  readonly rows: number
  /**
   * Guarantees that every row up to here, in this and all earlier batches of the stream, has been yielded completely.
   */
  readonly checkpoint?: Checkpoint
  /**
   * Marks deleted rows, if the source reports deletions. The rows contain only the key columns of the main table, in
   * key order; their children are deleted, too. Always complete rows in `text`. Within one read a key is either written
   * or deleted, never both.
   */
  readonly deletes?: true
  /** Members of the documents that no column has, so that they are not moved. */
  readonly unknownMembers?: readonly string[]
  /** Set on deletions of rows that an earlier batch of this read has written. What was written before is committed first. */
  readonly supersedes?: true
  /**
   * Frees the memory of `bytes` immediately; they must not be read afterwards. Optional to call: the garbage collector
   * frees it, too, but only after about 64 MB have accumulated.
   */
  readonly release?: () => void
}

/** A batch without rows: everything up to the checkpoint has been yielded. @param of the stream that is read */
export function checkpointBatch(of: { readonly table: Table }, checkpoint: Checkpoint): RowBatch {
  return { table: of.table.name, bytes: new Uint8Array(), rows: 0, checkpoint }
}
