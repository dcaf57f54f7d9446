/** A clock for simulations: sleeping advances it, so waiting takes no time. */
import type { Clock } from '../../../ports/clock.ts'

export interface SimulatedClock extends Clock {
  advance(ms: number): void
}

export function simulatedClock(start: number): SimulatedClock {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      const wake = now + ms
      await Promise.resolve()
      now = Math.max(now, wake)
    },
  }
}
