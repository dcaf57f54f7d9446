/** The progress that a sync reports while it runs: one value per stream, each replacing the previous one. */

export type StreamPhase =
  | 'waiting'
  | 'preparing'
  | 'reading'
  | 'finishing'
  | 'sweeping'
  | 'verifying'
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
   * Whether a retry has less to read than this attempt had. False if an earlier attempt had already finished the
   * stream, and if a stream that is read whole or from a date stops before its end.
   */
  readonly hasAdvanced: boolean
  /** For people: what verifying the stream came to. */
  readonly notice?: string | null
}
