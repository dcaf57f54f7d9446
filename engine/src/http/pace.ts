/** Keeps the calls of one key below what its owner allows, for all who use the key in this process. */
import type { Clock } from '../clock.ts'

export interface PaceRule {
  /** At most so many calls in any window. */
  readonly calls: number
  readonly windowMs: number
  /** How long everybody waits after the first, second … refusal in a row; the last one stands for all that follow. */
  readonly pausesMs: readonly number[]
}

export interface Pace {
  /** Resolves, with the time, when a call may be sent. First come, first served. */
  take(signal: AbortSignal): Promise<number>
  /** The call sent at `sentAt` was refused: everybody waits, `waitMs` if the other side said so. */
  refused(sentAt: number, waitMs?: number): void
  /** The call sent at `sentAt` was answered: the next refusal is a first one again. */
  answered(sentAt: number): void
}

const paces = new WeakMap<Clock, Map<string, Pace>>()

/** The one pace of this key. `key` must not be a secret; rules of a key already known stay. */
export function paceOf(key: string, rule: PaceRule, clock: Clock): Pace {
  const known = paces.get(clock) ?? new Map<string, Pace>()
  paces.set(clock, known)
  const pace = known.get(key) ?? makePace(rule, clock)
  known.set(key, pace)
  return pace
}

function makePace(rule: PaceRule, clock: Clock): Pace {
  const sent: number[] = []
  let refusals = 0
  let pausedAt = -Infinity
  let pausedUntil = -Infinity
  let queue: Promise<unknown> = Promise.resolve()

  const readyAt = (): number => Math.max(pausedUntil, sent.length < rule.calls ? -Infinity : (sent[0] ?? 0) + rule.windowMs)

  async function turn(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    for (let now = clock.now(); now < readyAt(); now = clock.now()) await clock.sleep(readyAt() - now, signal)
    sent.push(clock.now())
    if (sent.length > rule.calls) sent.shift()
    return clock.now()
  }

  return {
    take(signal) {
      const mine = queue.then(() => turn(signal))
      queue = mine.catch(() => undefined)
      return orAborted(mine, signal)
    },
    refused(sentAt, waitMs) {
      // Calls that were under way together are refused together: that is one refusal.
      if (sentAt < pausedAt) return
      const pause = waitMs ?? rule.pausesMs[Math.min(refusals, rule.pausesMs.length - 1)] ?? rule.windowMs
      refusals += 1
      pausedAt = clock.now()
      pausedUntil = pausedAt + pause
    },
    answered(sentAt) {
      if (sentAt >= pausedAt) refusals = 0
    },
  }
}

/** Whoever gives up does not wait for those before them in the queue. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
