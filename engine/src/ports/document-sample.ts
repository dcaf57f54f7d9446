/** The port of a source without SQL for verification: what it counts, and documents that are read again to be compared. */
import type { Checkpoint, RowBatch } from './model.ts'

export interface SampleRequest {
  /** The most pages of lists to read. */
  readonly calls: number
  /** How many documents to read if each takes a call. */
  readonly documents: number
  /** Rows of the main table in the target. A list of about so many rows is read whole if the calls suffice. */
  readonly rows: number
  /** Where the last run stopped; null if the stream has none. */
  readonly checkpoint: Checkpoint | null
  /** From 0 to less than 1: where the sample begins, so that it differs each time. */
  readonly position: number
  /** The values of the key of some row of the main table in the target, or null: where a page of a long list can begin. */
  readonly anyKey?: () => Promise<readonly (string | null)[] | null>
  readonly log: (line: string) => void
}

export interface DocumentSample {
  /** The documents that were read again, with all their children; complete rows in `text`. */
  readonly batches: readonly RowBatch[]
  /** Keys of the main table that the source has, encoded as in `OpenSource.keys`; those of `batches` are among them. */
  readonly listed: readonly string[]
  /** Every key of the source is listed. */
  readonly isComplete: boolean
  /** What the source counts; null if it counts nothing. Absent `table`: the main table. */
  readonly count: { readonly rows: number; readonly table?: string } | null
  /**
   * Keys of documents that the next run reads anyway, because they changed since the last one. Null: the source does not report what changed,
   * so any document may have.
   */
  readonly changed: ReadonlySet<string> | null
  /**
   * Columns whose values change without the document, such as the time at which a report was written, or the name of another document. They
   * are not compared.
   */
  readonly ignoredColumns?: readonly string[]
  /** Months of a report of the source that were read again as control totals. */
  readonly reportMonths?: number
}

/** Why nothing can be compared, for people. */
export interface NoSample {
  readonly reason: string
}
