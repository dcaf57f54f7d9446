/**
 * Counts calls per minute in memory, separately in each process: a count in the store would cost a statement per call.
 */
import type { Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'

export interface CallRate {
  /** The name of the limit. Each kind has separate counts. */
  readonly kind: string
  readonly perMinute: number
}

const minuteMs = 60_000
/** Limits memory use: beyond, the counts of the kind restart, although some callers then exceed their limit. */
export const countedSubjectsMax = 100_000

interface CallCounterOptions {
  readonly clock: Clock
  readonly isOn: boolean
}

export type CallCounter = ReturnType<typeof openCallCounter>

export function openCallCounter({ clock, isOn }: CallCounterOptions) {
  let minute = 0
  let kinds = new Map<string, Map<string, number>>()

  function countsOf(kind: string, now: number): Map<string, number> {
    const current = Math.floor(now / minuteMs)
    if (current !== minute) {
      minute = current
      kinds = new Map()
    }
    const known = kinds.get(kind)
    if (known !== undefined && known.size < countedSubjectsMax) return known
    const fresh = new Map<string, number>()
    kinds.set(kind, fresh)
    return fresh
  }

  return {
    /** Counts one call. Throws `tooMany` if the limit of this minute is exceeded. */
    count({ kind, perMinute }: CallRate, subject: string): void {
      if (!isOn) return
      const now = clock.now()
      const counts = countsOf(kind, now)
      const calls = (counts.get(subject) ?? 0) + 1
      if (calls > perMinute)
        throw new ApiFault('tooMany', { values: { seconds: Math.ceil((minuteMs - (now % minuteMs)) / 1_000) } })
      counts.set(subject, calls)
    },
  }
}
