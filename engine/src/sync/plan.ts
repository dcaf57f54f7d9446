/** Plans how to read a stream, from the stream, its state in the target and the request. Pure. */
import type { Checkpoint } from '../ports/model.ts'
import type { ReplacedPart } from '../ports/row-scope.ts'
import type { Stream } from '../ports/source.ts'
import type { LoadMode, StreamState } from '../ports/target.ts'
import type { ValidatedState } from './checkpoint-validity.ts'

export type SyncMode = 'incremental' | 'full'

export type StreamPlan =
  /** An earlier attempt of this run has finished the stream. */
  { readonly kind: 'done' } | StreamReadPlan

export interface StreamReadPlan {
  readonly kind: 'read'
  readonly mode: LoadMode
  readonly since: Checkpoint | null
  /** The checkpoint to keep during and after this read, because all it reads lies before it. */
  readonly keptCheckpoint?: Checkpoint
  /** Ids of the companies to read; absent: all, or the stream is not by company. */
  readonly companies?: readonly string[]
  /** Decides how the read ends, from the last checkpoint. Absent: with that checkpoint. @throws to discard what is not committed */
  readonly end?: (reached: Checkpoint | null) => ReadEnd
}

export interface ReadEnd {
  readonly checkpoint: Checkpoint | null
  /** The rows that a replacement replaces; absent: all. */
  readonly part?: ReplacedPart
}

/** Where to start reading all changes since a time again; `checkpoint` is null if the source cannot provide one. */
export interface RereadFrom {
  readonly moment: number
  readonly checkpoint: Checkpoint | null
}

export interface PlanInput {
  readonly stream: Pick<Stream, 'reads' | 'table' | 'isSlow' | 'keyComparison'>
  readonly state: Pick<StreamState, 'checkpoint' | 'replacement' | 'finishedRun' | 'freshAt'> &
    Partial<Pick<ValidatedState, 'isOtherOrigin' | 'hasOtherRules' | 'needsBackfill'>>
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
    : syncMode === 'full' || state.isOtherOrigin || state.hasOtherRules
      ? null
      : planMerge(reread, stream, state)
  if (merge !== null) return merge
  const resumable = resumableReplacement(state, syncMode, runId)
  return { kind: 'read', mode: { kind: 'replace', resume: resumable !== null }, since: resumable?.checkpoint ?? null }
}

/** True if a read can continue from its last commit, in a retry or in the next run. */
export function isMergeable({ reads, table }: Pick<Stream, 'reads' | 'table'>): boolean {
  return reads === 'since' && table.key.length > 0
}

/** True if an earlier attempt of this run has finished the stream. */
export function isFinishedBy(
  runId: string,
  {
    finishedRun,
    isOtherOrigin,
    hasOtherRules,
  }: Pick<PlanInput['state'], 'finishedRun' | 'isOtherOrigin' | 'hasOtherRules'>,
): boolean {
  return finishedRun === runId && isOtherOrigin !== true && hasOtherRules !== true
}

function planMerge(
  reread: RereadFrom | undefined,
  stream: PlanInput['stream'],
  state: PlanInput['state'],
): StreamReadPlan | null {
  return reread === undefined ? continueMerge(stream, state) : rereadMerge(state, reread)
}

/**
 * A run may wait for days. Streams that it finished longer ago are read again, so that no table is older when the run
 * completes.
 */
const freshnessMaxMs = 60 * 60_000

function isRecent(freshAt: string | null, now: number): boolean {
  return freshAt !== null && now - Date.parse(freshAt) <= freshnessMaxMs
}

/**
 * A slow stream is merged from the start, so that its first rows are visible early. Rows that need a backfill are
 * merged, too, because they may contain values that the source no longer has. Exception: if only incremental reads
 * report deletions, they are replaced.
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
 * If the table is older than the requested time, continuing from the checkpoint includes all changes. Otherwise the
 * changes since that time are read reread. Null if everything must be read: never loaded, of unknown freshness, or
 * without a checkpoint for that time.
 */
function rereadMerge({ checkpoint, freshAt }: PlanInput['state'], reread: RereadFrom): StreamReadPlan | null {
  if (checkpoint === null || freshAt === null) return null
  if (reread.moment >= Date.parse(freshAt)) return { kind: 'read', mode: { kind: 'merge' }, since: checkpoint }
  return reread.checkpoint === null
    ? null
    : { kind: 'read', mode: { kind: 'merge' }, since: reread.checkpoint, keptCheckpoint: checkpoint }
}

/**
 * A first load continues from any earlier run; a full refresh only within its own run, because it guarantees fresh
 * rows.
 */
function resumableReplacement(
  { checkpoint, replacement }: PlanInput['state'],
  syncMode: SyncMode,
  runId: string,
): StreamState['replacement'] {
  const isFirstLoad = checkpoint === null && syncMode === 'incremental'
  return isFirstLoad || replacement?.runId === runId ? replacement : null
}

/** A key comparison reads every key: cheap enough for small tables in every run, for larger ones once a day. */
const smallTableRows = 1_000_000
const largeTableIntervalMs = 24 * 60 * 60_000

export function isKeyComparisonDue(
  state: Pick<StreamState, 'rows' | 'sweptAt'>,
  now: number,
  keyComparison?: Stream['keyComparison'],
): boolean {
  if (keyComparison === 'never') return false
  const isSmall = keyComparison === undefined && (state.rows === null || state.rows <= smallTableRows)
  if (state.sweptAt === null || isSmall) return true
  return now - Date.parse(state.sweptAt) >= largeTableIntervalMs
}

/** Deleting more rows than this, and a larger share of the table, indicates a fault of the source and is refused. */
export const shrinkGuard = { rows: 1_000, share: 0.3 } as const
