/** What a plan of starts needs to know, and what it says. All times are ms since 1970. */

/** A run that must be over at a promised time. */
export interface PromisedRun {
  /** The connector. */
  readonly id: string
  readonly organisationId: string
  readonly dueAt: number
  /** The rows of a run that begins earlier would be too old at the promised time. */
  readonly earliestAt: number
  /** Measured: of twenty runs, nineteen take at most so long. */
  readonly durationMs: number
  /** The calls of one run that count for a key of the source. Null: the source has no limit. */
  readonly calls: { readonly key: string; readonly count: number } | null
}

export interface SourceLimit {
  /** Null: no limit by minute. */
  readonly callsPerMinute: number | null
  /** The calls that are left in a day of UTC, which is counted from 1970. Null: no limit by day. */
  readonly callsLeftOn: ((day: number) => number) | null
}

export interface StartLimits {
  /** Over all workers. */
  readonly concurrentRuns: number
  readonly runsOf: (organisationId: string) => number
  readonly sources: ReadonlyMap<string, SourceLimit>
}

/** Starts that are planned already, and runs that no promise starts. */
export interface ReservedRuns {
  readonly startAt: number
  readonly endAt: number
  readonly runs: number
  /** Null: runs of several organisations. */
  readonly organisationId: string | null
  /** Of each run. */
  readonly calls: PromisedRun['calls']
  /** What they take of the workers is counted elsewhere. */
  readonly isOnlyOfShare?: true
}

/** Why a run cannot be over at the promised time. */
export type PlanObstacle = 'tooLong' | 'sourceRate' | 'allowance' | 'organisationShare' | 'workers'

export interface PlannedStart {
  readonly id: string
  readonly startAt: number
  /** The end that is reserved: the measured duration after the start. */
  readonly endAt: number
  /** Null: it will be over in time. Otherwise the run starts when it harms no other promise. */
  readonly obstacle: PlanObstacle | null
}

export interface PlanRequest {
  readonly promises: readonly PromisedRun[]
  readonly limits: StartLimits
  readonly reserved: readonly ReservedRuns[]
  /** No run starts earlier. */
  readonly now: number
}

/** By how much earlier than needed a run starts, if there is room. The rows are older by as much, and even a run that takes twice as long is over in time. */
export function comfortableMarginMs(durationMs: number): number {
  return Math.max(10 * 60_000, durationMs)
}

/** The least by which a run starts earlier than needed. A plan without room for it is not a promise. */
export function leastMarginMs(durationMs: number): number {
  return Math.max(2 * 60_000, durationMs / 5)
}
