/** A clock that the test sets. `sleep` resolves when the test advances the clock far enough. */
import type { Clock } from '../../../server/src/kernel/clock.ts'

export class TestClock implements Clock {
  #now: number
  #sleepers: { readonly until: number; readonly wake: () => void }[] = []

  constructor(now = Date.now()) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
    const due = this.#sleepers.filter(({ until }) => until <= this.#now)
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now)
    for (const { wake } of due) wake()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.#now + ms, wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper)
        reject(signal.reason as Error)
      })
    })
  }
}
