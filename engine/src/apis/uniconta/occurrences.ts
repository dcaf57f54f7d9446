/**
 * Tells keys that come more than once, which should not be and, with a key that is only declared or guessed, may be all the same:
 * the second row with a key is number 2, the third 3, so that none replaces another and none is doubled.
 */

/** So many neighbouring numbers share a piece of the map; five million rows take a few megabytes. */
const pieceSize = 4_096
/** Beyond this a number is not exact. */
const exactDigits = 15

export class Occurrences {
  readonly #numbers = new Map<number, Uint32Array>()
  readonly #texts = new Set<string>()
  /** Keys that came more than once, with how often. */
  readonly #several = new Map<string, number>()
  /** What came since the last `keep`. */
  readonly #fresh = new Map<string, number>()
  #repeated: string | null = null

  /** The first key that came twice. */
  get repeated(): string | null {
    return this.#repeated
  }

  /** Which one it is of the rows with this key, from 1. */
  next(key: string): number {
    const fresh = this.#fresh.get(key) ?? 0
    this.#fresh.set(key, fresh + 1)
    const number = this.#kept(key) + fresh + 1
    if (number > 1) this.#repeated ??= key
    return number
  }

  /** What came is final. */
  keep(): void {
    for (const [key, fresh] of this.#fresh) {
      const all = this.#kept(key) + fresh
      if (all > 1) this.#several.set(key, all)
      this.#add(key)
    }
    this.#fresh.clear()
  }

  /** What came since the last `keep` is read once more, so it does not count. */
  drop(): void {
    this.#fresh.clear()
  }

  #kept(key: string): number {
    return this.#several.get(key) ?? (this.#has(key) ? 1 : 0)
  }

  #has(key: string): boolean {
    const number = asNumber(key)
    if (number === null) return this.#texts.has(key)
    const place = number % pieceSize
    const bits = this.#numbers.get((number - place) / pieceSize)?.[place >> 5] ?? 0
    return (bits & (1 << (place & 31))) !== 0
  }

  #add(key: string): void {
    const number = asNumber(key)
    if (number === null) return void this.#texts.add(key)
    const place = number % pieceSize
    const at = (number - place) / pieceSize
    const piece = this.#numbers.get(at) ?? new Uint32Array(pieceSize / 32)
    this.#numbers.set(at, piece)
    piece[place >> 5] = (piece[place >> 5] ?? 0) | (1 << (place & 31))
  }
}

/** Null where the number would not give the same text back: '007' is not '7'. */
function asNumber(key: string): number | null {
  return /^(?:0|[1-9]\d*)$/.test(key) && key.length <= exactDigits ? Number(key) : null
}
