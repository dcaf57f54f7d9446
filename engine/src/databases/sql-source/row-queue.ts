/** Rows between a driver that pushes them and a reader that pulls them, with backpressure. */

interface FlowControl {
  /** How many groups of rows wait before the driver pauses. */
  readonly ahead: number
  pause(): void
  resume(): void
}

export class RowQueue<Rows> {
  readonly #flow: FlowControl
  readonly #ready: Rows[] = []
  #failure: unknown
  #isEnded = false
  #wake = (): void => {}

  constructor(flow: FlowControl) {
    this.#flow = flow
  }

  push(rows: Rows): void {
    this.#ready.push(rows)
    if (this.#ready.length >= this.#flow.ahead) this.#flow.pause()
    this.#wake()
  }

  /** @param failure the error that ended the query, if any */
  end(failure?: unknown): void {
    this.#failure ??= failure
    this.#isEnded = true
    this.#wake()
  }

  /** Throws the failure after the rows that arrived before it. */
  async *drain(): AsyncGenerator<Rows> {
    while (!this.#isEnded || this.#ready.length > 0) {
      const rows = this.#ready.shift()
      if (rows === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      if (this.#ready.length < this.#flow.ahead / 2) this.#flow.resume()
      yield rows
    }
    if (this.#failure !== undefined && this.#failure !== null) throw this.#failure
  }
}
