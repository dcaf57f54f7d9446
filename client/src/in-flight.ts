/**
 * Work in progress by its variables, so that a second click starts nothing twice: it can arrive before the button is
 * disabled.
 */
export class InFlight {
  readonly #keys = new Set<string>()

  /**
   * Starts the work, unless work with equal variables (compared as JSON) is in progress. Ignores a rejection: the
   * mutation that does the work holds its error.
   */
  run(variables: unknown, work: () => Promise<unknown>): void {
    const key = JSON.stringify(variables) ?? ''
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    const finish = () => this.#keys.delete(key)
    work().then(finish, finish)
  }
}
