/** What a target stores about a stream in addition to its rows, for every kind of target. */
import type { Checkpoint } from '../../ports/model.ts'
import type { RejectedRowRecord, StreamState, Writer } from '../../ports/target.ts'

/** Where a half-loaded refresh continues. `fence` names its shadow tables, `shape` the columns they were made for. */
export interface HalfLoadedRefresh {
  readonly checkpoint: Checkpoint
  readonly runId: string
  readonly fence: number
  readonly shape: string
  /** When reading began, ISO 8601. */
  readonly beganAt: string
}

export interface StoredState {
  readonly checkpoint: Checkpoint | null
  readonly refresh: HalfLoadedRefresh | null
  readonly rows: number | null
  readonly finishedRun: string | null
  readonly freshAt: string | null
  readonly sweptAt: string | null
}

export interface StateKey {
  readonly connectorId: string
  readonly stream: string
}

export interface StoredRejects {
  readonly writer: Writer
  readonly stream: string
  readonly rows: readonly RejectedRowRecord[]
  /** A replacement brings every row again, so it also clears the rejected rows of earlier runs. */
  readonly clearsEarlier: boolean
}

/** State of a stream that was never loaded. */
export const emptyState: StoredState = {
  checkpoint: null,
  refresh: null,
  rows: null,
  finishedRun: null,
  freshAt: null,
  sweptAt: null,
}

/** What the sync loop learns: a half-loaded refresh is included only where it can continue. */
export function streamState({ refresh, ...state }: StoredState, { fence }: Writer, isUsable: boolean): StreamState {
  return {
    ...state,
    fence,
    replacement: refresh !== null && isUsable ? { checkpoint: refresh.checkpoint, runId: refresh.runId } : null,
  }
}
