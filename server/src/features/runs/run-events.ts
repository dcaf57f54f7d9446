/** Streams a run's changes to its watchers as server-sent events. */
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { RunKey } from './queries.ts'
import { type RunWatch, RunWatches } from './poll-watched-runs.ts'

type RunEventsServices = Pick<AppServices, 'clock' | 'lifecycle' | 'sessions'>

/** Proxies close a connection that is idle for about 30 seconds. */
const heartbeatMs = 15_000
/**
 * The check interval plus the age of a cached session: a client whose session has ended receives nothing after five
 * seconds.
 */
const accessCheckMs = 2_000
const sessionAgeMs = 2_500
/** Backpressure: a client that has not read a frame for this long is disconnected, and reconnects by itself. */
const slowClientMs = 15_000
/** How long clients may take to read the last frame when the server stops. */
const lastFrameMs = 1_000
const streamsPerSessionMax = 6
const streamsPerProcessMax = 1_000

export interface RunEventRequest {
  readonly key: RunKey
  readonly actor: Actor
  /** Throws once the user may no longer see the run. */
  readonly requireAccess: () => Promise<void>
  readonly reply: FastifyReply
}

interface Viewer {
  readonly sessionId: string
  readonly isGuest: boolean
  readonly watch: RunWatch
  readonly reply: FastifyReply
  readonly left: AbortController
  /** Milliseconds; since when a frame has been waiting to be read, null if none is. */
  pendingSince: number | null
}

export class RunEvents {
  readonly #services: RunEventsServices
  readonly #watches: RunWatches
  readonly #viewers = new Set<Viewer>()
  constructor({ http, services }: AppRoutes) {
    this.#services = services
    this.#watches = new RunWatches(services)
    // The server waits for open requests before it exits, and a stream can stay open for hours.
    services.lifecycle.stopSignal.addEventListener('abort', () => this.#closeAll(), { once: true })
    services.metrics.addGauges(() => [{ name: 'tributary_sse_clients', value: this.#viewers.size }])
    http.addHook('preClose', async () => services.lifecycle.leave())
  }

  /**
   * The frames for one client. Ends with the run, the session or the server. Throws `tooMany` at the limits on open
   * streams.
   */
  open({ key, actor, requireAccess, reply }: RunEventRequest): AsyncIterable<string> {
    const { sessionId } = actor
    if (this.#services.lifecycle.isStopping) throw new ApiFault('unavailable')
    const own = [...this.#viewers].filter((viewer) => viewer.sessionId === sessionId).length
    if (own >= streamsPerSessionMax || this.#viewers.size >= streamsPerProcessMax)
      throw new ApiFault('tooMany', { values: { seconds: 10 } })
    const watch = this.#watches.subscribe(key)
    const isGuest = actor.isGuest === true
    const viewer: Viewer = { sessionId, isGuest, watch, reply, left: new AbortController(), pendingSince: null }
    this.#viewers.add(viewer)
    reply.raw.once('close', () => this.#leave(viewer))
    void this.#enforceAccess(viewer, requireAccess)
    return this.#frames(viewer)
  }

  async *#frames(viewer: Viewer): AsyncGenerator<string> {
    const { watch, left } = viewer
    let lastSent: string | null = null
    try {
      while (!left.signal.aborted) {
        const { change } = watch
        const text = watch.textFor(viewer)
        if (text !== null && text !== lastSent) {
          lastSent = text
          yield* this.#send(viewer, `event: run\ndata: ${text}\n\n`)
        } else if (watch.isOver) {
          return yield* this.#send(viewer, 'event: end\ndata: {}\n\n')
        } else if (!(await this.#waitForChange(change, left.signal))) yield* this.#send(viewer, ': still here\n\n')
      }
      // EventSource reconnects after `retry` milliseconds; by then another process answers.
      if (this.#services.lifecycle.isStopping) yield* this.#send(viewer, 'retry: 1000\n\n')
    } finally {
      this.#leave(viewer)
    }
  }

  *#send(viewer: Viewer, frame: string): Generator<string, void> {
    viewer.pendingSince = this.#services.clock.now()
    yield frame
    viewer.pendingSince = null
  }

  /** False if the heartbeat is due before the run changes or the client disconnects. */
  async #waitForChange(change: Promise<void>, left: AbortSignal): Promise<boolean> {
    const changed = new AbortController()
    const heartbeatDue = this.#services.clock.sleep(heartbeatMs, AbortSignal.any([left, changed.signal])).then(
      () => false,
      () => true,
    )
    const isNew = await Promise.race([change.then(() => true), heartbeatDue])
    changed.abort()
    return isNew
  }

  /** Runs concurrently with the frames, because a client that reads none must be disconnected, too. */
  async #enforceAccess(viewer: Viewer, requireAccess: () => Promise<void>): Promise<void> {
    const { clock, sessions } = this.#services
    const { signal } = viewer.left
    try {
      while (!signal.aborted) {
        await clock.sleep(accessCheckMs, signal)
        await sessions.requireOpen(viewer.sessionId, sessionAgeMs)
        await requireAccess()
        if (viewer.pendingSince !== null && clock.now() - viewer.pendingSince > slowClientMs) return this.#drop(viewer)
      }
    } catch {
      // If the session cannot be looked up, treat it as ended: the page reconnects by itself.
      if (!signal.aborted) this.#drop(viewer)
    }
  }

  #closeAll(): void {
    const viewers = [...this.#viewers]
    for (const viewer of viewers) viewer.left.abort()
    setTimeout(() => viewers.forEach((viewer) => this.#drop(viewer)), lastFrameMs).unref()
  }

  #drop(viewer: Viewer): void {
    this.#leave(viewer)
    viewer.reply.raw.destroy()
  }

  #leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return
    viewer.left.abort()
    this.#watches.unsubscribe(viewer.watch)
  }
}
