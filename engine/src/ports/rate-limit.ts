/** Rate limiter: keeps the calls of one key below the limit of its source. */
import type { Clock } from './clock.ts'

export interface RateLimitRule {
  /** The most calls in any window of `windowMs`. */
  readonly calls: number
  readonly windowMs: number
  /** Backoff after the first, second … consecutive refusal; the last value applies to all further ones. */
  readonly pausesMs: readonly number[]
  /** The most concurrent calls; absent: unlimited. */
  readonly atOnce?: number
  /** The response header with the number of calls left in the window. */
  readonly leftHeader?: string
}

export interface RateLimiter {
  /** Resolves with the current time when a call may be sent. First come, first served. */
  acquire(signal: AbortSignal): Promise<number>
  /** The source refused the call sent at `sentAt` (429). All callers wait: for `waitMs` if the source named a time. */
  recordRefusal(sentAt: number, waitMs?: number): void
  /** The source replied to the call sent at `sentAt`, which resets the backoff. */
  recordReply(sentAt: number): void
  /** The source reports how many calls are left in its window. Other clients may use the same window. */
  recordRemaining(calls: number): void
  /** Ends a call, whatever its result. Call it once for each `acquire`, last. */
  release(): void
}

/** Rate limiters that several processes share, provided by the caller of the engine. */
export interface RateLimiters {
  /** A rate limiter for one client of this key. `key` must not be a secret. */
  of(key: string, rule: RateLimitRule): RateLimiter
}

const limitersByClock = new WeakMap<Clock, Map<string, RateLimiter>>()

/**
 * The rate limiter of this key within this process, for callers that share none between processes.
 * @param key not a secret; if it is already in use, its first rule applies
 */
export function processRateLimiter(key: string, rule: RateLimitRule, clock: Clock): RateLimiter {
  const known = limitersByClock.get(clock) ?? new Map<string, RateLimiter>()
  limitersByClock.set(clock, known)
  const limiter = known.get(key) ?? createRateLimiter(rule, clock)
  known.set(key, limiter)
  return limiter
}

/**
 * A rate limiter for calls that count for two keys. A call waits for both; refusals and remaining calls are recorded
 * for `own` only.
 */
export function combineRateLimiters(own: RateLimiter, shared: RateLimiter): RateLimiter {
  return {
    ...own,
    async acquire(signal) {
      await own.acquire(signal)
      try {
        return await shared.acquire(signal)
      } catch (error) {
        own.release()
        throw error
      }
    },
    release() {
      own.release()
      shared.release()
    },
  }
}

function createRateLimiter(rule: RateLimitRule, clock: Clock): RateLimiter {
  const { atOnce = Infinity } = rule
  const sent: number[] = []
  let underWay = 0
  let wake: (() => void) | null = null
  let refusals = 0
  let pausedAt = -Infinity
  let pausedUntil = -Infinity
  let queue: Promise<unknown> = Promise.resolve()

  const readyAt = (): number =>
    Math.max(pausedUntil, sent.length < rule.calls ? -Infinity : (sent[0] ?? 0) + rule.windowMs)

  const isFull = (): boolean => underWay >= atOnce
  const count = (calls: number): void => {
    for (let call = 0; call < calls; call += 1) sent.push(clock.now())
    if (sent.length > rule.calls) sent.splice(0, sent.length - rule.calls)
  }

  async function waitForTurn(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    while (isFull()) await new Promise<void>((resolve) => (wake = resolve))
    for (let now = clock.now(); now < readyAt(); now = clock.now()) await clock.sleep(readyAt() - now, signal)
    signal.throwIfAborted()
    count(1)
    underWay += 1
    return clock.now()
  }

  const release = (): void => {
    underWay -= 1
    wake?.()
  }

  return {
    acquire(signal) {
      const mine = queue.then(() => waitForTurn(signal))
      queue = mine.catch(() => undefined)
      // A caller that has given up releases the slot it gets later.
      return raceAbort(mine, signal, () => void mine.then(release, () => undefined))
    },
    recordRefusal(sentAt, waitMs) {
      // Concurrent calls that are refused together count as one refusal.
      if (sentAt < pausedAt) return
      const pause = waitMs ?? rule.pausesMs[Math.min(refusals, rule.pausesMs.length - 1)] ?? rule.windowMs
      refusals += 1
      pausedAt = clock.now()
      pausedUntil = pausedAt + pause
    },
    recordReply(sentAt) {
      if (sentAt >= pausedAt) refusals = 0
    },
    recordRemaining(calls) {
      const since = clock.now() - rule.windowMs
      count(Math.max(0, rule.calls - sent.filter((at) => at > since).length - calls))
    },
    release,
  }
}

/** Rejects as soon as the signal aborts, so that a caller does not wait for those ahead of it in the queue. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal, giveUp: () => void): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    giveUp()
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
