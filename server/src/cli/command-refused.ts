/** A command that cannot be done as it was asked for, in words for the person at the console. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** Stable, for programs. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
