/** The input of a command, and how it prints its result. */
import type { Writable } from 'node:stream'
import type { ConfigResult } from '../kernel/config/config.ts'
import type { ConfigReport } from '../kernel/config/describe-settings.ts'
import type { Log } from '../kernel/log/log.ts'
import type { AppServices } from '../app-services.ts'
import { withServices } from './open-services.ts'
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

export type CommandLine = ReturnType<typeof createCommandLine>

export function createCommandLine(console: CommandConsole, isJson: boolean) {
  const { configResult, described, log, signal } = console
  let isWell = true
  let isOutputTaken = false

  /** Prints one document, or lines for people. Commands without an end call it for each piece. */
  const print = async ({ text, value }: Pick<CommandResult, 'text' | 'value'>): Promise<void> => {
    const output = `${isJson ? JSON.stringify(value) : toPrintable(text)}\n`
    if (isOutputTaken) console.remark(output)
    else await console.write(output)
  }

  /** Wraps a command's function for the parser: prints its result. */
  const printResultOf =
    <Arguments extends unknown[]>(work: (...commandArguments: Arguments) => Promise<CommandResult>) =>
    async (...commandArguments: Arguments): Promise<void> => {
      const result = await work(...commandArguments)
      isWell = result.isWell ?? true
      await print(result)
    }

  return {
    configResult,
    described,
    log,
    signal,
    isJson,
    print,
    printResultOf,

    /**
     * The same for a function that needs the services: opens them on the configured store. Throws `StartRefused` wherever
     * a start of the server would.
     */
    printResultWithServices: <Arguments extends unknown[]>(
      work: (services: AppServices, ...commandArguments: Arguments) => Promise<CommandResult>,
    ) =>
      printResultOf((...commandArguments: Arguments) =>
        withServices(configResult, log, (services) => work(services, ...commandArguments)),
      ),

    /** False if the command's result reports a fault. */
    isWell: () => isWell,

    /** Returns the standard output for bytes. The result is then printed to the standard error. */
    takeOutput(): Writable {
      isOutputTaken = true
      return console.output
    },

    /** Reports progress to people; prints nothing with `--json`. */
    remark(text: string): void {
      if (!isJson) console.remark(`${toPrintable(text)}\n`)
    },
  }
}
