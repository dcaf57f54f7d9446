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
}
