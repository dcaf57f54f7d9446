/**
 * Numbers the rows that share a key, because a declared or guessed key may not be unique. The second row with a key
 * gets number 2, the third 3, so no row replaces or duplicates another.
 */

/** Size of a bitmap chunk. Five million rows take a few megabytes. */
const chunkSize = 4_096
/** A double is not exact beyond this. */
const exactDigits = 15

export class Occurrences {
  readonly #numbers = new Map<number, Uint32Array>()
  readonly #texts = new Set<string>()
  /** Counts of the keys that occurred more than once. */
  readonly #multiple = new Map<string, number>()
  /** Counts since the last `keep`. */
  readonly #pending = new Map<string, number>()
  #repeated: string | null = null

  /** The first key that occurred twice. */
  get repeated(): string | null {
    return this.#repeated
  }

  /** Returns the row's number among the rows with this key, from 1. */
  next(key: string): number {
    const pending = this.#pending.get(key) ?? 0
    this.#pending.set(key, pending + 1)
    const number = this.#countOf(key) + pending + 1
    if (number > 1) this.#repeated ??= key
    return number
  }

  /** Makes the counts since the last `keep` final. */
  keep(): void {
    for (const [key, pending] of this.#pending) {
      const all = this.#countOf(key) + pending
      if (all > 1) this.#multiple.set(key, all)
      this.#add(key)
    }
    this.#pending.clear()
  }

  /** Discards the counts since the last `keep`, because those rows are read again. */
  drop(): void {
    this.#pending.clear()
  }

  /** Forgets everything: all rows are read again. */
  clear(): void {
    this.#numbers.clear()
    this.#texts.clear()
    this.#multiple.clear()
    this.#pending.clear()
    this.#repeated = null
  }

  #countOf(key: string): number {
    return this.#multiple.get(key) ?? (this.#has(key) ? 1 : 0)
  }

  #has(key: string): boolean {
    const number = asNumber(key)
    if (number === null) return this.#texts.has(key)
    const offset = number % chunkSize
    const bits = this.#numbers.get((number - offset) / chunkSize)?.[offset >> 5] ?? 0
    return (bits & (1 << (offset & 31))) !== 0
  }

  #add(key: string): void {
    const number = asNumber(key)
    if (number === null) return void this.#texts.add(key)
    const offset = number % chunkSize
    const at = (number - offset) / chunkSize
    const chunk = this.#numbers.get(at) ?? new Uint32Array(chunkSize / 32)
    this.#numbers.set(at, chunk)
    chunk[offset >> 5] = (chunk[offset >> 5] ?? 0) | (1 << (offset & 31))
  }
}

/** Null if the number would not convert back to the same text: '007' is not '7'. */
function asNumber(key: string): number | null {
  return /^(?:0|[1-9]\d*)$/.test(key) && key.length <= exactDigits ? Number(key) : null
}
