/** Whether this process is shutting down: it accepts no new work, finishes work in progress and reports it in the readiness check. */
export class Lifecycle {
  readonly #stop = new AbortController()

  get isStopping(): boolean {
    return this.#stop.signal.aborted
  }

  /** Aborts when the shutdown begins. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal
  }

  leave(): void {
    this.#stop.abort()
  }
}
