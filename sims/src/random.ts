/** Chance that repeats itself: the same seed gives the same company. */

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  guid(): string
}

/** Mulberry32: small, fast and good enough for make-believe. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const hex = (digits: number): string => Array.from({ length: digits }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    pick(list) {
      const found = list[between(0, list.length - 1)]
      if (found === undefined) throw new Error('There is nothing to pick from.')
      return found
    },
    guid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${between(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
  }
}
