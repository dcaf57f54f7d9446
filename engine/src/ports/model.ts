/** What moves: tables, columns, the closed set of logical types, and batches of encoded rows. */

/**
 * Every target can store each of these, and every source maps its own types into them.
 * The canonical text of a value, which is what travels, is written beside each kind.
 */
export type LogicalType =
  /** Any characters but U+0000. `maxLength` counts characters. `native`: the type whose text it is, which a target of the source's own kind uses. */
  | { readonly kind: 'text'; readonly maxLength?: number; readonly native?: string }
  /** `-123`; 2, 4 or 8 bytes wide. */
  | { readonly kind: 'integer'; readonly bytes: 2 | 4 | 8 }
  /** `-123.4500`; without precision it is as wide as the target allows. */
  | { readonly kind: 'decimal'; readonly precision?: number; readonly scale?: number }
  /** Shortest text that reads back to the same double; `NaN`, `Infinity` and `-Infinity` where the source has them. */
  | { readonly kind: 'double' }
  /** `t` or `f`. */
  | { readonly kind: 'boolean' }
  /**
   * `2026-01-31`. A PostgreSQL source also gives `infinity`, `-infinity` and years before 1 (`0044-03-15 BC`) or after 9999,
   * in this kind and in stamps; a target that knows no such value, NaN or Infinity rejects the row, or leaves the value empty where that
   * was chosen (`unknown-values.ts`).
   */
  | { readonly kind: 'date' }
  /** `13:05:00.123456`. */
  | { readonly kind: 'time' }
  /** A wall-clock stamp without zone: `2026-01-31 13:05:00.123456`. `digits` of a second, 0 to 7. */
  | { readonly kind: 'localTimestamp'; readonly digits: number }
  /** A moment, always written in UTC: `2026-01-31 13:05:00.123456+00`. */
  | { readonly kind: 'instant'; readonly digits: number }
  /** Lower-case `6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10`. */
  | { readonly kind: 'guid' }
  /** JSON text. */
  | { readonly kind: 'json' }
  /** `\x` and lower-case hexadecimal digits (written `\\x…` once escaped for COPY). `maxLength` counts bytes. */
  | { readonly kind: 'bytes'; readonly maxLength?: number }

export interface Column {
  readonly name: string
  readonly type: LogicalType
  readonly nullable: boolean
}

export interface Table {
  /** The name in the target, before it is shortened or quoted. Unique in its source. */
  readonly name: string
  readonly columns: readonly Column[]
  /** Names of the columns that identify a row. Empty: the table can only be replaced whole. */
  readonly key: readonly string[]
  /**
   * Set on a child table (lines of an invoice): the columns, in key order, that identify the parent row.
   * A batch of a child table carries all children of the parents it names, so a merge first deletes those of
   * the same parents that the batch no longer has.
   */
  readonly parentKey?: readonly string[]
}

/** Where a read stopped, in the source's own words. The engine stores it and never looks inside. */
export type Checkpoint = { readonly [key: string]: string | number | boolean | null }

/**
 * How a batch's bytes are written. `text` is PostgreSQL's COPY text format in UTF-8 (tab between, newline after,
 * `\N` for null, `\\ \t \n \r` escaped, and from PostgreSQL `\b \f \v` too), each value in the canonical text of its
 * logical type. `plain` is the same with booleans as `1` and `0` and instants without their `+00`, which MySQL reads by itself.
 * `binary` is COPY binary, which only a target understands that takes the stream's `binaryFingerprint`.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export type RowEncoding = 'text' | 'plain' | 'binary'

/** Rows of one table, encoded. Bytes may end in the middle of a row; the next batch of that table goes on. */
export interface RowBatch {
  /** Which table of the stream: its own name, or that of one of its children. */
  readonly table: string
  readonly bytes: Uint8Array
  /** Rows that begin, or end, in `bytes`; over all batches of a read they add up to its rows. */
  readonly rows: number
  /** Promises that every row up to here, in this and all earlier batches of the stream, has been yielded whole. */
  readonly checkpoint?: Checkpoint
  /**
   * Set where the source tells of deletions: the rows hold only the key columns of the stream's main table, in key
   * order, and are gone, children included. Always whole rows in `text`; within one read a key is either written or
   * deleted, never both.
   */
  readonly deletes?: true
  /**
   * Gives the memory of `bytes` back at once; nobody may look at them afterwards. Called or not, for the collector does it,
   * too, but lets some 64 MB pile up first.
   */
  readonly release?: () => void
}
