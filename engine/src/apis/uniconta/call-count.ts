/** Counts a login's calls per day, to warn before the limit of 5,000, beyond which Uniconta delays every call. */
import type { Clock } from '../../ports/clock.ts'

interface DailyCalls {
  day: string
  calls: number
  isReported: boolean
}

export interface CallCount {
  readonly add: () => void
  /** Returns the warning once a day, when most of the day's calls are used. */
  readonly warning: () => string | null
}

const warningThreshold = 4_000
const days = new WeakMap<Clock, Map<string, DailyCalls>>()
/** Uniconta's day ends at midnight in Denmark. */
const danishDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' })

/** Returns the counter of this login, shared within the process. */
export function countCall(login: string, clock: Clock): CallCount {
  const counts = days.get(clock) ?? new Map<string, DailyCalls>()
  days.set(clock, counts)
  const count = counts.get(login) ?? { day: '', calls: 0, isReported: false }
  counts.set(login, count)
  return {
    add() {
      const day = danishDay.format(clock.now())
      if (day !== count.day) Object.assign(count, { day, calls: 0, isReported: false })
      count.calls += 1
    },
    warning() {
      if (count.isReported || count.calls < warningThreshold) return null
      count.isReported = true
      return `Tributary has called Uniconta ${count.calls} times today with this user. Beyond 5,000 Uniconta becomes slow until midnight in Denmark: run less often, or move fewer tables.`
    },
  }
}
