/** One try of a run, from its first line to the word on how it ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault, type Fault } from '@tributary/engine/ports/faults'
import type { StreamOutcome, SyncOutcome } from '@tributary/engine/sync/sync-request'
import { FencedError } from '@tributary/engine/ports/target'
import type { TieOutResult } from '@tributary/engine/ports/tie-out'
import type { AppServices } from '../../../app-services.ts'
import { storeFaultOf, storeUnreachable } from '../../../kernel/store/run-fault-when-store-unreachable.ts'
import type { Claim } from './claim-run.ts'
import type { Ending } from './outcome.ts'
import { openProgress, type ProgressReport } from './progress.ts'
import { watchStreams } from './stream-metrics.ts'

type AttemptServices = Pick<AppServices, 'log' | 'metrics' | 'store' | 'tracing'>

export interface Attempt {
  /** Null: the run is somebody else's by now, and nothing more is to be written about it. */
  readonly ending: Ending | null
  /** What became of each stream; none where the try did not come so far. */
  readonly streams: readonly StreamOutcome[]
  readonly gone: SyncOutcome['removedStreams']
  readonly tieOut: TieOutResult | null
  /** The fence of the writer that the target holds to be newer, where it said so. */
  readonly newerFence: number | null
}

export type Move = (move: {
  readonly claim: Claim
  readonly progress: ProgressReport
  readonly signal: AbortSignal
}) => Promise<SyncOutcome>

/** Why a run is broken off: the reason of its signal. */
export class BrokenOff extends Error {
  readonly because: 'cancelled' | 'handedBack' | 'lost'

  constructor(because: 'cancelled' | 'handedBack' | 'lost') {
    super(`The run was broken off: ${because}.`)
    this.because = because
  }
}

/** How long a source or target may take to let go once it has been told to. */
const graceMs = 6_000

export async function attempt(
  services: AttemptServices,
  claim: Claim,
  signal: AbortSignal,
  move: Move,
): Promise<Attempt> {
  const onError = (error: unknown) => services.log.warn('progress was not written', { runId: claim.runId, error })
  await using progress = openProgress({ store: services.store, claim, onError })
  progress.line(claim.attempt > 1 ? `Started again, try ${claim.attempt}.` : 'Started.')
  const watch = watchStreams(services, claim.type)
  const report: ProgressReport['report'] = (stream) => {
    progress.report(stream)
    watch.report(stream)
  }
  const made = await orGiveUp(signal, move({ claim, progress: { ...progress, report }, signal })).then(
    (outcome): Attempt => ({
      ending: endingOf(outcome, signal),
      streams: outcome.streams,
      gone: outcome.removedStreams,
      tieOut: outcome.tieOut,
      newerFence: null,
    }),
    (error: unknown): Attempt => ({
      ending: endingOfError(error, signal),
      streams: [],
      gone: [],
      tieOut: null,
      newerFence: error instanceof FencedError ? error.newest : null,
    }),
  )
  watch.end()
  tellEnding(progress, made.ending)
  return made
}

/** Waits for the work; once it has been told to stop, only so long. The fence keeps out whatever it still tries to write. */
async function orGiveUp<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const finished = new AbortController()
  const given = new Promise<never>((_, reject) => {
    const giveUp = () =>
      void sleep(graceMs, undefined, { signal: finished.signal }).then(
        () => reject(signal.reason as Error),
        () => undefined,
      )
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, given])
  } finally {
    finished.abort()
  }
}

function endingOf({ status, fault, streams }: SyncOutcome, signal: AbortSignal): Ending | null {
  if (status === 'cancelled') return endingOfError(signal.reason, signal)
  if (fault !== null) return { kind: 'fault', fault: storeFaultOf(fault) ?? fault }
  const written = streams.reduce((sum, { progress }) => sum + progress.rowsWritten, 0)
  const deleted = streams.reduce((sum, { progress }) => sum + progress.rowsDeleted, 0)
  return { kind: 'completed', written, deleted }
}

function endingOfError(error: unknown, signal: AbortSignal): Ending | null {
  const reason: unknown = signal.aborted ? signal.reason : error
  if (reason instanceof FencedError) return null
  if (reason instanceof BrokenOff) return reason.because === 'lost' ? null : { kind: reason.because }
  return { kind: 'fault', fault: storeFaultOf(error) ?? asFault(error) }
}

function tellEnding(progress: ProgressReport, ending: Ending | null): void {
  if (ending === null) return
  if (ending.kind === 'completed')
    progress.line(`Completed: ${figure(ending.written)} rows written, ${figure(ending.deleted)} deleted.`)
  if (ending.kind === 'fault') progress.line(ending.fault.notice, needsNobody(ending.fault) ? 'warn' : 'error')
  if (ending.kind === 'cancelled') progress.line('Stopped. What had been committed stays.', 'warn')
  if (ending.kind === 'handedBack')
    progress.line('This worker is shutting down; the run goes on with the next.', 'warn')
}

/** A wait for a source's limit, or for the store, ends by itself. */
function needsNobody({ kind, code }: Fault): boolean {
  return kind === 'busy' || code === storeUnreachable
}

function figure(count: number): string {
  return count.toLocaleString('en-GB')
}
