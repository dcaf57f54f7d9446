/** Progress of a stream of changing documents: the content of its checkpoint. */
import type { Checkpoint } from '../../ports/model.ts'
import type { XeroDay } from './tables/dates.ts'
import type { WalkPosition } from './walk-changes.ts'

export interface XeroProgress {
  /** Every change before this moment has been returned, except those that `walk` has not reached yet. */
  readonly until: number
  /** The interrupted walk: changes after `since`, continuing at `place`. */
  readonly walk: { readonly since: number | null; readonly place: WalkPosition } | null
  /** The date of the oldest document. */
  readonly oldest: XeroDay | null
  readonly reread: RereadCycle
}

/** The cycle that re-reads all documents, one slice a day, for changes that Xero does not report. */
export interface RereadCycle {
  /** When the last slice was due. */
  readonly at: number
  /** Slices left in this cycle. */
  readonly left: number
  /** The first day of the next slice; null: the beginning. */
  readonly from: XeroDay | null
}

export const sliceCount = 7

export function startCycle(at: number): RereadCycle {
  return { at, left: sliceCount, from: null }
}

export function checkpointOf({ until, walk, oldest, reread }: XeroProgress): Checkpoint {
  return { until, ...(walk !== null && { walk: JSON.stringify(walk) }), oldest, quiet: JSON.stringify(reread) }
}

/** Null if nothing has been read. A checkpoint for a moment has no cycle, so no slice is due. */
export function progressFromCheckpoint(checkpoint: Checkpoint | null, now: number): XeroProgress | null {
  if (checkpoint === null || typeof checkpoint['until'] !== 'number') return null
  const { until, walk, oldest, quiet } = checkpoint
  return {
    until,
    walk: typeof walk === 'string' ? (JSON.parse(walk) as XeroProgress['walk']) : null,
    oldest: typeof oldest === 'string' ? oldest : null,
    reread: typeof quiet === 'string' ? (JSON.parse(quiet) as RereadCycle) : startCycle(now),
  }
}
