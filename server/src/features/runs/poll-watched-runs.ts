/** Polls each watched run once a second, however many clients watch it. */
import { GuestRunDetail, RunDetail } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import type { AppServices } from '../../app-services.ts'
import { wireEncoder } from '../../kernel/http/wire-encoder.ts'
import type { RunKey } from './queries.ts'
import { readRunDetail } from './run-detail.ts'

type PollWatchedRunsServices = Pick<AppServices, 'clock' | 'log' | 'store'>

const pollIntervalMs = 1_000
const encode = wireEncoder(RunDetail)
const encodeForGuest = wireEncoder(GuestRunDetail)
const redactForGuest = guestRedactor(GuestRunDetail)
const finalStatuses: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED']

export class RunWatches {
  readonly #services: PollWatchedRunsServices
  readonly #watches = new Map<string, RunWatch>()

  constructor(services: PollWatchedRunsServices) {
    this.#services = services
  }

  subscribe(key: RunKey): RunWatch {
    const watch = this.#watches.get(key.runId) ?? this.#startPolling(key)
    watch.watchers += 1
    return watch
  }

  /** Stops polling when the last watcher has unsubscribed. */
  unsubscribe(watch: RunWatch): void {
    watch.watchers -= 1
    if (watch.watchers === 0) this.#stopPolling(watch)
  }

  #startPolling(key: RunKey): RunWatch {
    const watch = new RunWatch(key)
    this.#watches.set(key.runId, watch)
    void this.#pollUntilOver(watch)
    return watch
  }

  #stopPolling(watch: RunWatch): void {
    watch.stop.abort()
    // Another watch of the same run may have started meanwhile.
    if (this.#watches.get(watch.key.runId) === watch) this.#watches.delete(watch.key.runId)
  }

  async #pollUntilOver(watch: RunWatch): Promise<void> {
    const { clock, log } = this.#services
    const { signal } = watch.stop
    while (!signal.aborted && !watch.isOver) {
      await this.#poll(watch).catch((error: unknown) =>
        log.warn('a watched run could not be read', { ...watch.key, error }),
      )
      if (!watch.isOver) await clock.sleep(pollIntervalMs, signal).catch(() => undefined)
    }
    this.#stopPolling(watch)
  }

  async #poll(watch: RunWatch): Promise<void> {
    const { store, clock } = this.#services
    const detail = await store.within(watch.key.organisationId, (db) => readRunDetail(db, watch.key, clock.now()))
    watch.publish(detail, detail === undefined || finalStatuses.includes(detail.status))
  }
}

/** The latest known version of one run, shared by all its watchers. */
export class RunWatch {
  readonly key: RunKey
  readonly stop = new AbortController()
  watchers = 0
  /** The run has ended and will not change. */
  isOver = false
  /** JSON; null before the first poll. */
  #text: string | null = null
  #guestText: string | null = null
  #detail: Camel<RunDetail> | undefined
  #next = Promise.withResolvers<void>()

  constructor(key: RunKey) {
    this.key = key
  }

  /** Resolves at the next change. */
  get change(): Promise<void> {
    return this.#next.promise
  }

  /** The run as JSON, redacted for guests; null before the first poll. */
  textFor({ isGuest }: { readonly isGuest: boolean }): string | null {
    if (!isGuest || this.#detail === undefined) return this.#text
    this.#guestText ??= JSON.stringify(encodeForGuest(redactForGuest(this.#detail)))
    return this.#guestText
  }

  publish(detail: Camel<RunDetail> | undefined, isOver: boolean): void {
    const text = detail === undefined ? this.#text : JSON.stringify(encode(detail))
    if (text === this.#text && !isOver) return
    this.isOver = isOver
    if (detail !== undefined) {
      this.#text = text
      this.#detail = detail
      this.#guestText = null
    }
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }
}
