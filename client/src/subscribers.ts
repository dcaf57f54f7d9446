/** Functions to call after a change, in the form that React's `useSyncExternalStore` takes. */
export class Subscribers {
  readonly #listeners = new Set<() => void>()

  /** Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
