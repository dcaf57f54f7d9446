/** One process's part of a source key's budget: calls wait here for permits, which are requested from the store at most once a second. */
import type { RateLimiter } from '@tributary/engine/ports/rate-limit'
import type { Clock } from '../../kernel/clock.ts'
import { permitMs, type PermitGrant, type PermitRequest } from './permits.ts'

/** Requests permits from the budget that all processes share. */
export type RequestPermits = (request: Omit<PermitRequest, 'holder'>) => Promise<PermitGrant>

export interface SharedPaceOptions {
  readonly clock: Clock
  readonly request: RequestPermits
  readonly onError: (error: unknown) => void
  /** Aborts when the process ends: no permits are requested any more. */
  readonly stopSignal: AbortSignal
}

interface Waiter {
  readonly grant: (sentAt: number) => void
}

const requestEveryMs = 1_000

export class SharedPace {
  readonly #clock: Clock
  readonly #request: RequestPermits
  readonly #onError: (error: unknown) => void
  readonly #leaving: AbortSignal
  /** In turn: the client that was served last is last. */
  readonly #waiting = new Map<symbol, Waiter[]>()
  /** Clients that waited or sent since the last request. */
  readonly #seen = new Set<symbol>()
  #grant: PermitGrant = { permits: 0, slots: 0 }
  #permitsLeft = 0
  #permitsUntil = 0
  #underWay = 0
  #sent = 0
  #pausedAt = -Infinity
  #refusal: { waitMs?: number } | undefined
  #hasAnswer = false
  #left: number | undefined
  #isRequesting = false

  constructor({ clock, request, onError, stopSignal: leaving }: SharedPaceOptions) {
    this.#clock = clock
    this.#request = request
    this.#onError = onError
    this.#leaving = leaving
  }

  /** The pace as one client sees it: clients are served in turn, however many calls each has waiting. */
  forClient(): RateLimiter {
    const client = Symbol('client')
    return {
      acquire: (signal) => this.#take(client, signal),
      recordRefusal: (sentAt, waitMs) => this.#refused(sentAt, waitMs),
      recordReply: (sentAt) => {
        this.#hasAnswer ||= sentAt >= this.#pausedAt
      },
      recordRemaining: (calls) => {
        this.#left = calls
      },
      release: () => {
        this.#underWay -= 1
        this.#serve()
      },
    }
  }

  #take(client: symbol, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const giveUp = () => {
      this.#leave(client, waiter)
      reject(signal.reason as Error)
    }
    const waiter: Waiter = {
      grant: (sentAt) => {
        signal.removeEventListener('abort', giveUp)
        resolve(sentAt)
      },
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#seen.add(client)
    this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), waiter])
    this.#serve()
    if (!this.#isRequesting) void this.#requestWhileNeeded()
    return promise
  }

  #leave(client: symbol, waiter: Waiter): void {
    const others = (this.#waiting.get(client) ?? []).filter((one) => one !== waiter)
    if (others.length === 0) this.#waiting.delete(client)
    else this.#waiting.set(client, others)
  }

  #serve(): void {
    for (const [client, [first, ...others]] of this.#waiting) {
      const now = this.#clock.now()
      if (
        first === undefined ||
        this.#permitsLeft === 0 ||
        this.#underWay >= this.#grant.slots ||
        now >= this.#permitsUntil
      )
        return
      this.#waiting.delete(client)
      // To the end: a map is walked in the order of insertion.
      if (others.length > 0) this.#waiting.set(client, others)
      this.#permitsLeft -= 1
      this.#underWay += 1
      this.#sent += 1
      if (this.#left !== undefined) this.#left = Math.max(0, this.#left - 1)
      this.#seen.add(client)
      first.grant(now)
    }
  }

  /** Calls that were sent before a refusal and are refused after it belong to the same refusal. */
  #refused(sentAt: number, waitMs: number | undefined): void {
    if (sentAt < this.#pausedAt) return
    this.#pausedAt = this.#clock.now()
    this.#refusal = waitMs === undefined ? {} : { waitMs }
    this.#hasAnswer = false
    this.#permitsLeft = 0
  }

  get #isNeeded(): boolean {
    return this.#waiting.size > 0 || this.#underWay > 0
  }

  /** Ends with a request that returns what is left. If that fails, the permits expire by themselves. */
  async #requestWhileNeeded(): Promise<void> {
    this.#isRequesting = true
    let hasFailed = false
    while (!this.#leaving.aborted && (this.#isNeeded || (this.#grant.permits > 0 && !hasFailed))) {
      hasFailed = !(await this.#requestOnce())
      this.#serve()
      await this.#clock.sleep(requestEveryMs, this.#leaving).catch(() => undefined)
    }
    this.#isRequesting = false
  }

  async #requestOnce(): Promise<boolean> {
    const startedAt = this.#clock.now()
    const request = {
      sent: this.#sent,
      underWay: this.#underWay,
      waiting: [...this.#waiting.values()].reduce((sum, waiters) => sum + waiters.length, 0),
      clients: new Set([...this.#seen, ...this.#waiting.keys()]).size,
      hasAnswer: this.#hasAnswer,
      ...(this.#refusal !== undefined && { refusal: this.#refusal }),
      ...(this.#left !== undefined && { left: this.#left }),
    }
    // Reported as unused, so no longer to be used.
    this.#permitsLeft = 0
    this.#seen.clear()
    try {
      this.#grant = await this.#request(request)
    } catch (error) {
      if (!this.#leaving.aborted) this.#onError(error)
      return false
    }
    this.#sent -= request.sent
    if (this.#refusal === request.refusal) this.#refusal = undefined
    if (this.#left === request.left) this.#left = undefined
    this.#hasAnswer = false
    this.#permitsLeft = this.#refusal === undefined ? this.#grant.permits : 0
    this.#permitsUntil = startedAt + permitMs
    return true
  }
}
