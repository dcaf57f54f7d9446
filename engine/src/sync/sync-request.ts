/** The input and the result of a run. */
import type { Clock } from '../ports/clock.ts'
import type {
  ClosedPeriodDefinition,
  ClosedPeriodExamination,
  ClosedPeriodRequest,
  FailedExamination,
} from '../ports/closed-periods.ts'
import type { Fault } from '../ports/faults.ts'
import type { HistoryTrim, TableHistory, TableSize } from '../ports/history.ts'
import type { BudgetTable } from '../ports/questions.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type {
  OpenTarget,
  CommentTexts,
  PreparedTable,
  RejectedRowRecord,
  RenamedColumn,
  TargetSchemaChange,
  Writer,
} from '../ports/target.ts'
import type { TieOutResult } from '../ports/tie-out.ts'
import type { SyncMode } from './plan.ts'
import type { StreamProgress } from './progress.ts'

export interface SyncRunRequest {
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly writer: Writer
  /** Names of the streams to move; absent: all. */
  readonly streams?: readonly string[]
  /**
   * Names of streams that earlier runs have moved. One that is no longer readable fails the run, even if nothing is
   * selected by name.
   */
  readonly movedBefore?: readonly string[]
  readonly syncMode: SyncMode
  /** Ids of the bundles that may be moved; absent: all. */
  readonly bundles?: ReadonlySet<string>
  /** Read all changes since this time again. Streams that cannot are read whole. The checkpoints never move back. */
  readonly changedSince?: Date
  /** Absent: every schema change is applied. */
  readonly schemaRules?: SchemaChangeRules
  /** Set if closed periods are watched. They need history of the tables of the ledger. */
  readonly closedPeriods?: ClosedPeriodWatch
  /** Marks that need views in the target, and whose row versions retention must keep. */
  readonly marks?: readonly ReportMark[]
  /** Loaded plans in the target's database, for the question about the budget. Absent: none. */
  readonly budgetTables?: readonly BudgetTable[]
  /**
   * Words of administrators about a table, or about a column of it, by their names in the target; empty if there are none. They become
   * comments in the target, before the description of the source. Absent: no comment is written.
   */
  readonly words?: CommentTexts
  /** Whether row versions of a stream are kept. Absent: as before. */
  readonly keepsHistory?: (stream: string) => boolean
  /**
   * The set that publishes the connector's runs. A completed run of all streams is offered to it, which requires
   * history of every stream. Absent: not offered.
   */
  readonly publicationSet?: string
  /** Which versions are removed after a stream was synced; null: none. Absent: none. */
  readonly trimsHistory?: (stream: string) => HistoryTrim | null
  /** Called with the progress of each stream, at most a few times per second. */
  readonly report: (progress: StreamProgress) => void
  readonly log: (line: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * What to do if the source's tables have changed. `take` applies every change. `ask` skips a stream with an undecided
 * change and moves the others; accepted changes are applied, rejected columns are left out. `stop` moves nothing until
 * every change is decided.
 */
export interface SchemaChangeRules {
  readonly policy: 'take' | 'ask' | 'stop'
  readonly decisions: readonly SchemaDecision[]
  /** Called with applied changes, and with changes that need a decision. */
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
  /** The stream as the source describes it. */
  readonly stream: Stream
  readonly progress: StreamProgress
  /** When the read that finished the stream began; null if it was not finished. */
  readonly freshAt: Date | null
  /** Rows in the target afterwards; null if unknown. */
  readonly rows: number | null
  readonly rejected: readonly RejectedRowRecord[]
  /** The names of its tables and columns in the target; null if it was not prepared. */
  readonly targetNames: TargetNames | null
  /** Why this stream failed; null if it is done, cancelled or was not started. */
  readonly fault: Fault | null
}

export interface TargetNames {
  /** The name of the main table. */
  readonly table: string
  readonly columns: readonly RenamedColumn[]
  /** Its tables with what is known about them, the main table first. */
  readonly tables: readonly PreparedTable[]
  /** The histories that this run has kept, the main table's first. */
  readonly histories: readonly TableHistory[]
  /** Of the tables and their histories after the run; empty until then, or if they could not be measured. */
  readonly sizes: readonly TableSize[]
}

export interface SyncOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled'
  /**
   * Why the run failed. After `busy`, `signIn` and `passing`, retry with the same run id: finished streams are skipped.
   */
  readonly fault: Fault | null
  readonly streams: readonly StreamOutcome[]
  /** Names of streams that earlier runs have moved and the source no longer has. */
  readonly removedStreams: readonly string[]
  /**
   * The comparison of the target with the source's own report; null if it has none, or the run did not move all
   * required streams.
   */
  readonly tieOut: TieOutResult | null
  /** Whether the run can be published; null if no set publishes it, or it moved not everything. */
  readonly offer: OfferOutcome | null
  /** The changes in closed periods; null if they are not watched, or the run did not move all required streams. */
  readonly closedPeriods: ClosedPeriodExamination | FailedExamination | null
  /** The views of marks; empty if the run did not move what they need. */
  readonly marks: readonly MarkOutcome[]
}

/** What was reported: the ledger at the cut-off of a run. */
export interface ReportMark {
  /** Part of the names of its views: `june_2026`. */
  readonly slug: string
  /** The cut-off of the run, such as `2026-11-28T06:00:00.123456Z`. */
  readonly moment: string
}

export interface MarkOutcome {
  readonly slug: string
  /** Names of its views. */
  readonly views: readonly string[]
  /** For people: why not all of them exist. */
  readonly notice: string | null
}

export interface ClosedPeriodWatch extends ClosedPeriodRequest {
  /** The ledger of the source; null if a table takes its place. */
  readonly definition: ClosedPeriodDefinition | null
}

export type OfferOutcome =
  /** `moment` is the cut-off of the run. */
  { readonly outcome: 'offered'; readonly moment: string } | { readonly outcome: 'failed'; readonly notice: string }
