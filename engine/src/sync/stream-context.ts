/** What moving one stream is given. */
import type { StreamOutcome, SyncRequest } from './sync-request.ts'
import type { Cleared } from './schema-changes.ts'

export interface StreamSync extends SyncRequest, Cleared {
  /** Whether a run of this connector has ever completed: only then is a new table worth telling. */
  readonly hasCompleted: boolean
  /** Takes the newest outcome; the last one counts. */
  readonly keep: (outcome: StreamOutcome) => void
}
