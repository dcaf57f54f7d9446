/** Seeded random numbers: the same seed generates the same company. */

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from `least` to `most`, both inclusive. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  guid(): string
}

/** Mulberry32: small, fast, and sufficient for test data. */
export function createRandom(seed: number): Random {
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
