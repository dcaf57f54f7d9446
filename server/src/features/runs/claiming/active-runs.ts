/**
 * The runs that one worker holds: claims, executes, renews the leases with a heartbeat every second, and releases
 * them.
 */
import type { AppServices } from '../../../app-services.ts'
import type { RunResult } from '../../../kernel/telemetry/metrics.ts'
import { withLogContext } from '../../../kernel/telemetry/log-context.ts'
import { attemptRun, RunAborted, type RunSignals, type SyncRun } from '../execution/attempt.ts'
import {
  catchUpFence,
  claimNextRun,
  type FreeMemory,
  type RunClaim,
  type RenewedLease,
  renewLeases,
} from './claim-run.ts'
import { RunMemory } from './run-memory.ts'
import { logFailedComparisons, logFaults } from '../execution/log-faults.ts'
import type { RunOutcome } from '../execution/outcome.ts'
import { finaliseRun, type FinaliseRunServices } from '../execution/finalise-run.ts'

type ActiveRunServices = Pick<AppServices, 'log' | 'metrics' | 'store' | 'tracing'> & FinaliseRunServices

export interface ActiveRunsOptions {
  readonly services: ActiveRunServices
  readonly worker: string
  /** Without a heartbeat for this long other workers claim the runs, so this worker must have stopped them by then. */
  readonly leaseMs: number
  /** The memory for all runs of this worker together. */
  readonly memoryMb: number
  readonly syncRun: SyncRun
}

/** `full`: a claimable run needs more memory than is free, or the worker holds as many runs as it may. */
export type ClaimResult = 'claimed' | 'none' | 'full'

/** However small the runs are: each one writes its progress to the store. */
const activeRunsMax = 16

interface ActiveRun {
  readonly claim: RunClaim
  readonly control: AbortController
  /** Aborts when a newer run of the connector waits for the end of the verification. */
  readonly awaited: AbortController
}

const results: Readonly<Record<RunOutcome['status'], RunResult>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  WAITING: 'waiting',
  QUEUED: 'handed_back',
}

export class ActiveRuns {
  readonly #options: ActiveRunsOptions
  readonly #active = new Map<string, ActiveRun>()
  readonly #executions = new Set<Promise<unknown>>()
  readonly #memory = new RunMemory()
  #notifyEnd: () => void = () => undefined
  #ended = Promise.withResolvers<void>()
  #renewedAt = performance.now()
  #isStopping = false

  constructor(options: ActiveRunsOptions) {
    this.#options = options
  }

  /** Calls the listener after each run that ends. */
  onEnd(listener: () => void): void {
    this.#notifyEnd = listener
  }

