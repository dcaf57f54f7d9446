/** Runs one command line on a console and returns its exit code. */
import { CommanderError } from 'commander'
import { createCommandLine, type CommandConsole, type CommandLine } from './command-line.ts'
import { explainError } from './command-errors.ts'
import { buildProgram } from './program.ts'
import { toPrintable } from './terminal-text.ts'

/** Returns 0 if done, 1 if not done or if a fault was found, 2 if the arguments are wrong. */
export async function runCommand(words: readonly string[], console: CommandConsole): Promise<number> {
  const isJson = words.includes('--json')
  const line = createCommandLine(console, isJson)
  try {
    await prepare(line, console).parseAsync(words, { from: 'user' })
    return line.isWell() ? 0 : 1
  } catch (error) {
    // The user asked for help: success.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    // A group without a command: the parser has printed the help of the group.
    if (error instanceof CommanderError && error.code === 'commander.help' && !isJson) return 2
    return reportError(error, line, console)
  }
}

/** Keeps the parser, including all nested commands, from printing and from ending the process. */
function prepare(line: CommandLine, { write, remark }: CommandConsole) {
  const program = buildProgram(line)
  const groups = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]
  const output = {
    writeOut: (text: string) => void write(text),
    writeErr: (text: string) => void (line.isJson || remark(text)),
    outputError: () => undefined,
  }
  for (const command of groups) command.exitOverride().configureOutput(output)
  return program
}

async function reportError(error: unknown, line: CommandLine, { log, remark }: CommandConsole): Promise<number> {
  const { exitCode, ...explanation } = explainError(error, log)
  const hint = exitCode === 2 ? '\nRun `tributary --help` to see the commands.' : ''
  if (line.isJson) await line.print({ text: explanation.message, value: { error: explanation } })
  else remark(`${toPrintable(explanation.message)}${hint}\n`)
  return exitCode
}
