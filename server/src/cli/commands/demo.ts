import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { CommandRefused } from '../command-refused.ts'

export function demoCommand(program: Command, line: CommandLine): void {
  program
    .command('demo')
    .description('run a trial with sample data in a temporary folder, which is deleted when you stop it')
    .option('--port <port>', 'the port to listen on', parsePort, 3000)
    .option('--keep', 'keep the folder')
    .action(line.printResultOf((options: DemoOptions) => demo(line, options)))
}

interface DemoOptions {
  readonly port: number
  readonly keep?: true
}

const server = resolve(import.meta.dirname, '../../main.ts')

/** Runs the trial without this installation's configuration. */
async function demo(line: CommandLine, { port, keep }: DemoOptions): Promise<CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'))
  try {
    const env = { TRIBUTARY_MODE: 'trial', TRIBUTARY_DATA_DIR: folder, PORT: String(port), TMPDIR: tmpdir() }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', server], {
      env,
      stdio: ['ignore', line.isJson ? 'ignore' : 'inherit', 'inherit'],
    })
    const stop = () => child.kill('SIGTERM')
    if (line.signal.aborted) stop()
    line.signal.addEventListener('abort', stop)
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0 && !line.signal.aborted)
      throw new CommandRefused('demoEnded', 'The demo did not start, or ended unexpectedly; its output is above.')
    return {
      text: keep ? `The data is in ${folder}.` : 'The demo has ended, and its data is deleted.',
      value: { port, folder: keep ? folder : null },
    }
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
  return port
}
