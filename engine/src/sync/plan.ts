/** What to do with a stream: pure, from what the source offers, what the target has and what was asked for. */
import type { Checkpoint } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { LoadMode, StreamState } from '../ports/target.ts'
import type { UsableState } from './checkpoint-validity.ts'

export type Wish = 'incremental' | 'full'

export type Plan =
  /** This very run has brought the stream to its end before it was interrupted. */
  { readonly kind: 'done' } | Read

export interface Read {
  readonly kind: 'read'
  readonly mode: LoadMode
  readonly since: Checkpoint | null
  /** Where given, the checkpoint that stands during this read and after it: what is read lies before it. */
  readonly keeps?: Checkpoint
}

/** To read again what has changed since a moment: from the checkpoint that the source has for it, if it has one. */
export interface Again {
  readonly moment: number
  readonly checkpoint: Checkpoint | null
}

export interface Planning {
  readonly stream: Pick<Stream, 'reads' | 'table' | 'slow' | 'sweeps'>
  readonly state: Pick<StreamState, 'checkpoint' | 'refresh' | 'finishedRun' | 'freshAt'> &
    Partial<Pick<UsableState, 'isElsewhere' | 'lacksValues'>>
  readonly wish: Wish
  readonly again?: Again
  readonly runId: string
  readonly now: number
}

export function planStream({ stream, state, wish, again, runId, now }: Planning): Plan {
  const isFinished = isFinishedBy(runId, state)
  if (isFinished && isRecent(state.freshAt, now)) return { kind: 'done' }
  if (!isMergeable(stream)) return { kind: 'read', mode: { kind: 'replace', resume: false }, since: null }
  const merge = isFinished
    ? mergeOn(stream, state)
    : wish === 'full' || state.isElsewhere
      ? null
      : mergeFor(again, stream, state)
  if (merge !== null) return merge
  const begun = refreshToGoOn(state, wish, runId)
  return { kind: 'read', mode: { kind: 'replace', resume: begun !== null }, since: begun?.checkpoint ?? null }
}

/** What is read can be gone on with: by a later try of a run that was interrupted, and by the next run. */
export function isMergeable({ reads, table }: Pick<Stream, 'reads' | 'table'>): boolean {
  return reads === 'since' && table.key.length > 0
}

/** This very run has read it to its end, in an earlier try. */
export function isFinishedBy(
  runId: string,
  { finishedRun, isElsewhere }: Pick<Planning['state'], 'finishedRun' | 'isElsewhere'>,
): boolean {
  return finishedRun === runId && isElsewhere !== true
}

function mergeFor(again: Again | undefined, stream: Planning['stream'], state: Planning['state']): Read | null {
  return again === undefined ? mergeOn(stream, state) : mergeAgain(state, again)
}

/** A run may wait for days; what it had finished by then is read on, so that no table is older than this when it completes. */
const agedMs = 60 * 60_000

function isRecent(freshAt: string | null, now: number): boolean {
  return freshAt !== null && now - Date.parse(freshAt) <= agedMs
}

/**
 * A slow stream's first rows are shown as they come, so they are merged from the start. Rows that lack values are completed where they
 * stand, for they may hold what the source has no more; unless only a read from the checkpoint would have told what is gone.
 */
function mergeOn(stream: Planning['stream'], { checkpoint, refresh, lacksValues }: Planning['state']): Read | null {
  const isCompleted = lacksValues === true && stream.sweeps !== 'never'
  const hasRows = checkpoint !== null || isCompleted || (stream.slow === true && refresh === null)
  return hasRows ? { kind: 'read', mode: { kind: 'merge' }, since: checkpoint } : null
}

/**
 * What the table is fresher than needs reading again; what came later is read by going on from the checkpoint. Null where all
 * must be read, because nothing has been or it cannot be told how fresh the table is or what has changed since.
 */
function mergeAgain({ checkpoint, freshAt }: Planning['state'], again: Again): Read | null {
  if (checkpoint === null || freshAt === null) return null
  if (again.moment >= Date.parse(freshAt)) return { kind: 'read', mode: { kind: 'merge' }, since: checkpoint }
  return again.checkpoint === null
    ? null
    : { kind: 'read', mode: { kind: 'merge' }, since: again.checkpoint, keeps: checkpoint }
}

/** A first load goes on where any earlier run stopped; a full refresh only within its own run, for it promises fresh rows. */
function refreshToGoOn({ checkpoint, refresh }: Planning['state'], wish: Wish, runId: string): StreamState['refresh'] {
  const isFirstLoad = checkpoint === null && wish === 'incremental'
  return isFirstLoad || refresh?.runId === runId ? refresh : null
}

/** Comparing every key costs a read of them all: small tables bear it each time, larger ones once a day. */
const smallRows = 1_000_000
const largeEveryMs = 24 * 60 * 60_000

export function isSweepDue(
  state: Pick<StreamState, 'rows' | 'sweptAt'>,
  now: number,
  sweeps?: Stream['sweeps'],
): boolean {
  if (sweeps === 'never') return false
  const isSmall = sweeps === undefined && (state.rows === null || state.rows <= smallRows)
  if (state.sweptAt === null || isSmall) return true
  return now - Date.parse(state.sweptAt) >= largeEveryMs
}

/** More than this many rows and this share of a table at once look like a fault of the source, not like work. */
export const shrinkGuard = { rows: 1_000, share: 0.3 } as const
