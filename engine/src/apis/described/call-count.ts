/** Counts a login's calls per day, to warn before an API slows down or refuses. */
import type { Clock } from '../../ports/clock.ts'
import type { DescriptionParts } from './description/schema.ts'

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

const days = new WeakMap<Clock, Map<string, DailyCalls>>()

/** Returns the counter of a login, shared within the process. */
export function countCalls(
  login: string,
  clock: Clock,
  { title, allowance }: Pick<DescriptionParts, 'title' | 'allowance'>,
): CallCount {
  const warning = allowance?.warning
  if (warning === undefined) return { add() {}, warning: () => null }
  const counts = days.get(clock) ?? new Map<string, DailyCalls>()
  days.set(clock, counts)
  const count = counts.get(login) ?? { day: '', calls: 0, isReported: false }
  counts.set(login, count)
  const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: warning.zone })
  return {
    add() {
      const day = dayFormat.format(clock.now())
      if (day !== count.day) Object.assign(count, { day, calls: 0, isReported: false })
      count.calls += 1
    },
    warning() {
      if (count.isReported || count.calls < warning.calls) return null
      count.isReported = true
      return `Tributary has called ${title} ${count.calls} times today with this user. ${warning.notice}`
    },
  }
}
