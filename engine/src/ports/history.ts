/** History: the row versions that a target keeps, and what can be done with them. */
import type { Stream } from './source.ts'

/** The history of a table. Names as in the target. */
export interface TableHistory {
  readonly table: string
  /** The name of the history table. */
  readonly name: string
  /** Cut-off of the run that began it. Nothing is known of before. */
  readonly since: string
}

/** The part of a target that keeps history. */
export interface HistoryTarget {
  /**
   * The moment that row versions of this run are valid from, such as `2026-11-28T06:00:00.123456Z`. The same in all
   * attempts of a run.
   */
  cutOff(): Promise<string>
  /** The histories of the stream's tables, the main table first. Empty where none is kept. Requires `prepare`. */
  histories(stream: Stream): readonly TableHistory[]
  /** Removes old versions of a stream's tables. Returns how many. Requires `prepare`. */
  trimHistory(stream: Stream, trim: HistoryTrim): Promise<number>
  /**
   * Clears values in all versions of a table, the current ones included. Its own table stays as it is: what the source
   * still has becomes a version again. Returns in how many versions. Requires `prepare`.
   * @param table the table's name in the source
   * @throws Fault `settings` for unknown columns, and for those that identify a row
   */
  redactHistory(table: string, redaction: HistoryRedaction): Promise<number>
  /** The sizes of the stream's tables and their histories. Requires `prepare`. */
  measureTables(stream: Stream): Promise<readonly TableSize[]>
}

/** Moments such as `2026-11-28T06:00:00.123456Z`. */
export interface HistoryTrim {
  /** Versions that ended until then are removed. */
  readonly before: string
  /** Versions that were valid at one of these moments stay. */
  readonly keep: readonly string[]
}

/** Names of columns in the target. */
export interface HistoryRedaction {
  readonly column: string
  /** As the database writes it as text. */
  readonly value: string
  readonly clear: readonly string[]
}

export interface TableSize {
  /** As in the target. */
  readonly name: string
  /** Of a large table an estimate, from the statistics of the database. */
  readonly rows: number
  /** With indexes. */
  readonly bytes: number
}

/** ISO 8601 with six fractional digits, so that texts compare like the moments. @param ms milliseconds since 1970 */
export function toMoment(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
