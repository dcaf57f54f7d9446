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

export interface CostLimit {
  readonly maxAgeMs: number
  /** The part of the time that loading may take. */
  readonly share: number
}

/** Loads that took longer than this do not delay their callers. */
const waitedForMs = 500

/**
 * Caches what `load` returns for `maxAgeMs`, or for longer if loading is slow, so that it takes at most a part of the time. Callers wait
 * for a fast load; while a slow one is under way they get its last value. A failed load keeps the last value, and is tried again after
 * `maxAgeMs`. Without a value yet, callers wait and get its error.
 */
export function cachedByCost<T>(
  clock: Clock,
  { maxAgeMs, share }: CostLimit,
  load: () => Promise<T>,
): () => Promise<T> {
  let last: { readonly value: T; readonly tookMs: number } | undefined
  let loading: Promise<T> | undefined
  let dueAt = Number.NEGATIVE_INFINITY
  const reload = async () => {
    const since = clock.now()
    try {
      const value = await load()
      last = { value, tookMs: clock.now() - since }
      return value
    } finally {
      loading = undefined
      dueAt = Math.max(since + maxAgeMs, clock.now() + (clock.now() - since) / share)
    }
  }
  return () => {
    if (clock.now() >= dueAt) loading ??= reload()
    if (last === undefined || (loading !== undefined && last.tookMs <= waitedForMs)) return loading ?? reload()
    loading?.catch(() => undefined)
    return Promise.resolve(last.value)
  }
}
