/** What to do with a stream: pure, from what the source offers, what the target has and what was asked for. */
import type { Checkpoint } from '../model.ts'
import type { Stream } from '../source.ts'
import type { LoadMode, StreamState } from '../target.ts'

export type Wish = 'incremental' | 'full'

export type Plan =
  /** This very run has brought the stream to its end before it was interrupted. */
  { readonly kind: 'done' } | { readonly kind: 'read'; readonly mode: LoadMode; readonly since: Checkpoint | null }

export interface Planning {
  readonly stream: Pick<Stream, 'reads' | 'table' | 'slow'>
  readonly state: Pick<StreamState, 'checkpoint' | 'refresh' | 'finishedRun'>
  readonly wish: Wish
  readonly runId: string
}

export function planStream({ stream, state, wish, runId }: Planning): Plan {
  if (state.finishedRun === runId) return { kind: 'done' }
  const isMergeable = stream.reads === 'since' && stream.table.key.length > 0
  if (isMergeable && wish === 'incremental' && hasRowsToMergeInto(stream, state))
    return { kind: 'read', mode: { kind: 'merge' }, since: state.checkpoint }
  const begun = isMergeable ? refreshToGoOn(state, runId) : null
  return { kind: 'read', mode: { kind: 'replace', resume: begun !== null }, since: begun?.checkpoint ?? null }
}

/** A slow stream's first rows are shown as they come, so they are merged from the start. */
function hasRowsToMergeInto(stream: Planning['stream'], state: Planning['state']): boolean {
  return state.checkpoint !== null || (stream.slow === true && state.refresh === null)
}

/** A first load goes on where any earlier run stopped; a full refresh only within its own run, for it promises fresh rows. */
function refreshToGoOn(state: Planning['state'], runId: string): StreamState['refresh'] {
  return state.checkpoint === null || state.refresh?.runId === runId ? state.refresh : null
}

/** Comparing every key costs a read of them all: small tables bear it each time, larger ones once a day. */
const smallRows = 1_000_000
const largeEveryMs = 24 * 60 * 60_000

export function isSweepDue(state: Pick<StreamState, 'rows' | 'sweptAt'>, now: number): boolean {
  if (state.sweptAt === null || state.rows === null || state.rows <= smallRows) return true
  return now - Date.parse(state.sweptAt) >= largeEveryMs
}

/** More than this many rows and this share of a table at once look like a fault of the source, not like work. */
export const shrinkGuard = { rows: 1_000, share: 0.3 } as const
