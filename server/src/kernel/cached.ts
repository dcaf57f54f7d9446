import type { Clock } from './clock.ts'

/**
 * Caches what `load` returns for `maxAgeMs`. Concurrent callers share a load. A failed load is not kept, so the next
 * caller tries again.
 */
export function cached<T>(clock: Clock, maxAgeMs: number, load: () => Promise<T>) {
  let known: { readonly value: Promise<T>; readonly loadedAt: number } | undefined
  return {
    read(): Promise<T> {
      const now = clock.now()
      if (known === undefined || now - known.loadedAt >= maxAgeMs) {
        known = { value: load(), loadedAt: now }
        known.value.catch(() => (known = undefined))
      }
      return known.value
    },

    /** The next call loads again. */
    invalidate(): void {
      known = undefined
    },
  }
}
