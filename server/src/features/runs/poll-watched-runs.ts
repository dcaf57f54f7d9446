/** Looks at the runs that somebody watches, once a second each, however many watch. */
import { GuestRunDetail, RunDetail } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import type { AppServices } from '../../app-services.ts'
import { wireEncoder } from '../../kernel/http/wire-encoder.ts'
import { readDetail, type RunPlace } from './run-detail.ts'

type PollWatchedRunsServices = Pick<AppServices, 'clock' | 'log' | 'store'>

const lookMs = 1_000
const encode = wireEncoder(RunDetail)
const encodeForGuest = wireEncoder(GuestRunDetail)
const redactForGuest = guestRedactor(GuestRunDetail)
const ended: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED']

export class RunWatches {
  readonly #services: PollWatchedRunsServices
  readonly #watches = new Map<string, RunWatch>()

  constructor(services: PollWatchedRunsServices) {
    this.#services = services
  }

  join(place: RunPlace): RunWatch {
    const watch = this.#watches.get(place.runId) ?? this.#begin(place)
    watch.watchers += 1
    return watch
  }

  /** The last who leaves ends the looking. */
  leave(watch: RunWatch): void {
    watch.watchers -= 1
    if (watch.watchers === 0) this.#end(watch)
  }

  #begin(place: RunPlace): RunWatch {
    const watch = new RunWatch(place)
    this.#watches.set(place.runId, watch)
    void this.#keepLooking(watch)
    return watch
  }

  #end(watch: RunWatch): void {
    watch.stop.abort()
    // Another may have begun meanwhile.
    if (this.#watches.get(watch.place.runId) === watch) this.#watches.delete(watch.place.runId)
  }

  async #keepLooking(watch: RunWatch): Promise<void> {
    const { clock, log } = this.#services
    const { signal } = watch.stop
    while (!signal.aborted && !watch.isOver) {
      await this.#look(watch).catch((error: unknown) =>
        log.warn('a run that is watched could not be read', { ...watch.place, error }),
      )
      if (!watch.isOver) await clock.sleep(lookMs, signal).catch(() => undefined)
    }
    this.#end(watch)
  }

  async #look(watch: RunWatch): Promise<void> {
    const { store, clock } = this.#services
    const detail = await store.within(watch.place.organisationId, (db) => readDetail(db, watch.place, clock.now()))
    watch.show(detail, detail === undefined || ended.includes(detail.status))
  }
}

/** The newest that is known of one run. */
export class RunWatch {
  readonly place: RunPlace
  readonly stop = new AbortController()
  watchers = 0
  /** Nothing more will change. */
  isOver = false
  /** As JSON; null before the first look. */
  #text: string | null = null
  #guestText: string | null = null
  #detail: Camel<RunDetail> | undefined
  #next = Promise.withResolvers<void>()

  constructor(place: RunPlace) {
    this.place = place
  }

  /** Resolves when there is something new. */
  get change(): Promise<void> {
    return this.#next.promise
  }

  /** The run as it may be seen, in JSON; null before the first look. */
  textFor({ isGuest }: { readonly isGuest: boolean }): string | null {
    if (!isGuest || this.#detail === undefined) return this.#text
    this.#guestText ??= JSON.stringify(encodeForGuest(redactForGuest(this.#detail)))
    return this.#guestText
  }

  show(detail: Camel<RunDetail> | undefined, isOver: boolean): void {
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
