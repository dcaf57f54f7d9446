/** What a sync reports while it runs: one value a stream, each report replacing the last. */

export type StreamPhase = 'waiting' | 'preparing' | 'reading' | 'finishing' | 'sweeping' | 'done' | 'failed' | 'cancelled'

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
  /** An earlier try of the same run had read it to its end: what comes now brings it up to date. */
  readonly isAgain: boolean
}
