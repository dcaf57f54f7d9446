/** What to do with a stream: pure, from what the source offers, what the target has and what was asked for. */
import type { Checkpoint } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { LoadMode, StreamState } from '../ports/target.ts'
import type { ValidatedState } from './checkpoint-validity.ts'

export type SyncMode = 'incremental' | 'full'

export type StreamPlan =
  /** This very run has brought the stream to its end before it was interrupted. */
  { readonly kind: 'done' } | StreamReadPlan

export interface StreamReadPlan {
  readonly kind: 'read'
  readonly mode: LoadMode
  readonly since: Checkpoint | null
  /** Where given, the checkpoint that stands during this read and after it: what is read lies before it. */
  readonly keptCheckpoint?: Checkpoint
}

/** To read again what has changed since a moment: from the checkpoint that the source has for it, if it has one. */
export interface RereadFrom {
  readonly moment: number
  readonly checkpoint: Checkpoint | null
}

export interface PlanInput {
  readonly stream: Pick<Stream, 'reads' | 'table' | 'isSlow' | 'keyComparison'>
  readonly state: Pick<StreamState, 'checkpoint' | 'replacement' | 'finishedRun' | 'freshAt'> &
    Partial<Pick<ValidatedState, 'isOtherOrigin' | 'needsBackfill'>>
  readonly syncMode: SyncMode
  readonly reread?: RereadFrom
  readonly runId: string
  readonly now: number
}

export function planStream({ stream, state, syncMode, reread, runId, now }: PlanInput): StreamPlan {
  const isFinished = isFinishedBy(runId, state)
  if (isFinished && isRecent(state.freshAt, now)) return { kind: 'done' }
  if (!isMergeable(stream)) return { kind: 'read', mode: { kind: 'replace', resume: false }, since: null }
  const merge = isFinished
    ? continueMerge(stream, state)
    : syncMode === 'full' || state.isOtherOrigin
      ? null
      : planMerge(reread, stream, state)
  if (merge !== null) return merge
  const begun = resumableReplacement(state, syncMode, runId)
  return { kind: 'read', mode: { kind: 'replace', resume: begun !== null }, since: begun?.checkpoint ?? null }
}

/** What is read can be gone on with: by a later try of a run that was interrupted, and by the next run. */
export function isMergeable({ reads, table }: Pick<Stream, 'reads' | 'table'>): boolean {
  return reads === 'since' && table.key.length > 0
}

/** This very run has read it to its end, in an earlier try. */
export function isFinishedBy(
  runId: string,
  { finishedRun, isOtherOrigin }: Pick<PlanInput['state'], 'finishedRun' | 'isOtherOrigin'>,
): boolean {
  return finishedRun === runId && isOtherOrigin !== true
}

function planMerge(
  again: RereadFrom | undefined,
  stream: PlanInput['stream'],
  state: PlanInput['state'],
): StreamReadPlan | null {
  return again === undefined ? continueMerge(stream, state) : rereadMerge(state, again)
}

/** A run may wait for days; what it had finished by then is read on, so that no table is older than this when it completes. */
const freshnessMaxMs = 60 * 60_000

function isRecent(freshAt: string | null, now: number): boolean {
  return freshAt !== null && now - Date.parse(freshAt) <= freshnessMaxMs
}

/**
 * A slow stream's first rows are shown as they come, so they are merged from the start. Rows that lack values are completed where they
 * stand, for they may hold what the source has no more; unless only a read from the checkpoint would have told what is gone.
 */
function continueMerge(
  stream: PlanInput['stream'],
  { checkpoint, replacement, needsBackfill }: PlanInput['state'],
): StreamReadPlan | null {
  const isCompleted = needsBackfill === true && stream.keyComparison !== 'never'
  const hasRows = checkpoint !== null || isCompleted || (stream.isSlow === true && replacement === null)
  return hasRows ? { kind: 'read', mode: { kind: 'merge' }, since: checkpoint } : null
}

/**
 * What the table is fresher than needs reading again; what came later is read by going on from the checkpoint. Null where all
 * must be read, because nothing has been or it cannot be told how fresh the table is or what has changed since.
 */
function rereadMerge({ checkpoint, freshAt }: PlanInput['state'], again: RereadFrom): StreamReadPlan | null {
  if (checkpoint === null || freshAt === null) return null
  if (again.moment >= Date.parse(freshAt)) return { kind: 'read', mode: { kind: 'merge' }, since: checkpoint }
  return again.checkpoint === null
    ? null
    : { kind: 'read', mode: { kind: 'merge' }, since: again.checkpoint, keptCheckpoint: checkpoint }
}

/** A first load goes on where any earlier run stopped; a full refresh only within its own run, for it promises fresh rows. */
function resumableReplacement(
  { checkpoint, replacement }: PlanInput['state'],
  wish: SyncMode,
  runId: string,
): StreamState['replacement'] {
  const isFirstLoad = checkpoint === null && wish === 'incremental'
  return isFirstLoad || replacement?.runId === runId ? replacement : null
}

/** Comparing every key costs a read of them all: small tables bear it each time, larger ones once a day. */
const smallTableRows = 1_000_000
const largeTableIntervalMs = 24 * 60 * 60_000

export function isKeyComparisonDue(
  state: Pick<StreamState, 'rows' | 'sweptAt'>,
  now: number,
  sweeps?: Stream['keyComparison'],
): boolean {
  if (sweeps === 'never') return false
  const isSmall = sweeps === undefined && (state.rows === null || state.rows <= smallTableRows)
  if (state.sweptAt === null || isSmall) return true
  return now - Date.parse(state.sweptAt) >= largeTableIntervalMs
}

/** More than this many rows and this share of a table at once look like a fault of the source, not like work. */
export const shrinkGuard = { rows: 1_000, share: 0.3 } as const
