/** What a run is given and what it gives back. */
import type { Clock } from '../ports/clock.ts'
import type { Fault } from '../ports/faults.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { OpenTarget, RejectedRowRecord, RenamedColumn, TargetSchemaChange, Writer } from '../ports/target.ts'
import type { TieOutResult } from '../ports/tie-out.ts'
import type { SyncMode } from './plan.ts'
import type { StreamProgress } from './progress.ts'

export interface SyncRunRequest {
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly writer: Writer
  /** Names of the streams to move; absent: all there are. */
  readonly streams?: readonly string[]
  /** Names of streams that earlier runs have moved: one that may not be read any more is named, also where nothing is chosen by name. */
  readonly movedBefore?: readonly string[]
  readonly syncMode: SyncMode
  /** Ids of the bundles that may be moved; absent: all. */
  readonly bundles?: ReadonlySet<string>
  /** Read again what has changed since this moment; streams that cannot tell are read whole. The checkpoints never go back. */
  readonly changedSince?: Date
  /** Absent: every change is taken. */
  readonly schemaRules?: SchemaChangeRules
  /** Called with each stream's newest figures, a few times a second at most. */
  readonly report: (progress: StreamProgress) => void
  readonly log: (line: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * What to do when the source's tables have changed. `take` makes the change. `ask` leaves a stream with an undecided change alone and
 * moves the others; an accepted change is made, a rejected column is left out. `stop` moves nothing until it is decided.
 */
export interface SchemaChangeRules {
  readonly policy: 'take' | 'ask' | 'stop'
  readonly decisions: readonly SchemaDecision[]
  /** Called with what was changed, and with what waits for a decision. */
  readonly reportChanges: (
    stream: string,
    changes: readonly TargetSchemaChange[],
    status: 'applied' | 'pending',
  ) => void
}

export interface SchemaDecision {
  readonly table: string
  readonly column: string | null
  readonly after: string
  readonly decision: 'accepted' | 'rejected'
}

export interface StreamOutcome {
  /** As the source described it. */
  readonly stream: Stream
  readonly progress: StreamProgress
  /** When the read began that brought it to its end; null where it did not come to its end. */
  readonly freshAt: Date | null
  /** Rows in the target afterwards, where known. */
  readonly rows: number | null
  readonly rejected: readonly RejectedRowRecord[]
  /** What its tables are called in the target, where that is known. */
  readonly targetNames: TargetNames | null
  /** Why this stream failed; null for one that is done, cancelled or was not reached. */
  readonly fault: Fault | null
}

export interface TargetNames {
  /** Its main table. */
  readonly table: string
  readonly columns: readonly RenamedColumn[]
}

export interface SyncOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Why the run failed. `busy`, `signIn` and `passing` concern all streams: run again under the same run id, and what is done is skipped. */
  readonly fault: Fault | null
  readonly streams: readonly StreamOutcome[]
  /** Names of streams that earlier runs have moved and that the source does not have any more. */
  readonly removedStreams: readonly string[]
  /** What comparing the target with the source's own report came to; null where there is none, or the run did not move all of it. */
  readonly tieOut: TieOutResult | null
}
