/** Keeps the calls of one key below the limit of its source. */
import type { Clock } from './clock.ts'

export interface RateLimitRule {
  /** At most so many calls in any window. */
  readonly calls: number
  readonly windowMs: number
  /** How long everybody waits after the first, second … refusal in a row; the last one stands for all that follow. */
  readonly pausesMs: readonly number[]
  /** At most so many calls under way together; absent: any number. */
  readonly atOnce?: number
  /** The header of an answer that tells how many calls are left in the window. */
  readonly leftHeader?: string
}

export interface RateLimiter {
  /** Resolves, with the time, when a call may be sent. First come, first served. */
  acquire(signal: AbortSignal): Promise<number>
  /** The call sent at `sentAt` was refused: everybody waits, `waitMs` if the other side said so. */
  recordRefusal(sentAt: number, waitMs?: number): void
  /** The call sent at `sentAt` was answered: the next refusal is a first one again. */
  recordReply(sentAt: number): void
  /** The other side says that only so many calls are left in its window, which others may be using up, too. */
  recordRemaining(calls: number): void
  /** The call is over, however it ended: once for each `take`, and last. */
  release(): void
}

/** Paces that several processes share, provided by the caller of the engine. */
export interface RateLimiters {
  /** A pace for one client of this key. `key` must not be a secret. */
  of(key: string, rule: RateLimitRule): RateLimiter
}

const limitersByClock = new WeakMap<Clock, Map<string, RateLimiter>>()

/** The one pace of this key in this process, for a caller that shares none. `key` must not be a secret; rules of a key already known stay. */
export function processRateLimiter(key: string, rule: RateLimitRule, clock: Clock): RateLimiter {
  const known = limitersByClock.get(clock) ?? new Map<string, RateLimiter>()
  limitersByClock.set(clock, known)
  const pace = known.get(key) ?? createRateLimiter(rule, clock)
  known.set(key, pace)
  return pace
}

/** A call that counts for two keys: it is sent when both allow it. What is refused or told concerns the first. */
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

  async function turn(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    while (isFull()) await new Promise<void>((resolve) => (wake = resolve))
    for (let now = clock.now(); now < readyAt(); now = clock.now()) await clock.sleep(readyAt() - now, signal)
    signal.throwIfAborted()
    count(1)
    underWay += 1
    return clock.now()
  }

  const over = (): void => {
    underWay -= 1
    wake?.()
  }

  return {
    acquire(signal) {
      const mine = queue.then(() => turn(signal))
      queue = mine.catch(() => undefined)
      // Whoever has given up does not use the place that comes to them.
      return orAborted(mine, signal, () => void mine.then(over, () => undefined))
    },
    recordRefusal(sentAt, waitMs) {
      // Calls that were under way together are refused together: that is one refusal.
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
    release: over,
  }
}

/** Whoever gives up does not wait for those before them in the queue. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal, giveUp: () => void): Promise<T> {
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
