/** Counts a login's calls of a day: beyond 5,000 Uniconta delays every further one, which nobody would understand unless told. */
import type { Clock } from '../../ports/clock.ts'

interface Day {
  day: string
  calls: number
  isTold: boolean
}

export interface CallCount {
  readonly add: () => void
  /** A sentence, once a day, when most calls of the day are used up. */
  readonly warning: () => string | null
}

const warnedFrom = 4_000
const days = new WeakMap<Clock, Map<string, Day>>()
/** Uniconta's day ends at midnight in Denmark. */
const danish = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' })

/** The one count of this login in this process. */
export function countCall(login: string, clock: Clock): CallCount {
  const known = days.get(clock) ?? new Map<string, Day>()
  days.set(clock, known)
  const count = known.get(login) ?? { day: '', calls: 0, isTold: false }
  known.set(login, count)
  return {
    add() {
      const day = danish.format(clock.now())
      if (day !== count.day) Object.assign(count, { day, calls: 0, isTold: false })
      count.calls += 1
    },
    warning() {
      if (count.isTold || count.calls < warnedFrom) return null
      count.isTold = true
      return `Tributary has called Uniconta ${count.calls} times today with this user. Beyond 5,000 Uniconta becomes slow until midnight in Denmark: run less often, or move fewer tables.`
    },
  }
}
