/** One attempt of a run, from its first log line to its ending. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault, type Fault } from '@tributary/engine/ports/faults'
import type { StreamOutcome, SyncOutcome } from '@tributary/engine/sync/sync-request'
import { FencedError } from '@tributary/engine/ports/target'
import type { TieOutResult } from '@tributary/engine/ports/tie-out'
import type { AppServices } from '../../../app-services.ts'
import { storeFaultOf, storeUnreachable } from '../../../kernel/store/run-fault-when-store-unreachable.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import type { RunEnding } from './outcome.ts'
import { openProgress, type ProgressReport } from './progress.ts'
import { instrumentStreams } from './stream-metrics.ts'

type AttemptServices = Pick<AppServices, 'lifecycle' | 'log' | 'metrics' | 'store' | 'tracing'>

export interface AttemptResult {
  /** Null if another worker has claimed the run; then nothing more may be written about it. */
  readonly ending: RunEnding | null
  /** The outcome of each stream; empty if the attempt failed before the first stream. */
  readonly streams: readonly StreamOutcome[]
  readonly gone: SyncOutcome['removedStreams']
  readonly tieOut: TieOutResult | null
  readonly closedPeriods: SyncOutcome['closedPeriods']
  readonly marks: SyncOutcome['marks']
  readonly offer: SyncOutcome['offer']
  /** The higher fencing token that the target reported, if it rejected this writer. */
  readonly newerFence: number | null
}

export interface RunSignals {
  readonly signal: AbortSignal
  /** Aborts when a newer run of the connector waits for the end of the verification after this run. */
  readonly awaited: AbortSignal
}

export type SyncRun = (
  options: RunSignals & { readonly claim: RunClaim; readonly progress: ProgressReport },
) => Promise<SyncOutcome>

/** The abort reason of a run's signal. */
export class RunAborted extends Error {
  readonly reason: 'cancelled' | 'handedBack' | 'lost'

  constructor(reason: 'cancelled' | 'handedBack' | 'lost') {
    super(`The run was aborted: ${reason}.`)
    this.reason = reason
  }
}

/** How long a source or target may take to stop after the signal aborts. */
const graceMs = 6_000

export async function attemptRun(
  services: AttemptServices,
  claim: RunClaim,
  { signal, awaited }: RunSignals,
  syncRun: SyncRun,
): Promise<AttemptResult> {
  const onError = (error: unknown) => services.log.warn('progress was not written', { runId: claim.runId, error })
  await using progress = openProgress({
    store: services.store,
    claim,
    onError,
    stopSignal: services.lifecycle.stopSignal,
  })
  progress.log(claim.attempt > 1 ? `Started again, try ${claim.attempt}.` : 'Started.')
  const watch = instrumentStreams(services, claim.type)
  const report: ProgressReport['report'] = (stream) => {
    progress.report(stream)
    watch.report(stream)
  }
  const work = syncRun({ claim, progress: { ...progress, report }, signal, awaited })
  const result = await withinGracePeriod(signal, work).then(
    (outcome): AttemptResult => ({
      ending: endingOf(outcome, signal),
      streams: outcome.streams,
      gone: outcome.removedStreams,
      tieOut: outcome.tieOut,
      closedPeriods: outcome.closedPeriods,
      marks: outcome.marks,
      offer: outcome.offer,
      newerFence: null,
    }),
    (error: unknown): AttemptResult => ({
      ending: endingOfError(error, signal),
      streams: [],
      gone: [],
      tieOut: null,
      closedPeriods: null,
      marks: [],
      offer: null,
      newerFence: error instanceof FencedError ? error.newest : null,
    }),
  )
  watch.end()
  logEnding(progress, result.ending)
  return result
}

/**
 * Waits for the work, after an abort only for the grace period. The fencing token rejects anything that it still
 * tries to write.
 */
async function withinGracePeriod<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const finished = new AbortController()
  const expired = new Promise<never>((_, reject) => {
    const giveUp = () =>
      void sleep(graceMs, undefined, { signal: finished.signal }).then(
        () => reject(signal.reason as Error),
        () => undefined,
      )
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    finished.abort()
  }
}

function endingOf({ status, fault, streams }: SyncOutcome, signal: AbortSignal): RunEnding | null {
  if (status === 'cancelled') return endingOfError(signal.reason, signal)
  if (fault !== null) return { kind: 'fault', fault: storeFaultOf(fault) ?? fault }
  const written = streams.reduce((sum, { progress }) => sum + progress.rowsWritten, 0)
  const deleted = streams.reduce((sum, { progress }) => sum + progress.rowsDeleted, 0)
  return { kind: 'completed', written, deleted }
}

function endingOfError(error: unknown, signal: AbortSignal): RunEnding | null {
  const reason: unknown = signal.aborted ? signal.reason : error
  if (reason instanceof FencedError) return null
  if (reason instanceof RunAborted) return reason.reason === 'lost' ? null : { kind: reason.reason }
  return { kind: 'fault', fault: storeFaultOf(error) ?? asFault(error) }
}

function logEnding(progress: ProgressReport, ending: RunEnding | null): void {
  if (ending === null) return
  if (ending.kind === 'completed')
    progress.log(`Completed: ${formatCount(ending.written)} rows written, ${formatCount(ending.deleted)} deleted.`)
  if (ending.kind === 'fault') progress.log(ending.fault.notice, resolvesItself(ending.fault) ? 'warn' : 'error')
  if (ending.kind === 'cancelled')
    progress.log('Cancelled. Rows that were already committed remain in the target.', 'warn')
  if (ending.kind === 'handedBack')
    progress.log('This worker is shutting down. Another worker continues the run.', 'warn')
}

/** Waiting for a source's rate limit or for the store resolves itself. */
function resolvesItself({ kind, code }: Fault): boolean {
  return kind === 'busy' || code === storeUnreachable
}

function formatCount(count: number): string {
  return count.toLocaleString('en-GB')
}
