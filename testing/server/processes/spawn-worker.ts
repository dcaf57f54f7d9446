/** Starts workers as separate processes next to a test's server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { WorkerSettings } from './worker-process.ts'

export interface SpawnedWorker extends AsyncDisposable {
  readonly processId: number
  /** Ends the worker like a power cut, or with SIGTERM like an operator. Resolves when the process has ended. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Resolves when the worker accepts runs. */
export async function spawnWorker(settings: WorkerSettings): Promise<SpawnedWorker> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker-process.ts'), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), rejectOnExit(child)])
  const kill = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const ended = once(child, 'exit')
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await ended
  }
  return { processId: child.pid ?? 0, kill, [Symbol.asyncDispose]: () => kill('SIGKILL') }
}

async function rejectOnExit(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`The worker ended with ${code} before it was ready.`)
}
