/** A command that cannot be done as requested. The message is for the person at the console. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
  /** Stable: programs rely on it. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
