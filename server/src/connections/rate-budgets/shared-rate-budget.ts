/**
 * One process's part of a source key's rate budget. Calls wait here for permits, which are requested from the store at
 * most once a second.
 */
import type { RateLimiter } from '@tributary/engine/ports/rate-limit'
import type { Clock } from '../../kernel/clock.ts'
import { permitMs, type PermitGrant, type PermitRequest } from './permits.ts'

/** Requests permits from the budget that all processes share. */
export type RequestPermits = (request: Omit<PermitRequest, 'holder'>) => Promise<PermitGrant>

export interface SharedRateBudgetOptions {
  readonly clock: Clock
  readonly request: RequestPermits
  readonly onError: (error: unknown) => void
  /** Aborts when the process ends; then no more permits are requested. */
  readonly stopSignal: AbortSignal
}

interface Waiter {
  readonly grant: (sentAt: number) => void
}

const requestEveryMs = 1_000

export class SharedRateBudget {
  readonly #clock: Clock
  readonly #request: RequestPermits
  readonly #onError: (error: unknown) => void
  readonly #stopSignal: AbortSignal
  /** In round-robin order: the client that was served last is last. */
  readonly #waiting = new Map<symbol, Waiter[]>()
  /** Clients that waited or sent since the last request. */
  readonly #activeClients = new Set<symbol>()
  #grant: PermitGrant = { permits: 0, slots: 0 }
  #permitsLeft = 0
  #permitsUntil = 0
  #underWay = 0
  #sent = 0
  #pausedAt = -Infinity
  #refusal: { waitMs?: number } | undefined
  #hasReply = false
  #remaining: number | undefined
  #isRequesting = false

  constructor({ clock, request, onError, stopSignal }: SharedRateBudgetOptions) {
    this.#clock = clock
    this.#request = request
    this.#onError = onError
    this.#stopSignal = stopSignal
  }

  /** The budget as one client sees it. Clients are served round-robin, however many calls each has waiting. */
  forClient(): RateLimiter {
    const client = Symbol('client')
    return {
      acquire: (signal) => this.#acquire(client, signal),
      recordRefusal: (sentAt, waitMs) => this.#recordRefusal(sentAt, waitMs),
      recordReply: (sentAt) => {
        this.#hasReply ||= sentAt >= this.#pausedAt
      },
      recordRemaining: (calls) => {
        this.#remaining = calls
      },
      release: () => {
        this.#underWay -= 1
        this.#serve()
      },
    }
  }

  #acquire(client: symbol, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const giveUp = () => {
      this.#removeWaiter(client, waiter)
      reject(signal.reason as Error)
    }
    const waiter: Waiter = {
      grant: (sentAt) => {
        signal.removeEventListener('abort', giveUp)
        resolve(sentAt)
      },
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#activeClients.add(client)
    this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), waiter])
    this.#serve()
    if (!this.#isRequesting) void this.#requestWhileNeeded()
    return promise
  }

  #removeWaiter(client: symbol, waiter: Waiter): void {
    const others = (this.#waiting.get(client) ?? []).filter((other) => other !== waiter)
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
      // Moves the client to the end: a Map iterates in insertion order.
      if (others.length > 0) this.#waiting.set(client, others)
      this.#permitsLeft -= 1
      this.#underWay += 1
      this.#sent += 1
      if (this.#remaining !== undefined) this.#remaining = Math.max(0, this.#remaining - 1)
      this.#activeClients.add(client)
      first.grant(now)
    }
  }

  /** A refusal of a call that was sent before the last pause belongs to the same refusal. */
  #recordRefusal(sentAt: number, waitMs: number | undefined): void {
    if (sentAt < this.#pausedAt) return
    this.#pausedAt = this.#clock.now()
    this.#refusal = waitMs === undefined ? {} : { waitMs }
    this.#hasReply = false
    this.#permitsLeft = 0
  }

  get #isNeeded(): boolean {
    return this.#waiting.size > 0 || this.#underWay > 0
  }

  /** Ends with a request that returns unused permits. If that fails, they expire. */
  async #requestWhileNeeded(): Promise<void> {
    this.#isRequesting = true
    let hasFailed = false
    while (!this.#stopSignal.aborted && (this.#isNeeded || (this.#grant.permits > 0 && !hasFailed))) {
      hasFailed = !(await this.#requestOnce())
      this.#serve()
      await this.#clock.sleep(requestEveryMs, this.#stopSignal).catch(() => undefined)
    }
    this.#isRequesting = false
  }

  async #requestOnce(): Promise<boolean> {
    const startedAt = this.#clock.now()
    const request = {
      sent: this.#sent,
      underWay: this.#underWay,
      waiting: [...this.#waiting.values()].reduce((sum, waiters) => sum + waiters.length, 0),
      clients: new Set([...this.#activeClients, ...this.#waiting.keys()]).size,
      hasReply: this.#hasReply,
      ...(this.#refusal !== undefined && { refusal: this.#refusal }),
      ...(this.#remaining !== undefined && { remaining: this.#remaining }),
    }
    // The request reports these permits as unused, so they must not be used afterwards.
    this.#permitsLeft = 0
    this.#activeClients.clear()
    try {
      this.#grant = await this.#request(request)
    } catch (error) {
      if (!this.#stopSignal.aborted) this.#onError(error)
      return false
    }
    this.#sent -= request.sent
    if (this.#refusal === request.refusal) this.#refusal = undefined
    if (this.#remaining === request.remaining) this.#remaining = undefined
    this.#hasReply = false
    this.#permitsLeft = this.#refusal === undefined ? this.#grant.permits : 0
    this.#permitsUntil = startedAt + permitMs
    return true
  }
}
