/** How far a stream of changing documents has been read: what its checkpoint holds. */
import type { Checkpoint } from '../../ports/model.ts'
import type { Day } from './tables/dates.ts'
import type { Place } from './walk.ts'

export interface Progress {
  /** Every change before this moment has been given, but for what `walk` has not come to yet. */
  readonly until: number
  /** The walk that is under way: what changed after `since`, from `place` on. */
  readonly walk: { readonly since: number | null; readonly place: Place } | null
  /** The date of the oldest document. */
  readonly oldest: Day | null
  readonly quiet: Quiet
}

/** Reading everything again, a slice a day, for what Xero changes without saying so. */
export interface Quiet {
  /** When the last slice was due. */
  readonly at: number
  /** Slices left in this round. */
  readonly left: number
  /** Where the next slice begins; null: at the beginning. */
  readonly from: Day | null
}

export const slices = 7

export function freshRound(at: number): Quiet {
  return { at, left: slices, from: null }
}

export function checkpointOf({ until, walk, oldest, quiet }: Progress): Checkpoint {
  return { until, ...(walk !== null && { walk: JSON.stringify(walk) }), oldest, quiet: JSON.stringify(quiet) }
}

/** Null where nothing has been read. A checkpoint made for a moment knows of no slices: then none is due. */
export function progressOf(checkpoint: Checkpoint | null, now: number): Progress | null {
  if (checkpoint === null || typeof checkpoint['until'] !== 'number') return null
  const { until, walk, oldest, quiet } = checkpoint
  return {
    until,
    walk: typeof walk === 'string' ? (JSON.parse(walk) as Progress['walk']) : null,
    oldest: typeof oldest === 'string' ? oldest : null,
    quiet: typeof quiet === 'string' ? (JSON.parse(quiet) as Quiet) : freshRound(now),
  }
}
