/** Repeatable random numbers for simulations. */

export interface RandomSource {
  /** From 0 up to 1, which is excluded. */
  next(): number
  /** Of the standard normal distribution. */
  normal(): number
  pick<T>(weighted: readonly (readonly [weight: number, value: T])[]): T
}

/** The generator mulberry32. */
export function seededRandom(seed: number): RandomSource {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick(weighted) {
      let left = next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of weighted) {
        left -= weight
        if (left < 0) return value
      }
      const last = weighted.at(-1)
      if (last === undefined) throw new Error('There is nothing to pick from.')
      return last[1]
    },
  }
}
