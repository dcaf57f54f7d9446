/** Whether this process is on its way out: it takes nothing new, ends what is under way, and says so to whoever asks. */
export class Lifecycle {
  readonly #leaving = new AbortController()

  get isLeaving(): boolean {
    return this.#leaving.signal.aborted
  }

  /** Aborts once the process has been told to stop. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  leave(): void {
    this.#leaving.abort()
  }
}
