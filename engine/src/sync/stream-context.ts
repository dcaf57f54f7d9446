/** The context of one stream within a run. */
import type { StreamOutcome, SyncRunRequest } from './sync-request.ts'
import type { ClearedStream } from './schema-changes.ts'

export interface StreamContext extends SyncRunRequest, ClearedStream {
  /** Whether a run of this connector has ever completed. Only then a new table is logged as a change. */
  readonly hasCompleted: boolean
  /** Replaces the recorded outcome of the stream. */
  readonly recordOutcome: (outcome: StreamOutcome) => void
}
