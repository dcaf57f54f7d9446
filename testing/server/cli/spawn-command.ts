/** Runs the real command in a separate process, like a user or a script. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type CommandOutput, commandOutput } from './command-output.ts'

export interface SpawnedCommand {
  readonly process: ChildProcess
  /** The output so far. */
  printed(): string
  readonly ended: Promise<CommandOutput>
}

const entry = join(import.meta.dirname, '../../../server/src/cli.ts')
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/node')

/** @param env all environment variables except PATH */
export function spawnCommand(words: readonly string[], env: Readonly<Record<string, string>>): SpawnedCommand {
  const child = spawn(process.execPath, [entry, ...words], {
    // Shares the compile cache of tools/tributary.mjs, so that the code is compiled only once.
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  const ended = once(child, 'close').then(([code]) => commandOutput(code as number | null, stdout, stderr))
  return { process: child, printed: () => stdout, ended }
}
