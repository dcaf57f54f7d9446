/** How much of a limited resource is reserved in each minute of a range. */

export const minuteMs = 60_000

export class Timeline {
  readonly #from: number
  readonly #used: Float64Array
  readonly #limit: number

  /** @param from the first minute, in minutes since 1970; @param to the minute after the last one */
  constructor(from: number, to: number, limit: number) {
    this.#from = from
    this.#used = new Float64Array(Math.max(1, to - from))
    this.#limit = limit
  }

  /** Minutes outside of the range are ignored. */
  reserve(start: number, minutes: number, amount: number): void {
    const end = Math.min(this.#used.length, start + minutes - this.#from)
    for (let at = Math.max(0, start - this.#from); at < end; at += 1) this.#used[at] = (this.#used[at] ?? 0) + amount
  }

  /** The first of these minutes in which the amount exceeds the limit, or undefined. */
  firstConflict(start: number, minutes: number, amount: number): number | undefined {
    const free = this.#limit - amount + rounding
    const end = Math.min(this.#used.length, start + minutes - this.#from)
    for (let at = Math.max(0, start - this.#from); at < end; at += 1)
      if ((this.#used[at] ?? 0) > free) return at + this.#from
    return undefined
  }
}

/** Sums of fractions are not exact. */
const rounding = 1e-6
