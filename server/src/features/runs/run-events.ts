/** A run as it goes, told to each who watches by server-sent events. */
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { App, AppServices } from '../../app-services.ts'
import type { RunPlace } from './run-detail.ts'
import { type RunWatch, RunWatches } from './poll-watched-runs.ts'

type RunEventsServices = Pick<AppServices, 'clock' | 'lifecycle' | 'sessions'>

/** Proxies cut a connection that says nothing for half a minute or so. */
const heartbeatMs = 15_000
/** With the age that the knowledge of a session may have, somebody whose session has ended sees nothing more within five seconds. */
const checkMs = 2_000
const sessionAgeMs = 2_500
/** Whoever has not taken what was sent for so long is dropped, and asks again. */
const slowMs = 15_000
/** How long those who watch may take to read the last word once the server stops. */
const farewellMs = 1_000
const perSession = 6
const perProcess = 1_000

export interface Watching {
  readonly place: RunPlace
  readonly actor: Actor
  /** Throws once the person may not see the run any more. */
  readonly mayStillSee: () => Promise<void>
  readonly reply: FastifyReply
}

interface Viewer {
  readonly sessionId: string
  readonly isGuest: boolean
  readonly watch: RunWatch
  readonly reply: FastifyReply
  readonly left: AbortController
  /** Since when a frame waits to be taken; null while none does. */
  offeredAt: number | null
}

export class RunEvents {
  readonly #services: RunEventsServices
  readonly #watches: RunWatches
  readonly #viewers = new Set<Viewer>()
  constructor({ http, services }: App) {
    this.#services = services
    this.#watches = new RunWatches(services)
    // The server waits for calls under way, and these would go on for hours.
    services.lifecycle.stopSignal.addEventListener('abort', () => this.#sayFarewell(), { once: true })
    services.metrics.addGauges(() => [{ name: 'tributary_sse_clients', value: this.#viewers.size }])
    http.addHook('preClose', async () => services.lifecycle.leave())
  }

  /** The frames for one who watches; ends with the run, with the session and with the server. */
  open({ place, actor, mayStillSee, reply }: Watching): AsyncIterable<string> {
    const { sessionId } = actor
    if (this.#services.lifecycle.isStopping) throw new ApiFault('unavailable')
    const own = [...this.#viewers].filter((viewer) => viewer.sessionId === sessionId).length
    if (own >= perSession || this.#viewers.size >= perProcess)
      throw new ApiFault('tooMany', { values: { seconds: 10 } })
    const watch = this.#watches.join(place)
    const isGuest = actor.isGuest === true
    const viewer: Viewer = { sessionId, isGuest, watch, reply, left: new AbortController(), offeredAt: null }
    this.#viewers.add(viewer)
    reply.raw.once('close', () => this.#leave(viewer))
    void this.#guard(viewer, mayStillSee)
    return this.#frames(viewer)
  }

  async *#frames(viewer: Viewer): AsyncGenerator<string> {
    const { watch, left } = viewer
    let told: string | null = null
    try {
      while (!left.signal.aborted) {
        const { change } = watch
        const text = watch.textFor(viewer)
        if (text !== null && text !== told) {
          told = text
          yield* this.#offer(viewer, `event: run\ndata: ${text}\n\n`)
        } else if (watch.isOver) {
          return yield* this.#offer(viewer, 'event: end\ndata: {}\n\n')
        } else if (!(await this.#heard(change, left.signal))) yield* this.#offer(viewer, ': still here\n\n')
      }
      // Whoever reads by the standard asks again after so long, and is then answered by another process.
      if (this.#services.lifecycle.isStopping) yield* this.#offer(viewer, 'retry: 1000\n\n')
    } finally {
      this.#leave(viewer)
    }
  }

  *#offer(viewer: Viewer, frame: string): Generator<string, void> {
    viewer.offeredAt = this.#services.clock.now()
    yield frame
    viewer.offeredAt = null
  }

  /** Whether there was something new, or the viewer left, before it was time for a sign of life. */
  async #heard(change: Promise<void>, left: AbortSignal): Promise<boolean> {
    const heard = new AbortController()
    const silence = this.#services.clock.sleep(heartbeatMs, AbortSignal.any([left, heard.signal])).then(
      () => false,
      () => true,
    )
    const isNew = await Promise.race([change.then(() => true), silence])
    heard.abort()
    return isNew
  }

  /** Runs beside the frames, for whoever takes none must not be kept for it. */
  async #guard(viewer: Viewer, mayStillSee: () => Promise<void>): Promise<void> {
    const { clock, sessions } = this.#services
    const { signal } = viewer.left
    try {
      while (!signal.aborted) {
        await clock.sleep(checkMs, signal)
        await sessions.requireOpen(viewer.sessionId, sessionAgeMs)
        await mayStillSee()
        if (viewer.offeredAt !== null && clock.now() - viewer.offeredAt > slowMs) return this.#drop(viewer)
      }
    } catch {
      // A session that cannot be looked up is treated as one that has ended: the page asks again by itself.
      if (!signal.aborted) this.#drop(viewer)
    }
  }

  #sayFarewell(): void {
    const viewers = [...this.#viewers]
    for (const viewer of viewers) viewer.left.abort()
    setTimeout(() => viewers.forEach((viewer) => this.#drop(viewer)), farewellMs).unref()
  }

  #drop(viewer: Viewer): void {
    this.#leave(viewer)
    viewer.reply.raw.destroy()
  }

  #leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return
    viewer.left.abort()
    this.#watches.leave(viewer.watch)
  }
}
