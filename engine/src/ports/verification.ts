/** The port of verification: whether the rows in a target are those of the source, value by value. */
import type { Clock } from './clock.ts'
import type { OpenSource } from './source.ts'
import type { OpenTarget, Writer } from './target.ts'

export interface VerifyRequest {
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly writer: Writer
  /** Names of the streams to verify; absent: all. */
  readonly streams?: readonly string[]
  /** Where the last slice of a stream stopped, by stream. A stream without one begins at its first key. */
  readonly cursors?: ReadonlyMap<string, string>
  /**
   * Stops after so many rows or milliseconds, whichever is first; a stream that is cut has a cursor, and streams that are not reached are not
   * reported. A table whose rows have no key is never cut, and neither is a sample of documents. Absent: verifies everything.
   */
  readonly budget?: { readonly rows: number; readonly ms: number }
  /** How many calls to the API of a source without SQL are left. At 0 no further stream is verified. Absent: no limit. */
  readonly callsLeft?: () => number
  /** From 0 to less than 1: where a sample of documents begins. Absent: random. */
  readonly position?: () => number
  /** What the latest verification of a stream could not decide. Undefined: nothing. */
  readonly pendingBefore?: (stream: string) => PendingDifferences | undefined
  /** Reads rows that differ again from the source, writes them, and deletes those that only the target has. */
  readonly repair: boolean
  /**
   * Keys of rows that the latest runs rejected, by name of the table in the source: they are missing for that reason. Each is the canonical
   * texts of the key columns, in the order of the key, as a JSON array.
   */
  readonly rejectedKeys?: (table: string) => ReadonlySet<string>
  /** Called with each stream as soon as it is verified. */
  readonly report: (verification: StreamVerification) => void
  readonly log: (line: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Differences of documents that may have changed since the last run. If a run does not change them, they are certain. */
export interface PendingDifferences {
  readonly checkedAt: Date
  /** Whether it had this difference, with the same values in the source. */
  includes(difference: RowDifference): boolean
}

/**
 * `identical`: every compared value is the same. `different`: rows differ, or differed and were repaired (`isRepaired`). `pending`: rows
 * differ that may have changed meanwhile; they are read again after the next run. `unfinished`: the budget ended first, and no difference was found so far. `notProvable`: the source offers
 * nothing to compare with. `failed`: see `notice`.
 */
export type VerificationOutcome = 'identical' | 'different' | 'pending' | 'unfinished' | 'notProvable' | 'failed'

/** `checksums`: all values. `sample`: counts, control totals and some documents that were read again. */
export type VerificationMethod = 'checksums' | 'sample'

export interface StreamVerification {
  readonly stream: string
  /** The name of the main table in the target. */
  readonly table: string
  readonly outcome: VerificationOutcome
  readonly method: VerificationMethod
  /** The source is compared as it was at this time. */
  readonly checkedAt: Date
  /** Rows of the main table and its children that were compared. */
  readonly rows: number
  /** Rows left out because the source has changed them since the checkpoint. */
  readonly newerRows: number
  /** Columns that no checksum of both databases covers, as `table.column`; they were streamed and compared here. */
  readonly streamedColumns: readonly string[]
  /** Where the next slice continues; null if the stream was verified to its end. */
  readonly cursor: string | null
  readonly differenceCount: number
  /** The first `differencesMax`. */
  readonly differences: readonly RowDifference[]
  /** For people: what could not be compared, and why. */
  readonly notice: string | null
}

export const differencesMax = 1_000

/** `doubled`: the target has several rows with the key. */
export type RowDifferenceKind = 'missing' | 'additional' | 'different' | 'doubled'

/**
 * `stampNotMoved`: the source changed or inserted the row without its change stamp. `writtenAtTarget`: the row was changed, deleted or
 * inserted in the target by something else. `rejected`: the target cannot store the row. `changedSince`: the source has changed since.
 */
export type DifferenceCause = 'stampNotMoved' | 'writtenAtTarget' | 'rejected' | 'changedSince' | 'unknown'

export interface RowDifference {
  /** The name of the table in the target. */
  readonly table: string
  /** Key columns with canonical text. All columns if the table has no key. */
  readonly key: { readonly [column: string]: string | null }
  readonly kind: RowDifferenceKind
  /** Columns whose values differ, as canonical text; null for NULL. Empty unless `kind` is `different`. */
  readonly columns: readonly {
    readonly name: string
    readonly source: string | null
    readonly target: string | null
  }[]
  readonly cause: DifferenceCause
  readonly isRepaired: boolean
}
