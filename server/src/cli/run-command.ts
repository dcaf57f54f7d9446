/** One command from its words to its exit code, with whatever console it is given. */
import { CommanderError } from 'commander'
import { CommandLine, type Console } from './command-line.ts'
import { explain } from './command-errors.ts'
import { buildProgram } from './program.ts'
import { printable } from './terminal-text.ts'

/** 0 done, 1 not done or not well, 2 not understood. */
export async function runCommand(words: readonly string[], console: Console): Promise<number> {
  const isJson = words.includes('--json')
  const line = new CommandLine(console, isJson)
  try {
    await prepare(line, console).parseAsync(words, { from: 'user' })
    return line.isWell ? 0 : 1
  } catch (error) {
    // Help that was asked for is an answer.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    // A group without a command is answered with its help, which has been printed.
    if (error instanceof CommanderError && error.code === 'commander.help' && !isJson) return 2
    return tell(error, line, console)
  }
}

/** The parser must neither print by itself nor end the process, at any depth. */
function prepare(line: CommandLine, { write, remark }: Console) {
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

async function tell(error: unknown, line: CommandLine, { log, remark }: Console): Promise<number> {
  const { exitCode, ...told } = explain(error, log)
  const hint = exitCode === 2 ? '\nSay `tributary --help` to see what there is.' : ''
  if (line.isJson) await line.print({ text: told.message, value: { error: told } })
  else remark(`${printable(told.message)}${hint}\n`)
  return exitCode
}
