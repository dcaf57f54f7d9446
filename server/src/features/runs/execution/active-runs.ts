/**
 * The runs that one worker holds: claims, executes, renews the leases with a heartbeat every second, and releases
 * them.
 */
import type { AppServices } from '../../../app-services.ts'
import type { RunResult } from '../../../kernel/telemetry/metrics.ts'
import { withLogContext } from '../../../kernel/telemetry/log-context.ts'
import { attemptRun, RunAborted, type RunSignals, type SyncRun } from './attempt.ts'
import { catchUpFence, type RunClaim, claimRun, type RenewedLease, renewLeases } from './claim-run.ts'
import { logFailedComparisons, logFaults } from './log-faults.ts'
import type { RunOutcome } from './outcome.ts'
import { finaliseRun, type FinaliseRunServices } from './finalise-run.ts'

type ActiveRunServices = Pick<AppServices, 'log' | 'metrics' | 'store' | 'tracing'> & FinaliseRunServices

export interface ActiveRunsOptions {
  readonly services: ActiveRunServices
  readonly worker: string
  /** Without a heartbeat for this long other workers claim the runs, so this worker must have stopped them by then. */
  readonly leaseMs: number
  readonly syncRun: SyncRun
}

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
  readonly #executions = new Set<Promise<void>>()
  #renewedAt = performance.now()
  #isStopping = false

  constructor(options: ActiveRunsOptions) {
    this.#options = options
  }

  /** Claims the run and executes it until it ends. Idempotent: does nothing if the run cannot be claimed. */
  async execute(runId: string): Promise<void> {
    if (this.#isStopping || this.#active.has(runId)) return
    const execution = this.#claimAndExecute(runId)
    this.#executions.add(execution)
    await execution.finally(() => this.#executions.delete(execution))
  }

  async #claimAndExecute(runId: string): Promise<void> {
    const { services, worker } = this.#options
    // Across organisations: a wake-up notification carries only the id of a run.
    const claim = await services.store.across((db) => claimRun(db, runId, worker))
    if (claim === undefined) return
    const [control, awaited] = [new AbortController(), new AbortController()]
    this.#active.set(runId, { claim, control, awaited })
    // If stop() was called while the claim was under way, return the run at once.
    if (this.#isStopping) control.abort(new RunAborted('handedBack'))
    await this.#instrument(claim, () =>
      this.#executeClaim(claim, { signal: control.signal, awaited: awaited.signal }),
    ).finally(() => this.#active.delete(runId))
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
    const status = await finaliseRun(services, claim, { ending, ...found, withinMs: leaseMs })
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
    await Promise.allSettled(this.#executions)
  }
}

function applyLease({ claim, control, awaited }: ActiveRun, held: RenewedLease | undefined): void {
  if (held === undefined || held.fence !== claim.fence) control.abort(new RunAborted('lost'))
  else if (held.isCancelled) control.abort(new RunAborted('cancelled'))
  else if (held.isAwaited) awaited.abort()
}
