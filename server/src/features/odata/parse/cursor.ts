/** Reads a text from left to right. Errors name the position. */
import { type ODataError, badRequest, notImplemented } from '../odata-error.ts'

/** How deep expressions may be nested: deeper ones would exhaust the stack, here or in PostgreSQL. */
const depthMax = 50

export class Cursor {
  readonly text: string
  at = 0
  #depth = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length
  }

  /** Reads what the sticky expression matches here; null if it does not. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    if (found !== null) this.at += found[0].length
    return found
  }

  takeText(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  skipSpace(): void {
    this.take(/[ \t]*/y)
  }

  expect(text: string): void {
    this.skipSpace()
    if (!this.takeText(text)) throw this.unexpected(`“${text}”`)
  }

  expectEnd(): void {
    this.skipSpace()
    if (!this.isAtEnd) throw this.unexpected('the end')
  }

  /** Runs `work` one level deeper. */
  nested<T>(work: () => T): T {
    this.#depth++
    if (this.#depth > depthMax)
      throw this.error(`The expression is nested more than ${depthMax} levels deep. Write a flatter one.`)
    const result = work()
    this.#depth--
    return result
  }

  unexpected(wanted: string): ODataError {
    if (this.isAtEnd) return this.error(`The text ends where ${wanted} is expected.`)
    const [found = ''] = /^[\p{L}\p{N}_.]{1,30}|^./su.exec(this.text.slice(this.at, this.at + 40)) ?? []
    return this.error(`“${found}” is unexpected. Expected is ${wanted}.`)
  }

  error(message: string, at = this.at): ODataError {
    return badRequest(message, { position: at + 1 })
  }

  unsupported(what: string, at = this.at): ODataError {
    return notImplemented(what, { position: at + 1 })
  }
}
