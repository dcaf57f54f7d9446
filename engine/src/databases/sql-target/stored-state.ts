/** What a target keeps of a stream beside its rows, whatever the kind of target. */
import type { Checkpoint } from '../../ports/model.ts'
import type { RejectedRow, StreamState, Writer } from '../../ports/target.ts'

/** Where a half-loaded refresh goes on. `fence` names its tables, `shape` the columns they were made for. */
export interface Refresh {
  readonly checkpoint: Checkpoint
  readonly runId: string
  readonly fence: number
  readonly shape: string
  /** When its reading began, ISO 8601. */
  readonly beganAt: string
}

export interface StoredState {
  readonly checkpoint: Checkpoint | null
  readonly refresh: Refresh | null
  readonly rows: number | null
  readonly finishedRun: string | null
  readonly freshAt: string | null
  readonly sweptAt: string | null
}

export interface StateKey {
  readonly connectorId: string
  readonly stream: string
}

export interface Refusals {
  readonly writer: Writer
  readonly stream: string
  readonly rows: readonly RejectedRow[]
  /** A replacement answers for every row, so what was refused in earlier runs is settled by it. */
  readonly settle: boolean
}

/** Of a stream that nothing is known of. */
export const unread: StoredState = {
  checkpoint: null,
  refresh: null,
  rows: null,
  finishedRun: null,
  freshAt: null,
  sweptAt: null,
}

/** What the writer is told: a half-loaded refresh only where it can go on. */
export function streamState({ refresh, ...state }: StoredState, { fence }: Writer, isUsable: boolean): StreamState {
  return {
    ...state,
    fence,
    refresh: refresh !== null && isUsable ? { checkpoint: refresh.checkpoint, runId: refresh.runId } : null,
  }
}
