/** The runs of one worker: taken, worked on, kept alive by a beat a second, and let go of. */
import type { AppServices } from '../../../app-services.ts'
import type { RunResult } from '../../../kernel/telemetry/metrics.ts'
import { withLogContext } from '../../../kernel/telemetry/log-context.ts'
import { attempt, BrokenOff, type Move } from './attempt.ts'
import { catchUp, type Claim, claimRun, type Held, renew } from './claim-run.ts'
import { logFaults } from './log-faults.ts'
import type { Outcome } from './outcome.ts'
import { settle, type FinaliseRunServices } from './finalise-run.ts'

type ActiveRunServices = Pick<AppServices, 'log' | 'metrics' | 'store' | 'tracing'> & FinaliseRunServices

export interface ActiveRunsOptions {
  readonly services: ActiveRunServices
  readonly worker: string
  /** After so long without a beat others take the runs, so this worker must have stopped by then. */
  readonly leaseMs: number
  readonly move: Move
}

interface Active {
  readonly claim: Claim
  readonly control: AbortController
}

const results: Readonly<Record<Outcome['status'], RunResult>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  WAITING: 'waiting',
  QUEUED: 'handed_back',
}

export class ActiveRuns {
  readonly #options: ActiveRunsOptions
  readonly #active = new Map<string, Active>()
  readonly #answers = new Set<Promise<void>>()
  #heardAt = performance.now()
  #isStopping = false

  constructor(options: ActiveRunsOptions) {
    this.#options = options
  }

  /** Works on the run until it ends, if it is to be had. */
  async answer(runId: string): Promise<void> {
    if (this.#isStopping || this.#active.has(runId)) return
    const answer = this.#takeAndWork(runId)
    this.#answers.add(answer)
    await answer.finally(() => this.#answers.delete(answer))
  }

  async #takeAndWork(runId: string): Promise<void> {
    const { services, worker } = this.#options
    // Across: a bell names a run and nothing else.
    const claim = await services.store.across((db) => claimRun(db, runId, worker))
    if (claim === undefined) return
    const control = new AbortController()
    this.#active.set(runId, { claim, control })
    // The stop may have come while the run was being taken; then it is given back at once.
    if (this.#isStopping) control.abort(new BrokenOff('handedBack'))
    await this.#watched(claim, () => this.#workOn(claim, control.signal)).finally(() => this.#active.delete(runId))
  }

  /** Counts and traces the try, and says in every line of the log whose run it is. */
  async #watched(
    { runId, organisationId, connectorId, type, mode, attempt: tried }: Claim,
    work: () => Promise<RunResult>,
  ): Promise<void> {
    const { metrics, tracing } = this.#options.services
    const ids = {
      'tributary.run_id': runId,
      'tributary.organisation_id': organisationId,
      'tributary.connector_id': connectorId,
    }
    const span = tracing.begin('run', {
      attributes: { ...ids, 'tributary.connector_type': type, 'tributary.mode': mode, 'tributary.try': tried },
    })
    const startedAt = performance.now()
    let result: RunResult = 'lost'
    try {
      result = await withLogContext({ runId, organisationId }, () => span.within(work))
    } finally {
      // A run that was lost is counted by whoever took it back.
      if (result !== 'lost') metrics.recordRunEnd({ type, result, ms: performance.now() - startedAt })
      span.add({ 'tributary.result': result })
      span.end(result === 'failed' || result === 'lost' ? result : undefined)
    }
  }

  async #workOn(claim: Claim, signal: AbortSignal): Promise<RunResult> {
    const { services, move, leaseMs } = this.#options
    const { runId, connectorId, organisationId } = claim
    const named = { runId, connectorId, organisationId }
    services.log.info('run taken', named)
    const { ending, streams, gone, tieOut, newerFence } = await attempt(services, claim, signal, move)
    if (newerFence !== null && (await services.store.within(organisationId, (db) => catchUp(db, claim, newerFence)))) {
      services.log.warn('the target knows of later runs than the store: counting on from there', named)
      return 'lost'
    }
    if (ending === null) {
      services.log.warn('run lost to another worker', named)
      return 'lost'
    }
    logFaults(services.log, named, { ending, streams })
    if (tieOut !== null && tieOut.fault !== null)
      services.log.warn('the rows could not be proven', { ...named, error: tieOut.fault })
    const status = await settle(services, claim, { ending, streams, gone, tieOut, withinMs: leaseMs })
    services.log.info('run let go', { ...named, code: ending.kind === 'fault' ? ending.fault.code : ending.kind })
    return status === null ? 'lost' : results[status]
  }

  /** To be called once a second: says that the worker lives, and sees what has become of its runs. */
  async beat(): Promise<void> {
    const { services, worker, leaseMs } = this.#options
    const runs = [...this.#active.values()]
    try {
      // Across: a worker holds runs of many organisations.
      const held =
        runs.length === 0
          ? []
          : await services.store.across((db) =>
              renew(
                db,
                worker,
                runs.map(({ claim }) => claim.runId),
              ),
            )
      this.#heardAt = performance.now()
      for (const run of runs)
        heed(
          run,
          held.find(({ id }) => id === run.claim.runId),
        )
    } catch (error) {
      if (performance.now() - this.#heardAt > leaseMs)
        for (const { control } of runs) control.abort(new BrokenOff('lost'))
      throw error
    }
  }

  /** Gives every run back to the queue; answers when they have been let go of. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { control } of this.#active.values()) control.abort(new BrokenOff('handedBack'))
    await Promise.allSettled(this.#answers)
  }
}

function heed({ claim, control }: Active, held: Held | undefined): void {
  if (held === undefined || held.fence !== claim.fence) control.abort(new BrokenOff('lost'))
  else if (held.isCancelled) control.abort(new BrokenOff('cancelled'))
}
