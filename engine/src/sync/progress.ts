/** What a sync reports while it runs: one value a stream, each report replacing the last. */

export type StreamPhase =
  | 'waiting'
  | 'preparing'
  | 'reading'
  | 'finishing'
  | 'sweeping'
  | 'done'
  | 'failed'
  | 'cancelled'

export interface StreamProgress {
  readonly stream: string
  readonly table: string
  readonly phase: StreamPhase
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly rowsUpdated: number
  readonly rowsDeleted: number
  readonly rowsRejected: number
  readonly rowsEstimate: number | null
  /**
   * Whether the run has got on with it: a try that follows has less to read. It has not where an earlier try had come to the stream's
   * end, and what comes now brings it up to date; nor where one that is always read whole, or from a date, breaks off before its end.
   */
  readonly hasAdvanced: boolean
}
