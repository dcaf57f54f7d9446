/**
 * Counts calls by the minute, in this process alone: to count is to look into a map, while a count in the store would cost
 * each call a statement. Several processes count each for itself.
 */
import type { Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'

export interface CallRate {
  /** What is counted, for each kind on its own. */
  readonly kind: string
  readonly perMinute: number
}

const minuteMs = 60_000
/** Of one kind. Beyond, the counts of that kind begin anew: better to let somebody call too often than to run out of memory. */
export const countedMax = 100_000

export class CallCounter {
  readonly #clock: Clock
  readonly #isOn: boolean
  #minute = 0
  #kinds = new Map<string, Map<string, number>>()

  constructor({ clock, isOn }: { readonly clock: Clock; readonly isOn: boolean }) {
    this.#clock = clock
    this.#isOn = isOn
  }

  /** Counts one call, or throws `tooMany` until the next minute where there were enough in this one. */
  count({ kind, perMinute }: CallRate, counted: string): void {
    if (!this.#isOn) return
    const now = this.#clock.now()
    const counts = this.#countsOf(kind, now)
    const calls = (counts.get(counted) ?? 0) + 1
    if (calls > perMinute)
      throw new ApiFault('tooMany', { values: { seconds: Math.ceil((minuteMs - (now % minuteMs)) / 1_000) } })
    counts.set(counted, calls)
  }

  #countsOf(kind: string, now: number): Map<string, number> {
    const minute = Math.floor(now / minuteMs)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#kinds = new Map()
    }
    const known = this.#kinds.get(kind)
    if (known !== undefined && known.size < countedMax) return known
    const fresh = new Map<string, number>()
    this.#kinds.set(kind, fresh)
    return fresh
  }
}
