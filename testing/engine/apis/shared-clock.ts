/** A clock that a source and its simulator share. Sleeping advances it, so that hours of waiting take no time. */
import type { Clock } from '@tributary/engine/ports/clock'

export interface SharedClock extends Clock {
  /** Advances the clock without a sleep. */
  advance(ms: number): void
  /** Every requested sleep, in milliseconds. */
  readonly sleeps: readonly number[]
}

export function sharedClock(start = Date.parse('2026-03-02T09:00:00Z')): SharedClock {
  let now = start
  const sleeps: number[] = []
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      sleeps.push(ms)
      const wake = now + ms
      await Promise.resolve()
      signal?.throwIfAborted()
      now = Math.max(now, wake)
    },
    sleeps,
  }
}
