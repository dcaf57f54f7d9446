/** What moving one stream is given. */
import type { StreamOutcome, SyncRunRequest } from './sync-request.ts'
import type { ClearedStream } from './schema-changes.ts'

export interface StreamContext extends SyncRunRequest, ClearedStream {
  /** Whether a run of this connector has ever completed: only then is a new table worth telling. */
  readonly hasCompleted: boolean
  /** Takes the newest outcome; the last one counts. */
  readonly recordOutcome: (outcome: StreamOutcome) => void
}
