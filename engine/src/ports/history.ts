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
  /** Counts the row versions of a person, in all and at each of these moments. Requires neither `begin` nor `prepare`. */
  countPersonVersions(search: PersonSearch, moments: readonly string[]): Promise<readonly PersonVersions[]>
  /**
   * Clears columns in all row versions of a person, the current ones included, in one transaction. The tables themselves stay
   * as they are: what the source still has becomes a version again with a later run. Requires `begin`, not `prepare`.
   * @param unchanged names of views whose rows must stay the same, because they show amounts
   * @throws Fault `settings`, and clears nothing, for unknown columns, for those that identify a row, and if such a view would change
   */
  erasePerson(searches: readonly PersonSearch[], unchanged: readonly string[]): Promise<void>
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

/** The rows that have a value in a column of a stream’s main table, or had it in any version, with their children. Names as in the target. */
export interface PersonSearch {
  readonly connectorId: string
  readonly column: string
  /** As the database writes it as text. */
  readonly value: string
  /** The main table first. Those without history are left out. */
  readonly tables: readonly PersonTable[]
}

export interface PersonTable {
  readonly table: string
  /** The key of the main table; of a child the columns that hold it, in the same order. If empty, only versions with the value are found. */
  readonly key: readonly string[]
  /** The columns to clear. Versions in which all of them are empty do not count. If empty, all versions count. */
  readonly clear: readonly string[]
}

export interface PersonVersions {
  readonly table: string
  /** The name of the history table. */
  readonly name: string
  readonly versions: number
  /** How many of them were valid at each moment. */
  readonly at: readonly number[]
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
