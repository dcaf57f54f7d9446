/** The system clock, and times in the format of the store and the API. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '@tributary/engine/ports/clock'

export type { Clock }

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
}

/** ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
