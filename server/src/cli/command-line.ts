/** What a command is given, and how it answers. */
import type { Writable } from 'node:stream'
import type { ConfigResult } from '../kernel/config/config.ts'
import type { ConfigReport } from '../kernel/config/describe-settings.ts'
import type { Log } from '../kernel/log/log.ts'
import type { AppServices } from '../app-services.ts'
import { openServices } from './open-services.ts'
import { printable } from './terminal-text.ts'

/** What a command has found or done. */
export interface CommandResult {
  /** For people: lines without an end of line behind the last. */
  readonly text: string
  /** For programs: with `--json` it is printed instead, as one document. Never a secret that was stored. */
  readonly value: unknown
  /** False where something that was looked at is not well: the process ends with 1, as after a failure. */
  readonly isWell?: boolean
}

/** What a command is run at. */
export interface Console {
  readonly reading: ConfigResult
  /** The same for a person's eyes: no secret is in it. */
  readonly described: ConfigReport
  readonly log: Log
  /** Aborts when somebody asks the command to stop; what has no end then ends well. */
  readonly signal: AbortSignal
  /** Takes whole pieces of text to the standard output; answers when they are out. */
  write(text: string): Promise<void>
  /** The standard output as it is. */
  readonly output: Writable
  /** To the standard error. */
  remark(text: string): void
}

export class CommandLine {
  readonly reading: ConfigResult
  readonly described: ConfigReport
  readonly log: Log
  readonly signal: AbortSignal
  readonly isJson: boolean
  readonly #console: Console
  #isWell = true
  #isOutputTaken = false

  constructor(console: Console, isJson: boolean) {
    this.reading = console.reading
    this.described = console.described
    this.log = console.log
    this.signal = console.signal
    this.isJson = isJson
    this.#console = console
  }

  /** Whether all that was looked at is well. */
  get isWell(): boolean {
    return this.#isWell
  }

  /** Makes a command's function into what the parser calls: its answer is printed. */
  answering<Given extends unknown[]>(
    work: (...given: Given) => Promise<CommandResult>,
  ): (...given: Given) => Promise<void> {
    return async (...given) => {
      const { text, value, isWell = true } = await work(...given)
      this.#isWell = isWell
      await this.print({ text, value })
    }
  }

  /** Opens the services on the configured store while `work` runs. Throws `StartRefused` for whatever a start refuses. */
  async withServices<T>(work: (services: AppServices) => Promise<T>): Promise<T> {
    const opened = await openServices(this.reading, this.log)
    try {
      return await work(opened.services)
    } finally {
      await opened.close()
    }
  }

  /** One document, or lines for people. What commands without an end print, piece by piece. */
  async print({ text, value }: Pick<CommandResult, 'text' | 'value'>): Promise<void> {
    const told = `${this.isJson ? JSON.stringify(value) : printable(text)}\n`
    if (this.#isOutputTaken) this.#console.remark(told)
    else await this.#console.write(told)
  }

  /** The standard output for bytes. The answer then goes to the standard error. */
  takeOutput(): Writable {
    this.#isOutputTaken = true
    return this.#console.output
  }

  /** Says to a person how it is going; a program is told nothing. */
  remark(text: string): void {
    if (!this.isJson) this.#console.remark(`${printable(text)}\n`)
  }
}
