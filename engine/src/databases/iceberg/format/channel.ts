/** Connects code that pushes with an iteration that pulls. The producer waits while the consumer has not taken the last value. */

export class Channel<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = []
  #isEnded = false
  #error: unknown = null
  #changed = Promise.withResolvers<void>()

  async push(value: Value): Promise<void> {
    this.#values.push(value)
    this.#notify()
    while (this.#values.length > 1 && this.#error === null) await this.#changed.promise
    if (this.#error !== null) throw this.#error
  }

  end(): void {
    this.#isEnded = true
    this.#notify()
  }

  /** Both sides throw the error from now on. */
  fail(error: unknown): void {
    this.#error ??= error
    this.#notify()
  }

  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      if (this.#error !== null) throw this.#error
      const value = this.#values.shift()
      if (value !== undefined) {
        this.#notify()
        yield value
      } else if (this.#isEnded) return
      else await this.#changed.promise
    }
  }
}
