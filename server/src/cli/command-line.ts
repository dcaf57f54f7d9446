/** The input of a command, and how it prints its result. */
import type { Writable } from 'node:stream'
import type { ConfigResult } from '../kernel/config/config.ts'
import type { ConfigReport } from '../kernel/config/describe-settings.ts'
import type { Log } from '../kernel/log/log.ts'
import type { AppServices } from '../app-services.ts'
import { openServices } from './open-services.ts'
import { toPrintable } from './terminal-text.ts'

/** What a command has found or done. */
export interface CommandResult {
  /** For people: lines, without a line break after the last. */
  readonly text: string
  /** For programs: printed instead with `--json`, as one document. Never contains a stored secret. */
  readonly value: unknown
  /** False if a check found a fault: the process ends with 1, as after a failure. */
  readonly isWell?: boolean
}

/** The process around a command: configuration, log and standard streams. */
export interface CommandConsole {
  readonly configResult: ConfigResult
  /** The same for people: secrets are masked. */
  readonly described: ConfigReport
  readonly log: Log
  /** Aborts when the operator stops the command. A command without an end then succeeds. */
  readonly signal: AbortSignal
  /** Writes to the standard output; resolves when the text is written. */
  write(text: string): Promise<void>
  /** The standard output as a stream. */
  readonly output: Writable
  /** Writes to the standard error. */
  remark(text: string): void
}

export class CommandLine {
  readonly configResult: ConfigResult
  readonly described: ConfigReport
  readonly log: Log
  readonly signal: AbortSignal
  readonly isJson: boolean
  readonly #console: CommandConsole
  #isWell = true
  #isOutputTaken = false

  constructor(console: CommandConsole, isJson: boolean) {
    this.configResult = console.configResult
    this.described = console.described
    this.log = console.log
    this.signal = console.signal
    this.isJson = isJson
    this.#console = console
  }

  /** False if the command's result reports a fault. */
  get isWell(): boolean {
    return this.#isWell
  }

  /** Wraps a command's function for the parser: prints its result. */
  printResultOf<Arguments extends unknown[]>(
    work: (...commandArguments: Arguments) => Promise<CommandResult>,
  ): (...commandArguments: Arguments) => Promise<void> {
    return async (...commandArguments) => {
      const { text, value, isWell = true } = await work(...commandArguments)
      this.#isWell = isWell
      await this.print({ text, value })
    }
  }

  /**
   * Opens the services on the configured store while `work` runs. Throws `StartRefused` wherever a start of the server
   * would.
   */
  async withServices<T>(work: (services: AppServices) => Promise<T>): Promise<T> {
    const opened = await openServices(this.configResult, this.log)
    try {
      return await work(opened.services)
    } finally {
      await opened.close()
    }
  }

  /** Prints one document, or lines for people. Commands without an end call it for each piece. */
  async print({ text, value }: Pick<CommandResult, 'text' | 'value'>): Promise<void> {
    const output = `${this.isJson ? JSON.stringify(value) : toPrintable(text)}\n`
    if (this.#isOutputTaken) this.#console.remark(output)
    else await this.#console.write(output)
  }

  /** Returns the standard output for bytes. The result is then printed to the standard error. */
  takeOutput(): Writable {
    this.#isOutputTaken = true
    return this.#console.output
  }

  /** Reports progress to people; prints nothing with `--json`. */
  remark(text: string): void {
    if (!this.isJson) this.#console.remark(`${toPrintable(text)}\n`)
  }
}