  /** Resolves when a run ends or the worker stops; immediately if it holds no run. */
  async waitForEnd(): Promise<void> {
    if (this.#active.size > 0 && !this.#isStopping) await this.#ended.promise
  }

  /** Claims the next run that fits, and begins to execute it. */
  async claimNext(): Promise<ClaimResult> {
    if (this.#isStopping) return 'none'
    if (this.#active.size >= activeRunsMax) return 'full'
    const claiming = this.#claimAndBegin()
    this.#executions.add(claiming)
    return await claiming.finally(() => this.#executions.delete(claiming))
  }

  async #claimAndBegin(): Promise<ClaimResult> {
    const { services, worker } = this.#options
    // Across organisations: the next run may be of any of them.
    const { claim, isFull } = await services.store.across((db) => claimNextRun(db, worker, this.#freeMemory()))
    if (claim === undefined) return isFull ? 'full' : 'none'
    const execution = this.#execute(claim)
    this.#executions.add(execution)
    void execution.finally(() => this.#executions.delete(execution))
    return 'claimed'
  }

  #freeMemory(): FreeMemory {
    const held = [...this.#active.values()].reduce((sum, { claim }) => sum + claim.memoryMb, 0)
    return { freeMb: this.#options.memoryMb - held, isIdle: this.#active.size === 0 }
  }

  /** Never rejects: the lease reaper requeues a run whose end state could not be written. */
  async #execute(claim: RunClaim): Promise<void> {
    const { runId, memoryMb } = claim
    const [control, awaited] = [new AbortController(), new AbortController()]
    this.#active.set(runId, { claim, control, awaited })
    this.#memory.begin(runId, memoryMb)
    // If stop() was called while the claim was under way, return the run at once.
    if (this.#isStopping) control.abort(new RunAborted('handedBack'))
    try {
      await this.#instrument(claim, () =>
        this.#executeClaim(claim, { signal: control.signal, awaited: awaited.signal }),
      )
    } catch (error) {
      this.#options.services.log.error('the end of a run could not be stored', { runId, error })
    } finally {
      this.#active.delete(runId)
      this.#memory.end(runId)
      this.#ended.resolve()
      this.#ended = Promise.withResolvers<void>()
      this.#notifyEnd()
    }
  }

  /** Counts and traces the attempt, and adds the run's ids to every log line. */
  async #instrument(
    { runId, organisationId, connectorId, type, mode, attempt: number }: RunClaim,
    work: () => Promise<RunResult>,
  ): Promise<void> {
    const { metrics, tracing } = this.#options.services
    const ids = {
      'tributary.run_id': runId,
      'tributary.organisation_id': organisationId,
      'tributary.connector_id': connectorId,
    }
    const span = tracing.begin('run', {
      attributes: { ...ids, 'tributary.connector_type': type, 'tributary.mode': mode, 'tributary.try': number },
    })
    const startedAt = performance.now()
    let result: RunResult = 'lost'
    try {
      result = await withLogContext({ runId, organisationId }, () => span.within(work))
    } finally {
      // A lost run is counted by the lease reaper.
      if (result !== 'lost') metrics.recordRunEnd({ type, result, ms: performance.now() - startedAt })
      span.add({ 'tributary.result': result })
      span.end(result === 'failed' || result === 'lost' ? result : undefined)
    }
  }

  async #executeClaim(claim: RunClaim, signals: RunSignals): Promise<RunResult> {
    const { services, syncRun, leaseMs } = this.#options
    const { runId, connectorId, organisationId } = claim
    const ids = { runId, connectorId, organisationId }
    services.log.info('run claimed', ids)
    const startedAt = performance.now()
    const { ending, newerFence, ...found } = await attemptRun(services, claim, signals, syncRun)
    if (
      newerFence !== null &&
      (await services.store.within(organisationId, (db) => catchUpFence(db, claim, newerFence)))
    ) {
      services.log.warn(
        'the target has a higher fencing token than the store: continuing from the token of the target',
        ids,
      )
      return 'lost'
    }
    if (ending === null) {
      services.log.warn('run lost to another worker', ids)
      return 'lost'
    }
    logFaults(services.log, ids, { ending, streams: found.streams })
    logFailedComparisons(services.log, ids, found)
    const need = { memoryMb: this.#memory.peakMb(runId), seconds: (performance.now() - startedAt) / 1_000 }
    const status = await finaliseRun(services, claim, { ending, ...found, need, withinMs: leaseMs })
    services.log.info('run released', { ...ids, code: ending.kind === 'fault' ? ending.fault.code : ending.kind })
    return status === null ? 'lost' : results[status]
  }

  /**
   * Renews the leases of all runs; called every second. Aborts runs that were cancelled or that another worker has
   * claimed.
   */
  async sendHeartbeat(): Promise<void> {
    const { services, worker, leaseMs } = this.#options
    const runs = [...this.#active.values()]
    this.#memory.sample()
    try {
      // Across organisations: a worker holds runs of many of them.
      const held =
        runs.length === 0
          ? []
          : await services.store.across((db) =>
              renewLeases(
                db,
                worker,
                runs.map(({ claim }) => claim.runId),
              ),
            )
      this.#renewedAt = performance.now()
      for (const run of runs)
        applyLease(
          run,
          held.find(({ id }) => id === run.claim.runId),
        )
    } catch (error) {
      if (performance.now() - this.#renewedAt > leaseMs)
        for (const { control } of runs) control.abort(new RunAborted('lost'))
      throw error
    }
  }

  /** Returns every run to the queue. Resolves when all of them are released. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { control } of this.#active.values()) control.abort(new RunAborted('handedBack'))
    this.#ended.resolve()
    // A claim that was under way begins an execution.
    while (this.#executions.size > 0) await Promise.allSettled(this.#executions)
  }
}

function applyLease({ claim, control, awaited }: ActiveRun, held: RenewedLease | undefined): void {
  if (held === undefined || held.fence !== claim.fence) control.abort(new RunAborted('lost'))
  else if (held.isCancelled) control.abort(new RunAborted('cancelled'))
  else if (held.isAwaited) awaited.abort()
}
