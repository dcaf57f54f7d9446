/** The real command in a process of its own, as a person or a script calls it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Ended, endedWith } from './command-result.ts'

export interface SpawnedCommand {
  readonly process: ChildProcess
  /** What it has printed so far. */
  printed(): string
  readonly ended: Promise<Ended>
}

const entry = join(import.meta.dirname, '../../../server/src/cli.ts')
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/node')

/** @param env all that it is told beside PATH. */
export function spawnCommand(words: readonly string[], env: Readonly<Record<string, string>>): SpawnedCommand {
  const child = spawn(process.execPath, [entry, ...words], {
    // Compiled once for all of them, as tools/tributary.mjs has it.
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  const ended = once(child, 'close').then(([code]) => endedWith(code as number | null, stdout, stderr))
  return { process: child, printed: () => stdout, ended }
}
