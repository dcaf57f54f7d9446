import { ApiFault } from './http/api-fault.ts'

/** Runs at most `max` calls at once; the others wait in order. Throws `tooMany` if `queuedMax` already wait. */
export function limitConcurrency(max: number, queuedMax = Infinity): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else {
      if (waiting.length >= queuedMax) throw new ApiFault('tooMany', { values: { seconds: 5 } })
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The caller that has waited longest takes over the place, if there is one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
