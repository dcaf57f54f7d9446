/** What a run is given and what it gives back. */
import type { Clock } from '../clock.ts'
import type { Fault } from '../faults.ts'
import type { OpenSource } from '../source.ts'
import type { OpenTarget, RejectedRow, Writer } from '../target.ts'
import type { Wish } from './plan.ts'
import type { StreamProgress } from './progress.ts'

export interface SyncRequest {
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly writer: Writer
  /** Names of the streams to move; absent: all there are. */
  readonly streams?: readonly string[]
  readonly wish: Wish
  /** Called with each stream's newest figures, a few times a second at most. */
  readonly report: (progress: StreamProgress) => void
  readonly tell: (line: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface StreamOutcome {
  readonly progress: StreamProgress
  readonly rejected: readonly RejectedRow[]
  /** Why this stream failed; null for one that is done, cancelled or was not reached. */
  readonly fault: Fault | null
}

export interface SyncOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Why the run failed. `busy`, `signIn` and `passing` concern all streams: run again under the same run id, and what is done is skipped. */
  readonly fault: Fault | null
  readonly streams: readonly StreamOutcome[]
}
