/**
 * Decides when a worker claims runs: after a wake-up, after each run that ends, and at intervals, for as long as runs are claimable
 * and fit into its memory. Claims are sequential, so that the free memory is known.
 */
import type { AppServices } from '../../../app-services.ts'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import type { ActiveRuns, ClaimResult } from './active-runs.ts'
import { queueWokenRuns } from './wake-workers.ts'

type DispatcherServices = Pick<AppServices, 'log' | 'queue' | 'store'>

export class RunDispatcher {
  readonly #active: ActiveRuns
  readonly #services: DispatcherServices
  #loop: Promise<ClaimResult> | null = null
  #isWoken = false

  constructor(services: DispatcherServices, active: ActiveRuns) {
    this.#services = services
    this.#active = active
    active.onEnd(() => {
      this.wake().catch((error: unknown) => this.#services.log.warn('no run could be claimed', { error }))
    })
  }

  /** While the worker is full it passes the wake-up on and takes no other, so that a worker with free memory takes it. */
  async claimAfterWakeUp(runIds: readonly string[]): Promise<void> {
    const { queue, store } = this.#services
    // Across organisations: a wake-up notification carries only the id of a run.
    await store.across((db) => queueWokenRuns(db, runIds))
    if ((await this.wake()) !== 'full') return
    const [passedOn] = runIds
    if (passedOn !== undefined) await store.across((db) => queue.notify(db, runChannel, passedOn))
    await this.#active.waitForEnd()
  }

  /** Claims runs until none fits. Returns `full` if claimable runs may remain. A wake-up during a claim is not lost. */
  wake(): Promise<ClaimResult> {
    this.#isWoken = true
    this.#loop ??= this.#claimAll().finally(() => (this.#loop = null))
    return this.#loop
  }

  async #claimAll(): Promise<ClaimResult> {
    let result: ClaimResult = 'none'
    while (this.#isWoken) {
      this.#isWoken = false
      do result = await this.#active.claimNext()
      while (result === 'claimed')
    }
    return result
  }
}
